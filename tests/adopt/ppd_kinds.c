#include "config.h"

#include "ppd_kinds.h"

#include <stdio.h>
#include <stdlib.h>

#define RESOLUTION(dpi, rest) \
	"*Resolution " #dpi "dpi/" #dpi " DPI: \"<</HWResolution[" #dpi " " #dpi "]" rest \
	">>setpagedevice\"\n"
#define OPEN(option, text, value)                                                       \
	"*OpenUI *" option "/" text ": PickOne\n*OrderDependency: 10 AnySetup *" option \
	"\n*Default" option ": " value "\n"
#define CLOSE(option) "*CloseUI: *" option "\n"
#define ONE_BIT "/cupsBitsPerColor 1/cupsRowCount 0"
#define RASTER(program) "*cupsFilter: \"application/vnd.cups-raster 0 " program "\"\n"
#define FOOMATIC \
	"*cupsFilter: \"application/vnd.cups-postscript 100 foomatic-rip\"\n" \
	"*cupsFilter: \"application/vnd.cups-pdf 0 foomatic-rip\"\n"

/* Laser printers whose resolutions set the bits. */
#define LASER \
	OPEN("Resolution", "Output Resolution", "600dpi") \
	RESOLUTION(300, ONE_BIT "/cupsColorSpace 3") RESOLUTION(600, ONE_BIT "/cupsColorSpace 3") \
	CLOSE("Resolution")

/* Where one option sets the colour space and another one the bits. */
#define INKS \
	"*OpenGroup: General/General\n" \
	OPEN("ColorModel", "Color Mode", "CMYK") \
	"*ColorModel Gray/Grayscale: \"<</cupsColorSpace 3/cupsColorOrder 0>>setpagedevice\"\n" \
	"*ColorModel RGB/Color: \"<</cupsColorSpace 4/cupsColorOrder 1>>setpagedevice\"\n" \
	"*ColorModel CMYK/CMYK: \"<</cupsColorSpace 8/cupsColorOrder 1>>setpagedevice\"\n" \
	CLOSE("ColorModel") \
	OPEN("Resolution", "Resolution", "300dpi") \
	RESOLUTION(150, ONE_BIT) RESOLUTION(300, ONE_BIT) CLOSE("Resolution") \
	"*CloseGroup: General\n"

