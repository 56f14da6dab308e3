# The jail of Ghostscript.
TESTS += tests/jail/jail.sh tests/jail/attacks.sh tests/jail/documents.sh
once_tests += tests/jail/jail.sh tests/jail/attacks.sh tests/jail/documents.sh
long_tests += tests/jail/attacks.sh tests/jail/documents.sh
check_PROGRAMS += tests/jail/run-in-gs
once_programs += tests/jail/run-in-gs
tests_jail_run_in_gs_SOURCES = tests/jail/run-in-gs.c
tests_jail_run_in_gs_LDADD = rip/librip.a $(RIP_NOGPU_LIBS) -lm
# What is loaded into Ghostscript.
check_LTLIBRARIES = tests/jail/native-attack.la
tests_jail_native_attack_la_SOURCES = tests/jail/native-attack.c
tests_jail_native_attack_la_CFLAGS = $(AM_CFLAGS) -fno-sanitize=all
tests_jail_native_attack_la_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
EXTRA_DIST += tests/jail/attacks.ps
