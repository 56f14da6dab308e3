# How well screens print, beside peers: tests/quality/quality; its quick test.
TESTS += tests/quality/quality.sh
once_tests += tests/quality/quality.sh
once_programs += tests/quality/quality
check_PROGRAMS += tests/quality/quality
tests_quality_quality_SOURCES = \
	tests/quality/quality.c tests/quality/quality_check.c tests/quality/quality_check.h \
	tests/quality/colour.c tests/quality/colour.h \
	tests/quality/colour_seen.c tests/quality/colour_seen.h \
	tests/quality/dot_source.c tests/quality/dot_source.h \
	tests/quality/judge.c tests/quality/judge.h \
	tests/quality/paper.c tests/quality/paper.h \
	tests/quality/picture.c tests/quality/picture.h \
	tests/quality/printer_data.c tests/quality/printer_data.h \
	tests/quality/show.c tests/quality/show.h \
	tests/quality/texture.c tests/quality/texture.h \
	tone/fft.c tone/fft.h tone/ink_colour.c tone/ink_colour.h $(peer_sources)
tests_quality_quality_CPPFLAGS = $(peer_cppflags)
tests_quality_quality_LDADD = image/libimage.a system/.libs/libsystem.a halftone/.libs/libhalftone.a \
	$(JPEG_LIBS) $(PNG_LIBS) $(peer_libs)

# All screens and peers side by side, as PNGs in the folder pictures.
pictures: tests/quality/quality
	@$(MKDIR_P) pictures
	tests/quality/quality --pictures pictures
	@for page in greys ramp photo; do \
		gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=pnggray -r72 \
			-sOutputFile=pictures/$$page.png pictures/$$page.ps && \
		rm pictures/$$page.ps && echo pictures/$$page.png || exit 1; \
	done
clean-local: clean-pictures
clean-pictures:
	rm -rf pictures
.PHONY: pictures clean-pictures
