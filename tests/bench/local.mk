# How long the filter takes, beside one that only reads and writes; and libriptide on one core: run
# by hand.
check_PROGRAMS += tests/bench/peer-filter tests/bench/alternate tests/bench/bench-library
once_programs += tests/bench/bench-library
EXTRA_DIST += tests/bench/photo.ps tests/bench/text.ps tests/bench/bench-load.py \
	tests/bench/collect-ppds.py tests/bench/bench-job.sh tests/bench/bench-mpi.sh \
	tests/bench/bench-filter.sh tests/bench/bench-rip.sh tests/bench/bench-fairness.sh
# As little else as can be: it is what the filter is compared with.
tests_bench_peer_filter_CPPFLAGS = $(AM_CPPFLAGS) $(CUPS_CFLAGS)
tests_bench_peer_filter_LDADD = $(CUPS_LIBS)
tests_bench_alternate_LDADD =
