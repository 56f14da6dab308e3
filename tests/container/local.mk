# The package, systemd and CUPS in a container.
container_tests = tests/container/systemd.sh
TESTS += $(container_tests)
once_tests += $(container_tests)
long_tests += $(container_tests)
EXTRA_DIST += $(container_tests) tests/container/library.sh tests/container/package.sh \
	tests/container/service.sh
