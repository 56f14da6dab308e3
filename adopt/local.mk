# The PPDs of other drivers: whether their printers can get our dots, and the edit for it.
noinst_LIBRARIES += adopt/libadopt.a
adopt_libadopt_a_SOURCES = \
	adopt/ppd_text.c adopt/ppd_text.h \
	adopt/raster_choices.c adopt/raster_choices.h \
	adopt/foomatic.c \
	adopt/adoption.c adopt/adoption.h \
	adopt/option_group.c adopt/option_group.h \
	adopt/record.c \
	adopt/edit.c adopt/edit.h
