EXTRA_DIST += contrib/private-cups contrib/riptided.conf
EXTRA_DIST += contrib/check contrib/common.sh contrib/demo contrib/demo-page.ps contrib/demo-page.png contrib/demo-detail.png contrib/draw-dots.ps contrib/install-deps

# -- systemd units --
units = contrib/systemd/riptided.socket contrib/systemd/riptided.service
EXTRA_DIST += contrib/systemd/riptided.socket.in contrib/systemd/riptided.service.in
CLEANFILES += $(units)
noinst_DATA = $(units) # the tests look at them even if they are not installed
if SYSTEMD_UNITS
nodist_systemdsystemunit_DATA = $(units)
endif
# They depend on where programs are installed, which make knows and configure not.
$(units): %: %.in Makefile
	$(AM_V_GEN)$(MKDIR_P) contrib/systemd && \
	$(SED) -e 's|@sbindir[@]|$(sbindir)|g' -e 's|@CUPS_GROUP[@]|$(CUPS_GROUP)|g' \
		'$(srcdir)/$@.in' > $@.new && mv $@.new $@

# Completion for bash, where bash-completion looks for it.
bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = contrib/completions/riptide contrib/completions/riptided

# The package for Debian and Ubuntu.
EXTRA_DIST += contrib/package contrib/debian
