# contrib: filled in below
EXTRA_DIST += contrib/private-cups
