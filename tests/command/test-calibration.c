/* Calibrations: what a page prints with the model that was fitted to a chart. */
#include "tests/tools/testing.h"

#include <math.h>

#include "command/measure/calibrate.h"
#include "command/queue_ppd.h"
#include "tone/plane_curve.h"
#include "tone/preset.h"

/* A printer with drops of three sizes is measured on one screen.  The curve for another one, which
 * the filter makes by the model and with the same drops, prints the target. */
TEST(model_has_the_drops)
{
	static struct rip_cal cal;
	static uint16_t curve[256];
	AUTO(rip_calibration_finish) struct rip_calibration calibration = {
		.preset = "inkjet-360", .screen = "blue-noise", .dpi = 600, .levels = 4,
	};
	const struct rip_pattern *measured = rip_pattern_find("blue-noise");
	const struct rip_pattern *printed = rip_pattern_find("blue-noise-mask");
	struct rip_printer truth, none;
	struct rip_calibration_ink *ink = rip_calibration_ink(&calibration, "K");
	struct rip_steps *steps = rip_calibration_add_steps(&calibration, ink, "blue-noise");
	struct rip_plane_wish wish = {
		.gamma = 1, .density = 1, .target = RIP_TARGET_PRINT, .printer = &none, .cal = &cal,
		.ink = RIP_INK_BLACK, .pattern = printed, .levels = 4, .dpi = 600,
	};
	double worst = 0;

	assert_true(rip_printer_preset(&truth, "inkjet-360", 600) &&
		    rip_printer_preset(&none, "none", 600));
	assert_true(rip_drops_parse(&truth.drops, "10%,35%,100%"));
	none.drops = calibration.drops = truth.drops;
	for (int i = 0; i <= 32; i++)
		rip_steps_add(steps, i / 32., rip_area_of_tint(&truth, measured, 4, i / 32.));
	assert_int_equal(rip_calibration_fit(&calibration, &cal), 0);
	rip_plane_curve_make(&wish, 256, curve);
	for (int v = 0; v < 256; v++) {
		const double area = rip_area_of_tint(&truth, printed, 4, curve[v] / 65535.);
		const double wanted = rip_target_area(RIP_TARGET_PRINT, v / 255.);

		worst = fmax(worst, fabs(area - wanted));
	}
	print_message("# areas differ by %.4f at most\n", worst);
	assert_true(worst < 0.02);
}

/* The model alone makes the file's column, too, if nothing was measured on its screen. */
TEST(column_has_the_drops)
{
	static struct rip_cal cal;
	AUTO(rip_calibration_finish) struct rip_calibration calibration = {
		.preset = "inkjet", .screen = "blue-noise", .dpi = 360, .levels = 4,
	};
	char matches[] = "blue-noise-mask:50=30";

	assert_true(rip_drops_parse(&calibration.drops, "10%,35%,100%"));
	assert_int_equal(rip_calibration_add_matches(&calibration, matches), 0);
	assert_int_equal(rip_calibration_fit(&calibration, &cal), 0);
	for (int v = 0; v < RIP_CAL_POINTS; v++) {
		const double area = rip_area_of_tint(&calibration.ink[0]->printer,
						     rip_pattern_find("blue-noise"), 4,
						     cal.ink[0].curve[v] / 65535.);
		const double wanted = v / (RIP_CAL_POINTS - 1.);

		if (fabs(area - wanted) > 0.02)
			fail_msg("point %d prints %.4f, not %.4f", v, area, wanted);
	}
}

/* What calibrate asks a queue for. */
TEST(queue_has_drops)
{
	static const char ppd[] =
		"*PPD-Adobe: \"4.3\"\n*FormatVersion: \"4.3\"\n*FileVersion: \"1.0\"\n"
		"*LanguageVersion: English\n*LanguageEncoding: ISOLatin1\n*PCFileName: \"A.PPD\"\n"
		"*Product: \"(a)\"\n*PSVersion: \"(3010) 0\"\n*Manufacturer: \"A\"\n*ModelName: "
		"\"A\"\n"
		"*ShortNickName: \"A\"\n*NickName: \"A\"\n"
		"*cupsFilter: \"application/vnd.cups-raster 0 rastertoriptide\"\n"
		"*riptideMaxLevels: \"4\"\n"
		"*OpenUI *PageSize/Size: PickOne\n*DefaultPageSize: A4\n*PageSize A4/A4: \"\"\n"
		"*CloseUI: *PageSize\n"
		"*OpenUI *PageRegion/Size: PickOne\n*DefaultPageRegion: A4\n*PageRegion A4/A4: "
		"\"\"\n"
		"*CloseUI: *PageRegion\n"
		"*DefaultImageableArea: A4\n*ImageableArea A4/A4: \"0 0 595 842\"\n"
		"*DefaultPaperDimension: A4\n*PaperDimension A4/A4: \"595 842\"\n"
		"*OpenUI *Resolution/R: PickOne\n*DefaultResolution: 360dpi\n"
		"*Resolution 360dpi/R: \"<</HWResolution[360 360]/cupsBitsPerColor "
		"8/cupsColorSpace 3>>setpagedevice\"\n"
		"*CloseUI: *Resolution\n";
	char path[] = "test-calibration-XXXXXX";
	const int fd = mkstemp(path);
	struct rip_queue_page page;

	assert_true(fd >= 0 && write(fd, ppd, strlen(ppd)) == (ssize_t)strlen(ppd));
	close(fd);
	assert_int_equal(rip_queue_page(NULL, path, "halftone-levels=4 halftone-drops=10%,35%,100%",
					&page),
			 0);
	assert_int_equal(page.levels, 4);
	assert_int_equal(page.x_dpi, 360);
	assert_int_equal(rip_queue_page_check_levels(&page, path, 4), 0);
	assert_int_equal(rip_queue_page_check_levels(&page, path, 5), -EINVAL);
	assert_true(page.drops.count == 3 && page.drops.share[1] == 0.35);
	assert_int_equal(rip_queue_page(NULL, path, "halftone-levels=4", &page), 0);
	assert_int_equal(page.drops.count, 0);
	unlink(path);
}
