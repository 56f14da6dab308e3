noinst_LTLIBRARIES += wire/libwire.la
wire/.libs/libwire.a: wire/libwire.la ;
wire_libwire_la_SOURCES = \
	wire/protocol.h \
	wire/codec.c wire/codec.h \
	wire/check.c wire/check.h wire/page_limit.c wire/page_limit.h \
	wire/connection.c wire/connection.h \
	wire/peer.c wire/peer.h \
	wire/ring.c wire/ring.h wire/retained.c wire/retained.h \
	wire/client.c wire/client.h wire/client_status.c wire/exchange.c wire/exchange.h
