man_MANS = man/riptide.1 man/riptide-protocol.7 man/rastertoriptide.8 man/riptided.8 \
	man/riptided.conf.5
generated += $(man_MANS)
