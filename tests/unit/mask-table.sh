#!/bin/bash
# The tables of the masks in the tree are what their generator makes here.
set -uo pipefail

srcdir=${srcdir:-.}
if ! halftone/screen/generate | cmp - "$srcdir/halftone/screen/mask_table.c"; then
	echo "halftone/screen/mask_table.c is not what halftone/screen/generate makes:" \
		"run \`make screen-tables\`"
	exit 1
fi