const struct ppd_kind ppd_kinds[] = {
	{ "laserjet", RASTER("rastertohp") "*cupsModelNumber: 0\n", LASER, RIP_ADOPTION_YES,
	  "rastertohp", "laser", NULL },
	{ "deskjet", RASTER("rastertohp") "*cupsModelNumber: 2\n", INKS, RIP_ADOPTION_YES,
	  "rastertohp", "inkjet", NULL },
	{ "escp-24-pin", RASTER("rastertoepson") "*cupsModelNumber: 1\n", LASER, RIP_ADOPTION_YES,
	  "rastertoepson", NULL, NULL },
	{ "label", RASTER("rastertolabel") "*cupsModelNumber: 18\n",
	  OPEN("Resolution", "Resolution",
	       "203dpi") "*Resolution 203dpi/203 DPI: \"\n<<\n\t/HWResolution[203 203]\n"
			 "\t/cupsBitsPerColor 1\n"
			 "\t/cupsColorSpace\t3\n>>setpagedevice\n\"\n*End\n" CLOSE("Resolution"),
	  RIP_ADOPTION_YES, "rastertolabel", "thermal", NULL },
	{ "brlaser", "*cupsFilter: \"application/vnd.cups-raster 33 rastertobrlaser\"\n", LASER,
	  RIP_ADOPTION_YES, "rastertobrlaser", "laser", NULL },
	{ "qpdl-color", RASTER("rastertoqpdl"), INKS, RIP_ADOPTION_YES, "rastertoqpdl", "laser",
	  NULL },
	{ "pstoqpdl", "*cupsFilter: \"application/vnd.cups-postscript 0 pstoqpdl\"\n", INKS,
	  RIP_ADOPTION_NO, "pstoqpdl", NULL, NULL },
	{ "sag-gdi", RASTER("rastertosag-gdi"), LASER, RIP_ADOPTION_YES, "rastertosag-gdi", "laser",
	  NULL },
	{ "hpcups-mono", RASTER("hpcups") "*hpPrinterLanguage: \"ljmono\"\n",
	  OPEN("ColorModel", "Output Mode", "Gray") "*ColorModel Gray/Grayscale: "
						    "\"<</cupsColorSpace 3/cupsBitsPerColor "
						    "1/cupsString0(G)>>setpagedevice\"\n" CLOSE(
		  "ColorModel"),
	  RIP_ADOPTION_YES, "hpcups", "laser", NULL },
	{ "hpcups-mixed", RASTER("hpcups") "*hpPrinterLanguage: \"ljcolor\"\n",
	  OPEN("ColorModel", "Output Mode",
	       "RGB") "*ColorModel RGB/Color: \"<</cupsColorSpace 17/cupsBitsPerColor "
		      "8>>setpagedevice\"\n"
		      "*ColorModel Gray/Gray: \"<</cupsColorSpace 3/cupsBitsPerColor "
		      "1>>setpagedevice\"\n" CLOSE(
			      "ColorModel"),
	  RIP_ADOPTION_PARTLY, "hpcups", "laser", "K" },
	{ "hpcups-business-inkjet", RASTER("hpcups") "*hpPrinterLanguage: \"ljcolor\"\n",
	  OPEN("ColorModel", "Output Mode", "Gray") "*ColorModel Gray/Grayscale: "
						    "\"<</cupsColorSpace 3/cupsBitsPerColor "
						    "1>>setpagedevice\"\n" CLOSE(
		  "ColorModel"),
	  RIP_ADOPTION_YES, "hpcups", "inkjet", NULL },
	{ "hpcups-contone", RASTER("hpcups") "*hpPrinterLanguage: \"pcl3gui2\"\n",
	  OPEN("ColorModel", "Output Mode",
	       "RGB") "*ColorModel RGB/Color: \"<</cupsColorSpace 1/cupsBitsPerColor "
		      "8>>setpagedevice\"\n"
		      "*ColorModel KGray/Black: \"<</cupsColorSpace 1/cupsBitsPerColor "
		      "8>>setpagedevice\"\n" CLOSE(
			      "ColorModel"),
	  RIP_ADOPTION_NO, "hpcups", "inkjet", NULL },
	{ "dymo", RASTER("raster2dymolw"),
	  OPEN("Resolution", "Resolution", "300dpi") RESOLUTION(300, "") CLOSE("Resolution") OPEN(
		  "DymoHalftoning", "Halftoning",
		  "NLL") "*DymoHalftoning Default/Default: "
			 "\"<</cupsColorSpace 3/cupsBitsPerColor 1/cupsBitsPerPixel "
			 "1>>setpagedevice\"\n"
			 "*DymoHalftoning NLL/Nonlinear: \"<</cupsColorSpace 1/cupsBitsPerColor "
			 "8>>setpagedevice\"\n" CLOSE(
				 "DymoHalftoning"),
	  RIP_ADOPTION_PARTLY, "raster2dymolw", "thermal", NULL },
	{ "two-languages", RASTER("rastertobrlaser") "*cupsLanguages: \"de fr_CA ja\"\n",
	  LASER
	  "*de.Translation Resolution/Aufl\xc3\xb6sung: \"\"\n*fr_CA.Translation Resolution/R: "
	  "\"\"\n"
	  "*ja.Translation Resolution/R: \"\"\n",
	  RIP_ADOPTION_YES, "rastertobrlaser", "laser", NULL },
	{ "own-halftone", RASTER("rastertoqpdl"),
	  LASER OPEN(
		  "Halftone", "Halftone",
		  "Fine") "*Halftone Fine/Fine: \"\"\n*Halftone Coarse/C: \"\"\n" CLOSE("Halftone"),
	  RIP_ADOPTION_YES, "rastertoqpdl", "laser", NULL },
	{ "filter-2",
	  "*cupsFilter2: \"application/vnd.cups-raster application/x-q 0 rastertoqpdl\"\n", LASER,
	  RIP_ADOPTION_YES, "rastertoqpdl", "laser", NULL },
	{ "both-filters",
	  RASTER("rastertoqpdl") "*cupsFilter2: \"application/vnd.cups-postscript "
				 "application/x-ps 9 -\"\n"
				 "*cupsFilter2: \"application/vnd.cups-raster application/x-q 7 "
				 "rastertoqpdl\"\n",
	  LASER, RIP_ADOPTION_YES, "rastertoqpdl", "laser", NULL },
	{ "other-filter-2",
	  RASTER("rastertoqpdl") "*cupsFilter2: \"application/vnd.cups-postscript "
				 "application/x-ps 9 -\"\n",
	  LASER, RIP_ADOPTION_YES, "rastertoqpdl", "laser", NULL },
	{ "escpr", RASTER("epson-escpr-wrapper"), LASER, RIP_ADOPTION_NO, "epson-escpr-wrapper",
	  NULL, NULL },
	{ "gutenprint", RASTER("rastertogutenprint.5.3"), LASER, RIP_ADOPTION_NO,
	  "rastertogutenprint.5.3", NULL, NULL },
	{ "c2esp", RASTER("/usr/lib/cups/filter/c2esp"), LASER, RIP_ADOPTION_NO, "c2esp", NULL,
	  NULL },
	{ "escpx", RASTER("rastertoescpx"), LASER, RIP_ADOPTION_NO, "rastertoescpx", NULL, NULL },
	{ "pclx", RASTER("rastertopclx"), LASER, RIP_ADOPTION_NO, "rastertopclx", NULL, NULL },
	{ "foomatic-gs", FOOMATIC "*FoomaticIDs: Some-Printer ljet4\n", LASER, RIP_ADOPTION_NO,
	  "foomatic-rip: ljet4", NULL, NULL },
	{ "foo2zjs",
	  FOOMATIC
	  "*driverName foo2zjs: \"\"\n"
	  "*CustomPageSize True: \"pop pop pop pop pop\n%% FoomaticRIPOptionSetting: "
	  "PageSize=Custom\"\n*End\n",
	  OPEN("Resolution", "Resolution",
	       "600x600dpi") "*Resolution 1200x600dpi/Fine: \"%% FoomaticRIPOptionSetting: "
			     "Resolution=1200x600dpi\"\n"
			     "*FoomaticRIPOptionSetting Resolution=1200x600dpi: \"-r1200x600 \"\n"
			     "*Resolution 600x600dpi/600: \"%% FoomaticRIPOptionSetting: "
			     "Resolution=600x600dpi\"\n" CLOSE(
				     "Resolution")
				     OPEN("ColorMode", "Color",
					  "Monochrome") "*ColorMode Color/Color: \"%% "
							"FoomaticRIPOptionSetting: "
							"ColorMode=Color\"\n"
							"*FoomaticRIPOptionSetting "
							"ColorMode=Color: \"-c \"\n"
							"*ColorMode Monochrome/Black: \"%% "
							"FoomaticRIPOptionSetting: "
							"ColorMode=Monochrome\"\n"
							"*FoomaticRIPOptionSetting "
							"ColorMode=Monochrome: \" \"\n" CLOSE(
								"ColorMode"),
	  RIP_ADOPTION_YES, "foomatic-rip: foo2zjs", "laser", NULL },
	{ "ptouch", FOOMATIC "*FoomaticIDs: Some-Printer ptouch-pt\n",
	  "*FoomaticRIPOption Resolution: enum CmdLine A 100\n"
	  "*FoomaticRIPOptionSetting Resolution=180dpi: \" -r180x180\"\n",
	  RIP_ADOPTION_YES, "foomatic-rip: ptouch-pt", "thermal", NULL },
	{ "foomatic-filter-2",
	  "*cupsFilter2: \"application/vnd.cups-postscript application/x-q 0 foomatic-rip\"\n"
	  "*driverName foo2zjs: \"\"\n",
	  LASER, RIP_ADOPTION_NO, "foomatic-rip: foo2zjs", "laser", NULL },
	{ "postscript", "", LASER, RIP_ADOPTION_NO, "", NULL, NULL },
	{ "raster-to-printer", RASTER("-"), LASER, RIP_ADOPTION_NO, "-", NULL, NULL },
	{ "ours", RASTER("rastertoriptide"), LASER, RIP_ADOPTION_NO, "rastertoriptide", NULL,
	  NULL },
	{ "not-known", RASTER("rastertofoo"), LASER, RIP_ADOPTION_UNKNOWN, "rastertofoo", NULL,
	  NULL },
	{ "no-bits", RASTER("rastertofoo"),
	  "*OpenUI *Tray/Tray: PickOne\n*DefaultTray: A\n*Tray A/A: \"\"\n" CLOSE("Tray"),
	  RIP_ADOPTION_NO, "rastertofoo", NULL, NULL },
	{ "same-space", RASTER("rastertobrlaser"),
	  OPEN("Mode", "Mode",
	       "A") "*Mode A/A: \"<</cupsColorSpace 3/cupsBitsPerColor 1>>setpagedevice\"\n"
		    "*Mode B/B: \"<</cupsColorSpace 3/cupsBitsPerColor 8>>setpagedevice\"\n" CLOSE(
			    "Mode"),
	  RIP_ADOPTION_NO, "rastertobrlaser", "laser", NULL },
	{ "bits-for-both", RASTER("rastertobrlaser"),
	  OPEN("ColorModel", "Color",
	       "K") "*ColorModel K/K: \"<</cupsColorSpace 3>>setpagedevice\"\n"
		    "*ColorModel RGB/RGB: \"<</cupsColorSpace 1>>setpagedevice\"\n" CLOSE(
			    "ColorModel") OPEN("Resolution", "Resolution", "300dpi")
			    RESOLUTION(300, ONE_BIT) CLOSE("Resolution"),
	  RIP_ADOPTION_NO, "rastertobrlaser", "laser", NULL },
	{ "prefilter",
	  RASTER("rastertobrlaser") "*cupsPreFilter: \"application/vnd.cups-raster 0 "
				    "rastertobar\"\n",
	  LASER, RIP_ADOPTION_NO, "rastertobrlaser", "laser", NULL },
	{ "our-prefilter",
	  RASTER("rastertohp") "*cupsPreFilter: \"application/vnd.cups-raster 0 rastertoriptide\"\n"
			       "*riptideNextFilter: \"rastertohp\"\n",
	  LASER, RIP_ADOPTION_NO, "rastertohp", NULL, NULL },
	{ "next-filter", "*RiptideNextFilter: \"/usr/bin/timeout\"\n" RASTER("rastertohp"), LASER,
	  RIP_ADOPTION_NO, "rastertohp", NULL, NULL },
	{ "our-filter", RASTER("/usr/lib/cups/filter/rastertoriptide"), LASER, RIP_ADOPTION_NO,
	  "rastertoriptide", NULL, NULL },
	{ "two-filters", RASTER("rastertobrlaser") RASTER("rastertohp"), LASER, RIP_ADOPTION_NO,
	  "rastertobrlaser", "laser", NULL },
};

