/* UNROLL before a loop of few and constant turns: its arrays then live in registers. */
#ifndef RIP_SIMD_UNROLL_H
#define RIP_SIMD_UNROLL_H

#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif

#endif
