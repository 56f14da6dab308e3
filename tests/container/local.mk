# The package, systemd and CUPS in a container, and in a machine with Debian's kernel; a build for
# another processor.
container_tests = tests/container/systemd.sh tests/container/vm.sh tests/container/arm64.sh
TESTS += $(container_tests)
once_tests += $(container_tests)
long_tests += $(container_tests)
EXTRA_DIST += tests/container/library.sh tests/container/package.sh tests/container/service.sh \
	tests/container/app.sh tests/container/vm-inside.sh
