# No test runs for ever, and each log ends with the time that the test took.
LOG_COMPILER = $(srcdir)/tests/tools/run-test
EXTRA_DIST += tests/tools/run-test

AM_TESTS_ENVIRONMENT = \
	RIPTIDE_BUILD='$(abs_top_builddir)'; RIPTIDE_SOURCE='$(abs_top_srcdir)'; \
	export RIPTIDE_BUILD RIPTIDE_SOURCE;

include tests/tools/local.mk
include tests/engine/local.mk
include tests/quality/local.mk
include tests/unit/local.mk
include tests/tone/local.mk
include tests/gpu/local.mk
include tests/daemon/local.mk
include tests/filter/local.mk
include tests/command/local.mk
include tests/cluster/local.mk
include tests/fuzz/local.mk
include tests/bench/local.mk
include tests/e2e/local.mk
include tests/container/local.mk
include tests/project/local.mk
EXTRA_DIST += tests/README.md

# What contrib/check runs with every compiler and sanitizer: what needs neither CUPS
# nor systemd nor MPI.
list-program-tests:
	@echo $(filter-out tests/e2e% tests/cluster% $(container_tests) $(project_tests),$(TESTS))
.PHONY: list-program-tests