const unsigned ppd_kind_count = sizeof ppd_kinds / sizeof *ppd_kinds;

char *ppd_kind_text(const struct ppd_kind *kind)
{
	return ppd_kind_text_in(kind, "English", "ISOLatin1");
}

char *ppd_kind_text_in(const struct ppd_kind *kind, const char *language, const char *encoding)
{
	char *text = NULL;

	if (asprintf(
		    &text,
		    "*PPD-Adobe: \"4.3\"\n"
		    "*%% A printer that there is not: %s.\n"
		    "*FormatVersion: \"4.3\"\n*FileVersion: \"1.0\"\n"
		    "*LanguageVersion: %s\n*LanguageEncoding: %s\n"
		    "*PCFileName: \"KIND.PPD\"\n*Product: \"(Kind)\"\n*PSVersion: \"(3010.000) "
		    "0\"\n"
		    "*Manufacturer: \"Kind\"\n*ModelName: \"Kind %s\"\n*ShortNickName: \"Kind "
		    "%s\"\n"
		    "*NickName: \"Kind %s, v1\"\n*cupsVersion: 2.3\n*ColorDevice: False\n"
		    "*DefaultColorSpace: Gray\n*FileSystem: False\n*LanguageLevel: \"3\"\n"
		    "*LandscapeOrientation: Plus90\n*TTRasterizer: Type42\n%s"
		    "*OpenUI *PageSize/Page Size: PickOne\n*OrderDependency: 10 AnySetup "
		    "*PageSize\n"
		    "*DefaultPageSize: A4\n"
		    "*PageSize A4/A4: \"<</PageSize[595 842]/ImagingBBox null>>setpagedevice\"\n"
		    "*PageSize Letter/US Letter: \"<</PageSize[612 792]/ImagingBBox "
		    "null>>setpagedevice\"\n"
		    "*CloseUI: *PageSize\n"
		    "*OpenUI *PageRegion/Page Region: PickOne\n*OrderDependency: 10 AnySetup "
		    "*PageRegion\n"
		    "*DefaultPageRegion: A4\n"
		    "*PageRegion A4/A4: \"<</PageSize[595 842]/ImagingBBox null>>setpagedevice\"\n"
		    "*PageRegion Letter/US Letter: \"<</PageSize[612 792]/ImagingBBox "
		    "null>>setpagedevice\"\n"
		    "*CloseUI: *PageRegion\n"
		    "*DefaultImageableArea: A4\n*ImageableArea A4/A4: \"18 12 577 830\"\n"
		    "*ImageableArea Letter/US Letter: \"18 12 594 780\"\n"
		    "*DefaultPaperDimension: A4\n*PaperDimension A4/A4: \"595 842\"\n"
		    "*PaperDimension Letter/US Letter: \"612 792\"\n%s"
		    "*DefaultFont: Courier\n*Font Courier: Standard \"(1.05)\" Standard ROM\n"
		    "*%% End.\n",
		    kind->name, language, encoding, kind->name, kind->name, kind->name, kind->head,
		    kind->options) < 0)
		return NULL;
	return text;
}
