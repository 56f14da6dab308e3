/*
 * Functions that are always inlined: arguments that are constants in the caller, such as an error
 * filter, then cost nothing.  Not with AddressSanitizer: the copies with all its checks would
 * take a compiler five to ten times as long, so the same code is checked once.
 */
#ifndef RIP_INLINE_H
#define RIP_INLINE_H

#if defined __SANITIZE_ADDRESS__ /* gcc's; clang inlines */
#define RIP_INLINE static inline
#else
#define RIP_INLINE static inline __attribute__((always_inline))
#endif

#endif
