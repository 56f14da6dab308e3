# Unit tests: one program for each object, with cmocka.
if CMOCKA
# -- halftone --

# -- wire --

# -- daemon --

# -- filter --

endif

# End-to-end tests: scripts with a private CUPS.

EXTRA_DIST += tests/testing.h
