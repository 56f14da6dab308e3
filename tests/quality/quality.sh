#!/bin/sh
# The measures of print quality, and some greys by them; all of it:
# tests/quality/quality (minutes).
exec tests/quality/quality --check
