# ppdc compiles the drivers when CUPS is asked for them, so they go as they are.
cupsdrvdir  = $(cups_datadir)/drv
cupsmimedir = $(cups_datadir)/mime
dist_cupsdrv_DATA  = ppd/riptide.drv
dist_cupsmime_DATA = ppd/riptide.types ppd/riptide.convs
