dist_man_MANS += man/riptide.1
dist_man_MANS += man/riptide-protocol.7
dist_man_MANS += man/riptided.8
dist_man_MANS += man/riptide.1 man/rastertoriptide.8
