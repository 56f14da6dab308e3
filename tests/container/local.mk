# The package, systemd and CUPS in a container.
TESTS += tests/container/systemd.sh
once_tests += tests/container/systemd.sh
long_tests += tests/container/systemd.sh
EXTRA_DIST += tests/container/library.sh tests/container/package.sh tests/container/service.sh
