# The package, systemd and CUPS in a container; a build for another processor.
TESTS += tests/container/systemd.sh tests/container/arm64.sh
once_tests += tests/container/systemd.sh tests/container/arm64.sh
long_tests += tests/container/systemd.sh tests/container/arm64.sh
EXTRA_DIST += tests/container/library.sh tests/container/package.sh tests/container/service.sh
