# The project itself: rooms, scripts, manual pages and help, installation.
project_tests = tests/project/rooms.sh tests/project/calls.sh tests/project/shell.sh \
	tests/project/manpages.sh \
	tests/project/install.sh tests/project/progress.sh tests/project/configure.sh \
	tests/project/hardening.sh tests/project/analysis.sh
EXTRA_DIST += tests/project/analysis.txt
TESTS += $(project_tests)
once_tests += $(project_tests)
