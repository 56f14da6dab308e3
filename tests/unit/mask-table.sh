#!/bin/bash
# The tables of the masks in the tree are what their generator makes here.
set -uo pipefail

srcdir=${srcdir:-.}
if ! halftone/screens/generate | cmp - "$srcdir/halftone/mask_table.c"; then
	echo "halftone/mask_table.c is not what halftone/screens/generate makes: run \`make screen-tables\`"
	exit 1
fi
