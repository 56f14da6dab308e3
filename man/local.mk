pages = man/riptide.1 man/riptide-protocol.7 man/rastertoriptide.8 man/pdftoriptide.8 man/rastertofoomatic.8 man/riptided.8 \
	man/riptided.conf.5 man/riptide.3
generated += $(pages) man/riptide-mpi.1 man/cfFilterRiptide.3
man_MANS = $(pages)
if CUPSFILTERS2
man_MANS += man/cfFilterRiptide.3
endif
if MPI
man_MANS += man/riptide-mpi.1
endif

# A page for each function of libriptide, which leads to riptide(3).
functions = $(shell $(SED) -n 's/^[[:space:]]*\(riptide_[a-z_]*\);/\1/p' $(srcdir)/lib/riptide.map)
install-data-hook:
	$(MKDIR_P) '$(DESTDIR)$(man3dir)'
	for name in $(functions); do \
		echo '.so man3/riptide.3' >'$(DESTDIR)$(man3dir)/'$$name.3 && \
		chmod 644 '$(DESTDIR)$(man3dir)/'$$name.3 || exit 1; \
	done
uninstall-hook:
	for name in $(functions); do rm -f '$(DESTDIR)$(man3dir)/'$$name.3; done
