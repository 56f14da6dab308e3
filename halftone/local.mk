noinst_LTLIBRARIES += halftone/libhalftone.la
halftone/.libs/libhalftone.a: halftone/libhalftone.la ;
halftone_libhalftone_la_SOURCES = \
	halftone/screen/arith.h \
	halftone/screen/error_filter.h halftone/screen/screen.c halftone/screen/screen.h \
	halftone/screen/blue_noise.c halftone/screen/blue_noise.h halftone/screen/blue_noise_table.h \
	halftone/screen/blue_noise_colour.c halftone/screen/blue_noise_colour.h \
	halftone/screen/method.c halftone/screen/method.h \
	halftone/engine.c halftone/engine.h \
	halftone/page/tone.c halftone/page/tone.h \
	halftone/diffuse.c halftone/diffuse.h halftone/diffuse_cache.h \
	halftone/diffuse_row.h halftone/blue_noise_row.h \
	halftone/diffuse_colour.c halftone/diffuse_colour.h \
	halftone/threads/plain_planes.c halftone/threads/plain_planes.h \
	halftone/threads/mask_planes.c halftone/threads/mask_planes.h halftone/mask_rows.c halftone/mask_rows.h \
	halftone/screen/mask.c halftone/screen/mask.h halftone/screen/mask_screen.c halftone/screen/mask_screen.h \
	halftone/screen/mask_cells.c halftone/screen/mask_cells.h halftone/screen/mask_table.c halftone/screen/mask_table.h \
	halftone/engine_cpu.c halftone/engine_cpu.h \
	halftone/cpu.c halftone/cpu.h halftone/quota.c halftone/quota.h halftone/simd/isa.c halftone/simd/isa.h halftone/simd/isa_code.h \
	halftone/simd/isa_environment.h \
	halftone/page/rows.c halftone/page/rows.h \
	halftone/simd/x86/rows_avx2.c halftone/simd/x86/rows_avx512.c halftone/simd/arm/rows_neon.c \
	halftone/simd/simd.c halftone/simd/simd.h halftone/simd/simd_unroll.h halftone/simd/simd_block.inc halftone/simd/simd_kernel.inc \
	halftone/simd/simd_coupled.inc \
	halftone/simd/simd_floyd.inc halftone/simd/simd_filter.inc halftone/simd/simd_blue_noise.inc \
	halftone/simd/simd_single.inc halftone/simd/simd_single_floyd.inc \
	halftone/simd/simd_single_blue_noise.inc halftone/simd/simd_blue_noise_tables.inc \
	halftone/simd/simd_levels.inc halftone/simd/simd_words.inc halftone/simd/simd_curve.inc halftone/simd/simd_transpose.inc halftone/simd/x86/simd_steps.inc \
	halftone/threads/team.c halftone/threads/team.h \
	halftone/threads/simd_planes.c halftone/threads/simd_planes.h \
	halftone/simd/arm/simd_neon.inc halftone/simd/arm/simd_neon_floyd.c halftone/simd/arm/simd_neon_blue_noise.c \
	halftone/simd/arm/simd_neon_colour.c halftone/simd/x86/simd_avx2_colour.c \
	halftone/simd/x86/simd_avx512_colour.c halftone/simd/x86/simd_avx512icl_colour.c \
	halftone/simd/arm/simd_neon_reach1.c halftone/simd/arm/simd_neon_reach2.c \
	halftone/simd/x86/simd_avx2.inc halftone/simd/x86/simd_avx512.inc \
	halftone/simd/x86/simd_avx2_floyd.c \
	halftone/simd/x86/simd_avx2_single.c halftone/simd/x86/simd_avx2_single.inc \
	halftone/simd/x86/simd_avx2_single_blue_noise.c halftone/simd/x86/simd_avx512_floyd.c \
	halftone/simd/x86/simd_avx512icl_floyd.c \
	halftone/simd/x86/simd_avx2_blue_noise.c halftone/simd/x86/simd_avx512_blue_noise.c \
	halftone/simd/x86/simd_avx512icl_blue_noise.c \
	halftone/simd/x86/simd_avx2_reach1.c halftone/simd/x86/simd_avx2_reach2.c \
	halftone/simd/x86/simd_avx512_reach1.c halftone/simd/x86/simd_avx512_reach2.c \
	halftone/simd/x86/simd_avx512icl_reach1.c halftone/simd/x86/simd_avx512icl_reach2.c \
	halftone/page/around.c halftone/page/around.h halftone/page/around_rules.c halftone/page/around_rules.h \
	halftone/page/toner_save.c halftone/page/toner_save.h \
	halftone/page/fine_edges.c halftone/page/fine_edges.h \
	halftone/label/labels.c halftone/label/labels.h halftone/label/label_symbols.h \
	halftone/label/label_linear.c halftone/label/label_modules.c \
	halftone/label/label_boxes.c halftone/label/label_matrix.c halftone/label/label_grid.c \
	halftone/page/ink_limit.c halftone/page/ink_limit.h halftone/page/curve_search.h \
	halftone/page/transparent.c halftone/page/transparent.h \
	halftone/page/band.c halftone/page/band.h \
	halftone/wave.c halftone/wave.h
EXTRA_DIST += halftone/README.md

# The tables of the masks: the file in the tree is what this program prints (a test compares).
check_PROGRAMS += halftone/screen/generate
halftone_screen_generate_CPPFLAGS = $(AM_CPPFLAGS) # objects of its own, not libtool's
halftone_screen_generate_SOURCES = halftone/screen/generate.c halftone/screen/mask_cells.c \
	halftone/screen/mask_cells.h halftone/screen/mask_table.h
halftone_screen_generate_LDADD =
# What it shares with the library is tested there, and sanitizers would make it many times as slow.
halftone_screen_generate_CFLAGS = $(filter-out -fsanitize=%,$(AM_CFLAGS))

screen-tables: halftone/screen/generate
	halftone/screen/generate > mask_table.new
	mv mask_table.new $(srcdir)/halftone/screen/mask_table.c
.PHONY: screen-tables
