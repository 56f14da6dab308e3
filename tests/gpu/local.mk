# The GPU's kernels, compiled as C++, without sanitizers; their threads run as fibers.
if HAVE_CXX17
once_tests += tests/gpu/gpu-emulated tests/gpu/gpu-emulated-ring tests/gpu/gpu-engine-emulated.sh \
	tests/gpu/gpu-mutant
once_programs += tests/gpu/gpu-emulated tests/gpu/gpu-emulated-ring tests/gpu/gpu-check-emulated \
	tests/gpu/gpu-check-production tests/gpu/gpu-mutant
TESTS += tests/gpu/gpu-emulated
check_PROGRAMS += tests/gpu/gpu-emulated
tests_gpu_gpu_emulated_SOURCES = tests/gpu/gpu-emulated.cc
tests_gpu_gpu_emulated_CXXFLAGS = $(EMULATED_FLAGS)
tests_gpu_gpu_emulated_LDADD = $(emulated_objects) halftone/.libs/libhalftone.a
tests_gpu_gpu_emulated_DEPENDENCIES = $(emulated_objects) halftone/.libs/libhalftone.a
# What kernels include of halftone/.
kernel_headers = halftone/screen/arith.h halftone/screen/blue_noise.h \
	halftone/screen/blue_noise_colour.h halftone/screen/blue_noise_table.h \
	halftone/screen/error_filter.h halftone/screen/screen.h
EMULATED_FLAGS = -std=gnu++17 -O1 -fPIE -DRIP_WAVE_LOOK=16 -Wall -Wextra -Wno-unknown-pragmas \
	-include $(top_srcdir)/tests/gpu/cuda_fibers.hh
emulate = $(AM_V_CXX)$(MKDIR_P) $(@D) && $(CXX) $(AM_CPPFLAGS) $(EMULATED_FLAGS) $(CXXFLAGS) -x \
	c++ -c -o $@ $<
emulated_headers = $(gpu_headers) tests/gpu/cuda_fibers.hh $(kernel_headers)
emulated_host_headers = $(emulated_headers) tests/gpu/cuda_host.hh gpu/engine_cuda.h \
	halftone/engine.h
published_objects = tests/gpu/emulated-published/pwed.o tests/gpu/emulated-published/pwec.o \
	tests/gpu/emulated-published/bwed.o tests/gpu/emulated-published/bwec.o
emulated_objects = $(published_objects) tests/gpu/emulated-wavefront.o tests/gpu/emulated-gather.o \
	tests/gpu/emulated-scan.o
$(emulated_objects): tests/gpu/emulated-%.o: gpu/%.cu $(emulated_headers)
	$(emulate) -DRIP_WAVE_RING=128
CLEANFILES += $(emulated_objects)

# The wavefront with larger rings: in the smallest ones every place is in use.
TESTS += tests/gpu/gpu-emulated-ring
check_PROGRAMS += tests/gpu/gpu-emulated-ring
tests_gpu_gpu_emulated_ring_SOURCES = tests/gpu/gpu-emulated.cc
tests_gpu_gpu_emulated_ring_CXXFLAGS = $(EMULATED_FLAGS) -DONLY_WAVEFRONT
ring_objects = $(published_objects) tests/gpu/ring-wavefront.o
tests_gpu_gpu_emulated_ring_LDADD = $(ring_objects) halftone/.libs/libhalftone.a
tests_gpu_gpu_emulated_ring_DEPENDENCIES = $(ring_objects) halftone/.libs/libhalftone.a
tests/gpu/ring-wavefront.o: gpu/wavefront.cu $(emulated_headers)
	$(emulate) -DRIP_WAVE_RING=256
CLEANFILES += tests/gpu/ring-wavefront.o

