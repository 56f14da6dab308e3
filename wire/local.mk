noinst_LIBRARIES += wire/libwire.a
wire_libwire_a_SOURCES = \
	wire/protocol.h \
	wire/codec.c wire/codec.h \
	wire/connection.c wire/connection.h \
	wire/ring.c wire/ring.h \
	wire/client.c wire/client.h \
	wire/worker.c wire/worker.h \
	wire/halftoner.c wire/halftoner.h

# What a program that halftones links with, in this order: one that may use a GPU itself,
# and one that leaves it to the daemon.
RIP_LIBS = wire/libwire.a $(GPU_LIBS) halftone/libhalftone.a
RIP_NOGPU_LIBS = wire/libwire.a gpu/libnogpu.a halftone/libhalftone.a
