/*
 * Methods: the implementations that `halftone=` names.  A method never changes
 * a dot, only who computes it.  Names from Kasagi, Nakano and Ito.
 */
#ifndef RIP_METHOD_H
#define RIP_METHOD_H

enum rip_method {
	RIP_METHOD_AUTO, /* the fastest available */
	RIP_METHOD_ED,   /* pushes errors, register cache, one core */
	RIP_METHOD_EC,   /* collects errors, register cache, one core */
	RIP_METHOD_PWED, /* GPU, one thread for each row, pushes */
	RIP_METHOD_PWEC, /* GPU, one thread for each row, collects */
	RIP_METHOD_BWED, /* GPU, parallelogram blocks, pushes */
	RIP_METHOD_BWEC, /* GPU, parallelogram blocks, collects */
	RIP_METHOD_SIMD, /* CPU, rows as SIMD lanes in a skewed wavefront */
	RIP_METHODS
};

/* The name as options spell it; "?" for a number that is no method. */
const char *rip_method_name(int method);

/* The method of a name, without regard to case; -1 if there is none. */
int rip_method_find(const char *name);

/* Whether a method runs on a GPU. */
int rip_method_wants_gpu(int method);

#endif
