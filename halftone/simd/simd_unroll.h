/* UNROLL before a loop with a small constant count keeps its arrays in registers. */
#ifndef RIP_SIMD_UNROLL_H
#define RIP_SIMD_UNROLL_H

#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 32")
#endif

#endif
