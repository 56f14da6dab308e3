pages = man/riptide.1 man/riptide-protocol.7 man/rastertoriptide.8 man/pdftoriptide.8 man/riptided.8 \
	man/riptided.conf.5
generated += $(pages) man/riptide-mpi.1
man_MANS = $(pages)
if MPI
man_MANS += man/riptide-mpi.1
endif
