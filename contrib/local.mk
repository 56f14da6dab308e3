EXTRA_DIST += contrib/private-cups
EXTRA_DIST += contrib/check contrib/common.sh contrib/demo contrib/demo-page.ps contrib/demo-page.png contrib/demo-detail.png contrib/draw-dots.ps contrib/install-deps
