daemon_tests = tests/daemon/test-log tests/daemon/test-daemon-settings \
	tests/daemon/test-daemon-scheduler \
	tests/daemon/test-daemon-floods tests/daemon/test-daemon-away \
	tests/daemon/test-daemon-session tests/daemon/test-daemon-status tests/daemon/test-daemon \
	tests/daemon/test-daemon-clients tests/daemon/test-daemon-reload \
	tests/daemon/test-daemon-gpu \
	tests/daemon/test-daemon-retained tests/daemon/test-daemon-stop \
	tests/daemon/test-daemon-pause \
	tests/daemon/test-daemon-shares tests/daemon/test-process \
	tests/daemon/test-faults tests/daemon/test-scarcity
cmocka_tests += $(daemon_tests)
# Shares are times of one worker: test-daemon-clients and soak.sh have more threads at work; and in
# test-log one thread logs, in the daemons of other tests all of them.
thread_tests += $(filter-out tests/daemon/test-daemon-shares tests/daemon/test-log,$(daemon_tests))
tests_daemon_test_log_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=sendmsg,--wrap=send
# riptided with a GPU that fails when it is told to, on a system that has nothing left.
check_PROGRAMS += tests/daemon/riptided-faulty
thread_programs += tests/daemon/riptided-faulty
tests_daemon_riptided_faulty_SOURCES = daemon/riptided.c tests/daemon/fake_gpu.c \
	tests/daemon/fake_scarcity.c
tests_daemon_riptided_faulty_CPPFLAGS = $(riptided_CPPFLAGS)
tests_daemon_riptided_faulty_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc \
	-Wl,--wrap=realloc,--wrap=pthread_create,--wrap=rip_engine_cpu_new
tests_daemon_riptided_faulty_LDADD = $(riptided_LDADD)

# The status, hours of work in seconds, and the daemon in the sandbox of its unit.
TESTS += tests/daemon/status.sh tests/daemon/streams.sh tests/daemon/config.sh \
	tests/daemon/soak.sh \
	tests/daemon/sandbox.sh
thread_tests += tests/daemon/soak.sh
EXTRA_DIST += tests/daemon/scheduler_test.h tests/daemon/sandbox-calls \
	tests/daemon/sandbox-calls.txt
if SECCOMP
check_PROGRAMS += tests/daemon/sandbox
endif
tests_daemon_sandbox_CPPFLAGS = $(AM_CPPFLAGS) $(SECCOMP_CFLAGS)
tests_daemon_sandbox_LDADD = $(SECCOMP_LIBS)
