noinst_LTLIBRARIES += halftone/libhalftone.la
halftone_libhalftone_la_SOURCES = \
	halftone/arith.h \
	halftone/error_filter.h halftone/screen.c halftone/screen.h \
	halftone/blue_noise.c halftone/blue_noise.h halftone/blue_noise_table.h \
	halftone/method.c halftone/method.h \
	halftone/engine.c halftone/engine.h \
	halftone/tone.c halftone/tone.h \
	halftone/diffuse.c halftone/diffuse.h halftone/diffuse_cache.h \
	halftone/diffuse_row.h halftone/blue_noise_row.h \
	halftone/plain_planes.c halftone/plain_planes.h \
	halftone/mask_planes.c halftone/mask_planes.h halftone/mask_rows.c halftone/mask_rows.h \
	halftone/mask.c halftone/mask.h halftone/mask_screen.c halftone/mask_screen.h \
	halftone/mask_cells.c halftone/mask_cells.h halftone/mask_table.c halftone/mask_table.h \
	halftone/engine_cpu.c halftone/engine_cpu.h \
	halftone/cpu.c halftone/cpu.h halftone/cpu_quota.c halftone/cpu_quota.h halftone/isa.c halftone/isa.h halftone/isa_code.h \
	halftone/rows.c halftone/rows.h \
	halftone/x86/dots_avx2.h halftone/x86/dots_avx512.h halftone/arm/dots_neon.h \
	halftone/x86/rows_avx2.c halftone/x86/rows_avx512.c halftone/arm/rows_neon.c \
	halftone/x86/mask_avx2.c halftone/x86/mask_avx512.c halftone/arm/mask_neon.c \
	halftone/simd.c halftone/simd.h halftone/simd_unroll.h halftone/simd_block.inc halftone/simd_kernel.inc \
	halftone/simd_floyd.inc halftone/simd_filter.inc halftone/simd_blue_noise.inc \
	halftone/simd_single.inc halftone/simd_single_floyd.inc \
	halftone/simd_single_blue_noise.inc halftone/simd_blue_noise_tables.inc \
	halftone/simd_levels.inc halftone/simd_words.inc halftone/simd_curve.inc halftone/simd_transpose.inc halftone/x86/simd_steps.inc \
	halftone/team.c halftone/team.h \
	halftone/simd_planes.c halftone/simd_planes.h \
	halftone/arm/simd_neon.inc halftone/arm/simd_neon_floyd.c halftone/arm/simd_neon_blue_noise.c \
	halftone/arm/simd_neon_reach1.c halftone/arm/simd_neon_reach2.c \
	halftone/x86/simd_avx2.inc halftone/x86/simd_avx512.inc \
	halftone/x86/simd_avx2_floyd.c \
	halftone/x86/simd_avx2_single.c halftone/x86/simd_avx2_single.inc \
	halftone/x86/simd_avx2_single_blue_noise.c halftone/x86/simd_avx512_floyd.c \
	halftone/x86/simd_avx512icl_floyd.c \
	halftone/x86/simd_avx2_blue_noise.c halftone/x86/simd_avx512_blue_noise.c \
	halftone/x86/simd_avx512icl_blue_noise.c \
	halftone/x86/simd_avx2_reach1.c halftone/x86/simd_avx2_reach2.c \
	halftone/x86/simd_avx512_reach1.c halftone/x86/simd_avx512_reach2.c \
	halftone/x86/simd_avx512icl_reach1.c halftone/x86/simd_avx512icl_reach2.c \
	halftone/toner_save.c halftone/toner_save.h \
	halftone/transparent.c halftone/transparent.h \
	halftone/band.c halftone/band.h \
	halftone/wave.c halftone/wave.h
EXTRA_DIST += halftone/README.md

# The tables of the masks: the file in the tree is what this program prints (a test compares).
check_PROGRAMS += halftone/screens/generate
halftone_screens_generate_CPPFLAGS = $(AM_CPPFLAGS) # objects of its own, not libtool's
halftone_screens_generate_SOURCES = halftone/screens/generate.c halftone/mask_cells.c \
	halftone/mask_cells.h halftone/mask_table.h

screen-tables: halftone/screens/generate
	halftone/screens/generate > mask_table.new
	mv mask_table.new $(srcdir)/halftone/mask_table.c
.PHONY: screen-tables
