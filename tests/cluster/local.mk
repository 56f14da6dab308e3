# riptide-mpi.
TESTS += tests/cluster/mpi-links.sh tests/cluster/mpi-exact.sh
EXTRA_DIST += tests/cluster/mpi.sh tests/cluster/mpi-links.sh tests/cluster/mpi-exact.sh
