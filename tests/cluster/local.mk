# riptide-mpi.
cluster_tests = \
	tests/cluster/mpi-links.sh tests/cluster/mpi-exact.sh tests/cluster/mpi-methods.sh \
	tests/cluster/mpi-faults.sh tests/cluster/mpi-progress.sh tests/cluster/mpi-stretch.sh
TESTS += $(cluster_tests)
once_tests += $(cluster_tests)
long_tests += tests/cluster/mpi-stretch.sh
EXTRA_DIST += tests/cluster/mpi.sh

# Programs that say they are another version, or run on a machine of the other byte order.
cluster_programs = tests/cluster/riptide-mpi-other tests/cluster/riptide-mpi-swapped \
	tests/cluster/riptide-mpi-stretched
if MPI
check_PROGRAMS += $(cluster_programs)
once_programs += $(cluster_programs)
endif
CLUSTER_SOURCES = cluster/riptide_mpi.c cluster/ranks.c
CLUSTER_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
tests_cluster_riptide_mpi_other_SOURCES = $(CLUSTER_SOURCES)
tests_cluster_riptide_mpi_other_CPPFLAGS = $(CLUSTER_CPPFLAGS) '-DRIP_CLUSTER_BUILD="0.0.9"'
tests_cluster_riptide_mpi_other_LDADD = $(CLUSTER_LIBS)
tests_cluster_riptide_mpi_swapped_SOURCES = $(CLUSTER_SOURCES)
tests_cluster_riptide_mpi_swapped_CPPFLAGS = $(CLUSTER_CPPFLAGS) \
	-DRIP_CLUSTER_BYTE_ORDER=__ORDER_BIG_ENDIAN__
tests_cluster_riptide_mpi_swapped_LDADD = $(CLUSTER_LIBS)

# riptide-mpi in slow motion: its work and its network are replaced.
tests_cluster_riptide_mpi_stretched_SOURCES = cluster/riptide_mpi.c \
	tests/cluster/stretched_work.c tests/cluster/stretched_network.c tests/cluster/stretched.h
tests_cluster_riptide_mpi_stretched_CPPFLAGS = $(CLUSTER_CPPFLAGS)
tests_cluster_riptide_mpi_stretched_LDFLAGS = -Wl,--wrap=rip_carry_link_wait
tests_cluster_riptide_mpi_stretched_LDADD = $(CLUSTER_LIBS)
