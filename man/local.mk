dist_man_MANS += man/riptide.1
