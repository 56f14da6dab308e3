# -- riptide-mpi, configured by --with-mpi: the only program that is linked with MPI --
if MPI
bin_PROGRAMS += riptide-mpi
noinst_LIBRARIES += cluster/libcluster.a
endif
CLUSTER_LIBS = cluster/libcluster.a command/libcommand.a image/libimage.a halftone/.libs/libhalftone.a system/.libs/libsystem.a $(MPI_LIBS) -lm
riptide_mpi_SOURCES = cluster/riptide_mpi.c
riptide_mpi_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
riptide_mpi_LDADD = $(CLUSTER_LIBS)

# Its parts, a library for the tests' sake.
cluster_libcluster_a_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
cluster_libcluster_a_SOURCES = \
	cluster/cluster_options.c \
	cluster/method_wave.c \
	cluster/method_guilloteau.c \
	cluster/ranks.c cluster/ranks.h \
	cluster/page_file.c cluster/page_file.h \
	cluster/carry_link.c cluster/carry_link.h cluster/carry_mail.c \
	cluster/strip_store.c cluster/worker.c cluster/worker.h \
	cluster/cluster_report.c
