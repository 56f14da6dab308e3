noinst_LIBRARIES += wire/libwire.a
wire_libwire_a_SOURCES = \
	wire/protocol.h \
	wire/codec.h \
	wire/connection.h \
	wire/ring.h \
	wire/client.h \
	wire/halftoner.h

# What a program that halftones links with, in this order.
RIP_LIBS = wire/libwire.a gpu/libgpu.a halftone/libhalftone.a
