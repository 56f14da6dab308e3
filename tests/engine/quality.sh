#!/bin/sh
# The texture of some greys against double precision; all of them:
# checkengine --quality (a minute).
exec tests/engine/checkengine --quality --step 32
