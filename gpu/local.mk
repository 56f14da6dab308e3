# Where no GPU is ever used, in the filter and in tests, libnogpu.a has its functions: they
# say that there is no device, and 20 MB of machine code stay out.
noinst_LIBRARIES += gpu/libnogpu.a
gpu_libnogpu_a_SOURCES = gpu/engine_cuda.h gpu/engine_none.c

gpu_headers = gpu/block.cuh gpu/cuda_copy.cuh gpu/cuda_engine.cuh gpu/cuda_lane.cuh \
	gpu/cuda_launcher.cuh gpu/device.cuh gpu/handover.cuh \
	gpu/methods.cuh gpu/part.cuh gpu/pixel.cuh gpu/step.cuh gpu/strip.cuh gpu/wavefront.cuh gpu/work.h
gpu_kernels = gpu/pwed.cu gpu/pwec.cu gpu/bwed.cu gpu/bwec.cu gpu/wavefront.cu
gpu_host = gpu/engine_cuda.cu gpu/cuda_copy.cu gpu/cuda_lane.cu gpu/cuda_launcher.cu \
	gpu/cuda_page.cu gpu/cuda_published.cu
EXTRA_DIST += $(gpu_headers) $(gpu_kernels) $(gpu_host)

if CUDA
noinst_LIBRARIES += gpu/libgpu.a
GPU_LIBS = gpu/libgpu.a $(CUDA_LIBS)
gpu_objects = $(gpu_kernels:.cu=.o) $(gpu_host:.cu=.o)
gpu_libgpu_a_SOURCES = gpu/engine_cuda.h
gpu_libgpu_a_LIBADD = $(gpu_objects)

# Without exceptions and run-time types nothing of the C++ library is needed.
NVCC_FLAGS = -std=c++17 -O3 -lineinfo $(CUDA_GENCODE) \
	-Xcompiler -Wall,-Wextra,-fno-exceptions,-fno-rtti,-fno-threadsafe-statics,-fPIE
$(gpu_objects): %.o: %.cu $(gpu_headers) gpu/engine_cuda.h halftone/arith.h halftone/engine.h
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(NVCC) $(NVCC_FLAGS) -I$(top_srcdir) -c -o $@ $<
CLEANFILES += $(gpu_objects)
else
GPU_LIBS = gpu/libnogpu.a
endif