# The engines with their host side, on an emulated GPU.
gpu_check = tests/gpu/gpu-check.c tests/gpu/check_image.c tests/gpu/check_image.h
TESTS += tests/gpu/gpu-engine-emulated.sh
check_PROGRAMS += tests/gpu/gpu-check-emulated
tests_gpu_gpu_check_emulated_SOURCES = $(gpu_check)
tests_gpu_gpu_check_emulated_LDADD = $(emulated_host) $(emulated_objects) halftone/.libs/libhalftone.a
tests_gpu_gpu_check_emulated_DEPENDENCIES = $(emulated_host) $(emulated_objects) \
	halftone/.libs/libhalftone.a
tests_gpu_gpu_check_emulated_LINK = $(CXXLINK)
emulated_host = $(gpu_host:gpu/%.cu=tests/gpu/emulated-%.o)
$(emulated_host): tests/gpu/emulated-%.o: gpu/%.cu $(emulated_host_headers)
	$(emulate) -include $(top_srcdir)/tests/gpu/cuda_host.hh -DRIP_WAVE_RING=128 -DRIP_FORCED_FAILURES
CLEANFILES += $(emulated_host)

# The same as a production build has it: nothing can force it to fail.
check_PROGRAMS += tests/gpu/gpu-check-production
tests_gpu_gpu_check_production_SOURCES = $(gpu_check)
production_objects = $(subst emulated-cuda_device,production-cuda_device,$(emulated_host)) \
	$(emulated_objects)
tests_gpu_gpu_check_production_LDADD = $(production_objects) halftone/.libs/libhalftone.a
tests_gpu_gpu_check_production_DEPENDENCIES = $(production_objects) halftone/.libs/libhalftone.a
tests_gpu_gpu_check_production_LINK = $(tests_gpu_gpu_check_emulated_LINK)
tests/gpu/production-cuda_device.o: gpu/cuda_device.cu $(emulated_host_headers)
	$(emulate) -include $(top_srcdir)/tests/gpu/cuda_host.hh
CLEANFILES += tests/gpu/production-cuda_device.o

# The wavefront without tickets: blocks that run wait for blocks that do not.  It must fail.
TESTS += tests/gpu/gpu-mutant
XFAIL_TESTS += tests/gpu/gpu-mutant
check_PROGRAMS += tests/gpu/gpu-mutant
tests_gpu_gpu_mutant_SOURCES = tests/gpu/gpu-emulated.cc
tests_gpu_gpu_mutant_CXXFLAGS = $(EMULATED_FLAGS) -DONLY_WAVEFRONT
tests_gpu_gpu_mutant_LDADD = $(mutant_objects) halftone/.libs/libhalftone.a
tests_gpu_gpu_mutant_DEPENDENCIES = $(mutant_objects) halftone/.libs/libhalftone.a
mutant_objects = $(published_objects) tests/gpu/mutant-wavefront.o
tests/gpu/mutant-wavefront.cu: gpu/wavefront.cu
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
		$(SED) 's,atomicAdd(launch.ticket\, 1u),launch.first + blockIdx.x / launch.cluster,' $< >$@ && ! cmp -s $< $@
tests/gpu/mutant-wavefront.o: tests/gpu/mutant-wavefront.cu $(emulated_headers)
	$(emulate) -O0 -I$(top_srcdir)/gpu -DRIP_WAVE_RING=128 # it soon fails; -O1 takes long to compile
CLEANFILES += tests/gpu/mutant-wavefront.cu tests/gpu/mutant-wavefront.o
endif
EXTRA_DIST += tests/gpu/cuda_fibers.hh tests/gpu/gpu-emulated.cc tests/gpu/gpu-engine-emulated.sh \
	tests/gpu/cuda_host.hh

# For machines with a GPU: see tests/gpu/check-gpu.
EXTRA_DIST += tests/gpu/check-gpu tests/gpu/gpu-check.c tests/gpu/check_image.c \
	tests/gpu/check_image.h tests/gpu/gpu-bench.cu \
	tests/gpu/gpu-throughput.cu tests/gpu/gpu-ring.cu tests/gpu/gpu_timing.hh \
	tests/gpu/gpu-hazards \
	tests/gpu/gpu-product
check-gpu:
	NVCC='$(NVCC)' CC='$(CC)' $(srcdir)/tests/gpu/check-gpu
.PHONY: check-gpu
