/*
 * What the files of each instruction set define for the table of isa.c: SIMD kernels (simd.h)
 * and faster functions for rows (rows.h) and masks (mask_rows.h).  Which of them exist depends
 * on the architecture.
 */
#ifndef RIP_ISA_CODE_H
#define RIP_ISA_CODE_H

struct rip_mask_ops;
struct rip_row_ops;
struct rip_simd_kernel;

/* Floyd and Steinberg's filter. */
extern const struct rip_simd_kernel rip_simd_avx2_floyd, rip_simd_avx512_floyd,
	rip_simd_avx512icl_floyd, rip_simd_neon, rip_simd_avx2_single;

/* Blue noise. */
extern const struct rip_simd_kernel rip_simd_avx2_blue_noise, rip_simd_avx512_blue_noise,
	rip_simd_avx512icl_blue_noise, rip_simd_neon_blue_noise, rip_simd_avx2_single_blue_noise;

/* Blue noise for colour. */
extern const struct rip_simd_kernel rip_simd_avx2_colour, rip_simd_avx512_colour,
	rip_simd_avx512icl_colour, rip_simd_neon_colour;

/* The other error filters: those that reach one row down, and two. */
extern const struct rip_simd_kernel rip_simd_avx2_reach1, rip_simd_avx2_reach2,
	rip_simd_avx512_reach1, rip_simd_avx512_reach2,
	rip_simd_avx512icl_reach1, rip_simd_avx512icl_reach2,
	rip_simd_neon_reach1, rip_simd_neon_reach2;

/* Each puts its functions in the place of slower ones. */
void rip_row_ops_avx2(struct rip_row_ops *ops);
void rip_row_ops_avx512bw(struct rip_row_ops *ops);
void rip_row_ops_avx512icl(struct rip_row_ops *ops);
void rip_row_ops_neon(struct rip_row_ops *ops);
void rip_mask_ops_avx2(struct rip_mask_ops *ops);
void rip_mask_ops_avx512bw(struct rip_mask_ops *ops);
void rip_mask_ops_neon(struct rip_mask_ops *ops);

#endif
