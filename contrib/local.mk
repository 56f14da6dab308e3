# contrib: filled in below
EXTRA_DIST += contrib/private-cups
EXTRA_DIST += contrib/check contrib/demo-page.ps contrib/install-deps
