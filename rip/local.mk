# Runs Ghostscript, and makes the dots of its pages.
noinst_LIBRARIES += rip/librip.a
rip_librip_a_SOURCES = \
	rip/document.c rip/document.h \
	rip/gs_jail.c rip/gs_jail.h \
	rip/gs_process.c rip/gs_process.h \
	rip/gs.c rip/gs.h \
	rip/gs_colours.c \
	rip/kept_black.c rip/kept_black.h \
	rip/line_queue.c \
	rip/overprint.c \
	rip/page_colour.c rip/page_colour.h \
	rip/page_reader.c rip/page_reader.h \
	rip/page_workers.c rip/page_workers.h \
	rip/poppler.c rip/renderer.h \
	rip/separations.c rip/separations.h \
	rip/slots.c rip/slots.h
