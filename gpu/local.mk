noinst_LIBRARIES += gpu/libgpu.a
gpu_libgpu_a_SOURCES = gpu/engine_cuda.h gpu/engine_none.c
