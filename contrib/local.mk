EXTRA_DIST += contrib/private-cups
EXTRA_DIST += contrib/check contrib/common.sh contrib/demo contrib/demo-page.ps contrib/draw-dots.ps contrib/install-deps
