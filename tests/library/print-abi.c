/* Prints the sizes and offsets of riptide.h's structs, and its constants. */
#include <stdio.h>

#include "lib/riptide.h"

#define SIZE(type) printf("struct %s %zu\n", #type, sizeof(struct type))
#define FIELD(type, field) \
	printf("  %s at %zu, %zu bytes\n", #field, offsetof(struct type, field), \
	       sizeof(((struct type *)0)->field))
#define VALUE(name) printf("%s %ld\n", #name, (long)name)

int main(void)
{
	SIZE(riptide_config);
	FIELD(riptide_config, size);
	FIELD(riptide_config, socket);
	FIELD(riptide_config, queue);
	FIELD(riptide_config, job);
	FIELD(riptide_config, threads);
	FIELD(riptide_config, method);
	FIELD(riptide_config, isa);
	FIELD(riptide_config, flags);
	FIELD(riptide_config, device);
	FIELD(riptide_config, log);
	FIELD(riptide_config, context);
	SIZE(riptide_page);
	FIELD(riptide_page, size);
	FIELD(riptide_page, width);
	FIELD(riptide_page, height);
	FIELD(riptide_page, planes);
	FIELD(riptide_page, sample_bits);
	FIELD(riptide_page, levels);
	FIELD(riptide_page, light);
	FIELD(riptide_page, x_dpi);
	FIELD(riptide_page, y_dpi);
	FIELD(riptide_page, inks);
	FIELD(riptide_page, screen);
	FIELD(riptide_page, curves);
	FIELD(riptide_page, preset);
	FIELD(riptide_page, calibration);
	FIELD(riptide_page, target);
	FIELD(riptide_page, density);
	FIELD(riptide_page, gamma);
	FIELD(riptide_page, flags);
	FIELD(riptide_page, number);
	FIELD(riptide_page, band_rows);
	FIELD(riptide_page, method);
	FIELD(riptide_page, registration);
	SIZE(riptide_stream);
	FIELD(riptide_stream, size);
	FIELD(riptide_stream, flags);
	FIELD(riptide_stream, read);
	FIELD(riptide_stream, write);
	FIELD(riptide_stream, progress);
	FIELD(riptide_stream, context);
	FIELD(riptide_stream, read_pixels);
	FIELD(riptide_stream, pitch);
	FIELD(riptide_stream, step);
	FIELD(riptide_stream, ink_limit);
	VALUE(RIPTIDE_PLANES_MAX);
	VALUE(RIPTIDE_LEVELS_MAX);
	VALUE(RIPTIDE_WIDTH_MAX);
	VALUE(RIPTIDE_DPI_MAX);
	VALUE(RIPTIDE_REGISTRATION_MAX);
	VALUE(RIPTIDE_REQUIRE_DAEMON);
	VALUE(RIPTIDE_REQUIRE_GPU);
	VALUE(RIPTIDE_OVERLAP);
	VALUE(RIPTIDE_START_ZERO);
	VALUE(RIPTIDE_PLANAR);
	VALUE(RIPTIDE_FINE_EDGES);
	VALUE(RIPTIDE_LOG_DEBUG);
	VALUE(RIPTIDE_LOG_INFO);
	VALUE(RIPTIDE_LOG_WARNING);
	VALUE(RIPTIDE_LOG_ERROR);
	return 0;
}
