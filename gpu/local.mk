# For programs that never use a GPU, such as the filter and most tests, libnogpu.la has the same
# functions: they report that there is no device.  It saves 20 MB of machine code.
noinst_LTLIBRARIES += gpu/libnogpu.la
gpu/.libs/libnogpu.a: gpu/libnogpu.la ;
gpu_libnogpu_la_SOURCES = gpu/engine_cuda.h gpu/engine_none.c

gpu_headers = gpu/published/block.cuh gpu/colour.cuh gpu/colour_clerk.cuh gpu/colour_relay.cuh \
	gpu/colour_stage.cuh gpu/cuda_device.cuh gpu/cuda_page.cuh gpu/cuda_transfer.cuh \
	gpu/cuda_workspace.cuh gpu/gather.cuh gpu/group.cuh gpu/handover.cuh gpu/intrinsics.cuh gpu/published/pixel.cuh \
	gpu/published/published.cuh gpu/published/published_engine.cuh gpu/rule_blue.cuh gpu/rule_filter.cuh \
	gpu/rule_floyd.cuh gpu/scan.cuh gpu/slice.cuh gpu/step.cuh gpu/task.h \
	gpu/wavefront.cuh gpu/wavefront_engine.cuh gpu/wavefront_launcher.cuh
gpu_kernels = gpu/published/pwed.cu gpu/published/pwec.cu gpu/published/bwed.cu gpu/published/bwec.cu gpu/gather.cu \
	gpu/scan.cu gpu/wavefront.cu
gpu_host = gpu/engine_cuda.cu gpu/cuda_device.cu gpu/cuda_page.cu gpu/cuda_transfer.cu \
	gpu/cuda_workspace.cu gpu/published/published_engine.cu gpu/wavefront_engine.cu \
	gpu/wavefront_launcher.cu
EXTRA_DIST += $(gpu_headers) $(gpu_kernels) $(gpu_host)

if CUDA
noinst_LIBRARIES += gpu/libgpu.a
GPU_LIBS = gpu/libgpu.a $(CUDA_LIBS)
gpu_objects = $(gpu_kernels:.cu=.o) $(gpu_host:.cu=.o)
gpu_libgpu_a_SOURCES = gpu/engine_cuda.h
gpu_libgpu_a_LIBADD = $(gpu_objects)

# Without exceptions and run-time types the C++ library is not needed.
NVCC_FLAGS = -std=c++17 -O3 -lineinfo $(CUDA_GENCODE) $(FORCED_FAILURES) \
	-Xcompiler -Wall,-Wextra,-fno-exceptions,-fno-rtti,-fno-threadsafe-statics,-fPIE \
	$(HARDENING_CFLAGS:%=-Xcompiler %)
$(gpu_objects): %.o: %.cu $(gpu_headers) gpu/engine_cuda.h halftone/screen/arith.h halftone/engine.h \
		halftone/screen/blue_noise.h halftone/screen/blue_noise_colour.h halftone/screen/blue_noise_table.h halftone/screen/error_filter.h \
		halftone/screen/screen.h
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(NVCC) $(NVCC_FLAGS) -I$(top_srcdir) -c -o $@ $<
CLEANFILES += $(gpu_objects)
else
GPU_LIBS = gpu/.libs/libnogpu.a
endif
