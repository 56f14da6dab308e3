noinst_LIBRARIES += halftone/libhalftone.a
halftone_libhalftone_a_SOURCES = \
	halftone/arith.h \
	halftone/error_filter.c halftone/error_filter.h \
	halftone/method.c halftone/method.h \
	halftone/engine.c halftone/engine.h \
	halftone/engine_cpu.h \
	halftone/split.h \
	halftone/band.h
