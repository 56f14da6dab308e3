/* What the printer application reads in a PPD, by the rules of libcups 2. */
#include "tests/tools/testing.h"

#include <stdlib.h>
#include <unistd.h>

#include "app/app_ppd.h"

/* With what PPDs have, and ours do not: CR LF, options in no group and for the language's
 * prologue, options of which several choices count, what is built in, defaults with a text, sizes
 * that are none, texts over several lines. */
static const char ppd[] =
	"*PPD-Adobe: \"4.3\"\r\n"
	"*% *OpenUI *Comment/No Option: PickOne\r\n"
	"*ModelName: \"Model\"\r\n*NickName: \"Model, a label printer\"\r\n"
	"*ColorDevice: true\r\n*Throughput: \"12\"\r\n"
	"*cupsFilter2: \"application/pdf image/pwg-raster 0 other\"\r\n"
	"*cupsFilter2: \"application/pdf application/x-dots 10 pdftoriptide\"\r\n"
	"*DefaultPageSize: A5/Half of A4\r\n"
	"*OpenUI *PageSize/Media: PickOne\r\n"
	"*PageSize A4/A4: \"<</PageSize[595 842]\r\n/ImagingBBox null>>setpagedevice\"\r\n*End\r\n"
	"*PageSize A5: \"\"\r\n*PageSize Roll/No Size: \"\"\r\n*PageSize Flat: \"\"\r\n"
	"*CloseUI: *PageSize\r\n"
	"*PaperDimension A4/A4: \"595 842\"\r\n*PaperDimension A5/A5: \"420 595\"\r\n"
	"*PaperDimension Flat: \"0 595\"\r\n"
	"*ImageableArea A4: \"0 0 595 842\"\r\n*ImageableArea A5: \"18 36.5 411 560\"\r\n"
	"*CustomPageSize True: \"pop\"\r\n"
	"*OpenUI *Resolution: PickOne\r\n*Resolution 600x300dpi: \"\"\r\n"
	"*Resolution 300dpi: \"\"\r\n*Resolution best: \"\"\r\n*DefaultResolution: 600x300dpi\r\n"
	"*CloseUI: *Resolution\r\n"
	"*OpenUI *ColorModel: PickOne\r\n*DefaultColorModel: RGB\r\n"
	"*ColorModel RGB/Colour: \"\"\r\n*ColorModel Gray/Grey: \"\"\r\n*CloseUI: *ColorModel\r\n"
	"*OpenUI *InputSlot: PickOne\r\n*InputSlot Tray1/Upper: \"\"\r\n"
	"*InputSlot MPTray: \"\"\r\n*InputSlot ManualFeed: \"\"\r\n*DefaultInputSlot: MPTray\r\n"
	"*CloseUI: *InputSlot\r\n"
	"*OpenGroup: InstallableOptions/Built In\r\n"
	"*OpenUI *Option1/Tray: Boolean\r\n*Option1 True: \"\"\r\n*Option1 False: \"\"\r\n"
	"*CloseUI: *Option1\r\n*CloseGroup: InstallableOptions\r\n"
	"*OpenGroup: Other/Other\r\n"
	"*JCLOpenUI *JCLDark/Dark: PickOne\r\n*DefaultJCLDark: Two\r\n"
	"*JCLDark One/1: \"\"\r\n*JCLDark Two/2: \"\"\r\n*JCLCloseUI: *JCLDark\r\n"
	"*OpenUI *Many: PickMany\r\n*Many a: \"\"\r\n*Many b: \"\"\r\n*CloseUI: *Many\r\n"
	"*OpenUI *Single: PickOne\r\n*Single a: \"\"\r\n*Single gr\xfcn: \"\"\r\n"
	"*CloseUI: *Single\r\n"
	"*OpenUI *riptideTonerSave/Save: PickOne\r\n*DefaultriptideTonerSave: 0\r\n"
	"*riptideTonerSave 0: \"\"\r\n*riptideTonerSave 1: \"\"\r\n"
	"*CustomriptideTonerSave True: \"\"\r\n"
	"*CloseUI: *riptideTonerSave\r\n*CloseGroup: Other\r\n";

static struct rip_app_driver *read_text(const char *text, size_t size,
					struct rip_app_ppd_facts *facts, char *why, size_t why_size)
{
	char path[] = "/tmp/test-app-ppd-XXXXXX";
	const int fd = mkstemp(path);
	struct rip_app_driver *driver;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, size), size);
	close(fd);
	driver = rip_app_ppd_read(path, facts, why, why_size);
	unlink(path);
	return driver;
}

/* "NAME=CHOICE ..."; the default has a star. */
static const char *listed(const struct rip_app_choices *choices)
{
	static char text[256];
	int n = 0;

	text[0] = '\0';
	for (int i = 0; i < choices->count; i++)
		n += snprintf(text + n, sizeof text - (size_t)n, "%s%s%s=%s", i ? " " : "",
			      i == choices->preset ? "*" : "", choices->list[i].name,
			      choices->list[i].choice);
	return text;
}

