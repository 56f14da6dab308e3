pages = man/riptide.1 man/riptide-halftone.1 man/riptide-rip.1 man/riptide-preview.1 man/riptide-bench.1 \
	man/riptide-status.1 man/riptide-adopt.1 man/riptide-target.1 man/riptide-calibrate.1 man/riptide-transform.1 \
	man/riptide-protocol.7 man/rastertoriptide.8 man/pdftoriptide.8 man/rastertofoomatic.8 man/riptided.8 \
	man/riptided.conf.5 man/riptide.3
generated += $(pages) man/riptide-mpi.1
man_MANS = $(pages)
generated += man/riptide-printer-app.1
if PAPPL
man_MANS += man/riptide-printer-app.1
endif
if MPI
man_MANS += man/riptide-mpi.1
endif

# A page for each function of libriptide, which leads to riptide(3); riptide-release(1) leads to
# riptide-adopt(1).
functions = $(shell $(SED) -n 's/^[[:space:]]*\(riptide_[a-z_]*\);/\1/p' $(srcdir)/lib/riptide.map)
install-data-hook:
	$(MKDIR_P) '$(DESTDIR)$(man1dir)' '$(DESTDIR)$(man3dir)'
	echo '.so man1/riptide-adopt.1' >'$(DESTDIR)$(man1dir)/riptide-release.1'
	chmod 644 '$(DESTDIR)$(man1dir)/riptide-release.1'
	for name in $(functions); do \
		echo '.so man3/riptide.3' >'$(DESTDIR)$(man3dir)/'$$name.3 && \
		chmod 644 '$(DESTDIR)$(man3dir)/'$$name.3 || exit 1; \
	done
uninstall-hook:
	rm -f '$(DESTDIR)$(man1dir)/riptide-release.1'
	for name in $(functions); do rm -f '$(DESTDIR)$(man3dir)/'$$name.3; done
