noinst_LIBRARIES += wire/libwire.a
wire_libwire_a_SOURCES = \
	wire/protocol.h \
	wire/codec.c wire/codec.h \
	wire/connection.c wire/connection.h \
	wire/ring.c wire/ring.h \
	wire/client.c wire/client.h \
	wire/worker.c wire/worker.h \
	wire/halftoner.c wire/halftoner.h

# What a program that halftones links with, in this order.
RIP_LIBS = wire/libwire.a gpu/libgpu.a halftone/libhalftone.a
