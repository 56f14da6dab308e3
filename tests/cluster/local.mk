# riptide-mpi.
TESTS += tests/cluster/mpi-links.sh tests/cluster/mpi-exact.sh tests/cluster/mpi-methods.sh tests/cluster/mpi-faults.sh
EXTRA_DIST += tests/cluster/mpi.sh \
	tests/cluster/mpi-links.sh tests/cluster/mpi-exact.sh tests/cluster/mpi-methods.sh tests/cluster/mpi-faults.sh

# Programs that say they are another version, or run on a machine of the other byte order.
if MPI
check_PROGRAMS += tests/cluster/riptide-mpi-other tests/cluster/riptide-mpi-swapped
endif
tests_cluster_riptide_mpi_other_SOURCES = cluster/riptide_mpi.c cluster/ranks.c
tests_cluster_riptide_mpi_other_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS) '-DRIP_CLUSTER_BUILD="0.0.9"'
tests_cluster_riptide_mpi_other_LDADD = $(CLUSTER_LIBS)
tests_cluster_riptide_mpi_swapped_SOURCES = cluster/riptide_mpi.c cluster/ranks.c
tests_cluster_riptide_mpi_swapped_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS) \
	-DRIP_CLUSTER_BYTE_ORDER=__ORDER_BIG_ENDIAN__
tests_cluster_riptide_mpi_swapped_LDADD = $(CLUSTER_LIBS)
