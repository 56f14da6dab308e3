EXTRA_DIST += contrib/private-cups
EXTRA_DIST += contrib/lprint/README.md contrib/lprint/compare.py contrib/lprint/lprint-riptide.patch
EXTRA_DIST += contrib/check contrib/check-on contrib/cluster-demo contrib/common.sh \
	contrib/debian-system.sh contrib/demo contrib/demo-page.ps contrib/demo-page.png \
	contrib/demo-detail.png contrib/demo-paper.png contrib/demo-screens.png \
	contrib/demo-colour-apart.png contrib/demo-colour-together.png contrib/draw-dots.ps \
	contrib/app-screens.png \
	contrib/draw-screens.ps contrib/install-deps contrib/spdx contrib/verify

# -- systemd units --
units = contrib/systemd/riptided.socket contrib/systemd/riptided.service
if PAPPL
units += contrib/systemd/riptide-printer-app.service
else
EXTRA_DIST += contrib/systemd/riptide-printer-app.service.in
endif
generated += $(units)
noinst_DATA = $(units) # the tests look at them even if they are not installed
if SYSTEMD_UNITS
nodist_systemdsystemunit_DATA = $(units)
endif

# An example of the configuration.  The daemon does not read it.
exampledir = $(docdir)/examples
nodist_example_DATA = contrib/riptided.conf
generated += $(nodist_example_DATA)
# Examples of libriptide; tests/library compiles and runs them.
dist_example_DATA = contrib/examples/pgm-to-pbm.c contrib/examples/halftone-numpy.py \
	contrib/examples/pappl-pcl.c

# Completion for bash, where bash-completion looks for it.  Each file is complete without the
# others, because packages may divide them.
bashcompletiondir = $(datadir)/bash-completion/completions
completions = contrib/completions/riptide contrib/completions/riptided
if MPI
completions += contrib/completions/riptide-mpi
endif
nodist_bashcompletion_DATA = $(completions)
CLEANFILES += $(completions)
EXTRA_DIST += contrib/completions/helpers.bash contrib/completions/riptide.bash \
	contrib/completions/riptided.bash contrib/completions/riptide-mpi.bash
$(completions): %: %.bash contrib/completions/helpers.bash
	$(AM_V_GEN)$(MKDIR_P) '$(@D)' && \
	cat '$(srcdir)/contrib/completions/helpers.bash' '$(srcdir)/$@.bash' > '$@.new' && mv '$@.new' '$@'

# The package for Debian and Ubuntu.
EXTRA_DIST += contrib/package contrib/debian