TEST(options_of_a_ppd_are_read)
{
	struct rip_app_ppd_facts facts;
	char why[256];
	struct rip_app_driver *driver = read_text(ppd, sizeof ppd - 1, &facts, why, sizeof why);

	if (!driver)
		fail_msg("%s", why);
	assert_string_equal(facts.model, "Model, a label printer");
	assert_true(facts.colour && facts.label);
	assert_int_equal(facts.ppm, 12);
	/* 18 points on the left, 36.5 at the bottom */
	assert_int_equal(facts.left_right, 635);
	assert_int_equal(facts.bottom_top, 1288);
	assert_string_equal(driver->final, "application/x-dots");
	assert_string_equal(listed(&driver->media),
			    "iso_a4_210x297mm=A4 *iso_a5_148x210mm=A5");
	assert_string_equal(listed(&driver->resolutions),
			    "300dpi=300dpi *600x300dpi=600x300dpi");
	assert_string_equal(listed(&driver->colours), "*rgb=RGB gray=Gray");
	assert_int_equal(driver->mono, 1);
	assert_string_equal(listed(&driver->sources),
			    "tray-1=Tray1 *by-pass-tray=MPTray manual-feed=ManualFeed");
	assert_int_equal(driver->types.count, 0);
	assert_int_equal(driver->option_count, 2);
	assert_string_equal(driver->options[0].name, "jcldark");
	assert_string_equal(listed(&driver->options[0].choices), "one=One *two=Two");
	assert_string_equal(driver->options[1].name, "toner-save");
	assert_string_equal(listed(&driver->options[1].choices), "*0=0 1=1");
	rip_app_ppd_free(driver);
}

/* As CUPS reads it: in the encoding that the PPD names, and in Latin 1 without one. */
TEST(names_become_utf_8)
{
	static const struct {
		const char *encoding, *name, *model;
	} cases[] = {
		{ "", "Ger\xe4t", "Ger\xc3\xa4t" },
		{ "*LanguageEncoding: ISOLatin1\n", "Ger\xe4t", "Ger\xc3\xa4t" },
		{ "*LanguageEncoding: ISOLatin2\n", "\xb3", "\xc5\x82" },
		{ "*LanguageEncoding: WindowsANSI\n", "\x80", "\xe2\x82\xac" },
		{ "*LanguageEncoding: MacStandard\n", "\x8a", "\xc3\xa4" },
		{ "*LanguageEncoding: UTF-8\n", "Ger\xc3\xa4t", "Ger\xc3\xa4t" },
		{ "*LanguageEncoding: UTF-8\n", "Ger\xe4t", "Ger\xc3\xa4t" }, /* it is not */
		{ "*LanguageEncoding: None\n", "Printer", "Printer" },
	};
	struct rip_app_ppd_facts facts;
	char text[sizeof ppd + 512], name[200], why[256];
	struct rip_app_driver *driver;
	int n;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		n = snprintf(text, sizeof text, "*PPD-Adobe: \"4.3\"\n%s*NickName: \"%s\"\n%s",
			     cases[i].encoding, cases[i].name, ppd);
		driver = read_text(text, (size_t)n, &facts, why, sizeof why);
		assert_non_null(driver);
		assert_string_equal(facts.model, cases[i].model);
		rip_app_ppd_free(driver);
	}
	/* What is too long ends with a whole letter, in each encoding. */
	for (size_t i = 0; i < 2; i++) {
		memset(name, 'x', sizeof name);
		memcpy(name + 126, i ? "\xc3\xa4" : "\xe4\xe4", 2);
		n = snprintf(text, sizeof text, "*PPD-Adobe: \"4.3\"\n%s*NickName: \"%.190s\"\n%s",
			     cases[i ? 5 : 1].encoding, name, ppd);
		driver = read_text(text, (size_t)n, &facts, why, sizeof why);
		assert_non_null(driver);
		assert_int_equal(strlen(facts.model), 126);
		rip_app_ppd_free(driver);
	}
}

TEST(what_is_no_ppd_is_named)
{
	static const char sizes[] = "*PPD-Adobe: \"4.3\"\n*OpenUI *PageSize: PickOne\n";
	struct rip_app_ppd_facts facts;
	char why[256];

	assert_null(read_text("", 0, &facts, why, sizeof why));
	assert_non_null(strstr(why, "the file is empty"));
	assert_null(read_text("no PPD\n", 7, &facts, why, sizeof why));
	assert_non_null(strstr(why, "/tmp/test-app-ppd-"));
	assert_null(read_text(sizes, sizeof sizes - 1, &facts, why, sizeof why));
	assert_non_null(strstr(why, "page sizes"));
	/* wherever it ends, it is read or refused */
	for (size_t n = 0; n < sizeof ppd - 1; n += 7)
		rip_app_ppd_free(read_text(ppd, n, &facts, why, sizeof why));
	assert_null(rip_app_ppd_read("/nonexistent.ppd", &facts, why, sizeof why));
	assert_non_null(strstr(why, "No such file"));
}
