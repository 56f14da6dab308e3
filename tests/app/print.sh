#!/bin/bash
# What riptide-printer-app sends to a printer is what a queue of CUPS sends for the same document
# and the same choices, byte for byte, with each driver.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/app/library.sh" || exit 99

page='<< /PageSize [420 595] >> setpagedevice'
text="/Times-Roman findfont 20 scalefont setfont"
make_pdf a5.pdf "$page 0.6 setgray 60 300 200 150 rectfill 0 setgray $text 60 500 moveto (One) show
	0.2 0.5 0.8 setrgbcolor 100 100 90 90 rectfill showpage
	$page 0.3 setgray 60 60 150 300 rectfill showpage
	$page 0.8 setgray 60 60 150 300 rectfill showpage"
make_pdf label.pdf '<< /PageSize [288 432] >> setpagedevice 0.5 setgray 30 30 100 200 rectfill
	0 setgray 30 300 40 40 rectfill showpage'

# DRIVER FILE; what our clients say; what CUPS's say.
cat >cases <<'END'
pcl5 a5.pdf
	media=iso_a5_148x210mm
	media=A5
pcl5 a5.pdf
	media=iso_a5_148x210mm printer-resolution=300dpi sides=two-sided-long-edge
	media=A5 Resolution=300dpi sides=two-sided-long-edge
pcl5 a5.pdf
	media=iso_a4_210x297mm page-ranges=2-3 copies=3 print-scaling=fit
	media=A4 page-ranges=2-3 copies=3 print-scaling=fit
pcl5 a5.pdf
	media=iso_a5_148x210mm media-source=tray-2 halftone-screen=blue-noise toner-save=2
	media=A5 InputSlot=Tray2 halftone-screen=blue-noise toner-save=2
pcl5 a5.pdf
	media=iso_a5_148x210mm print-content-optimize=text page-ranges=1-1
	media=A5 halftone-edges=on page-ranges=1-1
pcl5 a5.pdf
	media=iso_a5_148x210mm print-quality=3 page-ranges=1-1
	media=A5 toner-save=1 Resolution=300dpi page-ranges=1-1
pcl-color a5.pdf
	media=iso_a5_148x210mm print-content-optimize=photo page-ranges=1-1
	media=A5 halftone-screen=blue-noise-colour page-ranges=1-1
pcl-color a5.pdf
	media=iso_a5_148x210mm copies=2
	media=A5 copies=2
pcl-color a5.pdf
	media=iso_a5_148x210mm print-color-mode=monochrome media-type=photographic-glossy
	media=A5 ColorModel=Gray MediaType=Glossy
escp2 a5.pdf
	media=iso_a5_148x210mm page-ranges=1-1
	media=A5 page-ranges=1-1
escp2-photo a5.pdf
	media=iso_a5_148x210mm page-ranges=1-1
	media=A5 page-ranges=1-1
escp a5.pdf
	media=iso_a5_148x210mm orientation-requested=4
	media=A5 orientation-requested=4
zpl-203 label.pdf
	media=oe_4x6-label_4x6in darkness=15
	media=w288h432 Darkness=15
zpl-203 label.pdf
	media=oe_4x6-label_4x6in print-content-optimize=photo
	media=w288h432 halftone-screen=blue-noise
zpl-300 label.pdf
	media=oe_4x6-label_4x6in copies=2
	media=w288h432 copies=2
pwg a5.pdf
	media=iso_a5_148x210mm print-quality=5
	media=A5 Resolution=1200dpi print-quality=5
END

start_app
compare_with_cups

# Pages with options of their own are printed like jobs of theirs: page 2 with another screen, and
# page 3 on both sides of other paper, in two copies of the whole.
add_printer parts pcl5
one=(-o media=iso_a5_148x210mm -o)
for job in page-ranges=1-1 'page-ranges=2-2 -o halftone-screen=blue-noise' \
	'page-ranges=3-3 -o media=iso_a4_210x297mm -o sides=two-sided-long-edge'; do
	read -ra words <<<"$job"
	: >printed-parts
	prints Completed parts a5.pdf "${one[@]}" "${words[@]}"
	cat printed-parts >>expected
done
cat >overrides.test <<END
{
	OPERATION Print-Job
	GROUP operation-attributes-tag
	ATTR charset attributes-charset utf-8
	ATTR language attributes-natural-language en
	ATTR uri printer-uri \$uri
	ATTR name requesting-user-name me
	ATTR mimeMediaType document-format application/pdf
	GROUP job-attributes-tag
	ATTR keyword media iso_a5_148x210mm
	ATTR integer copies 2
	ATTR collection overrides
		{ MEMBER rangeOfInteger pages 2-2 MEMBER keyword halftone-screen blue-noise },
		{ MEMBER rangeOfInteger pages 3-9 MEMBER keyword media iso_a4_210x297mm
			MEMBER keyword sides two-sided-long-edge }
	FILE a5.pdf
	STATUS successful-ok
}
END
: >printed-parts
ended=$(grep -c 'job-impressions-completed' log)
timeout 60 ipptool -t "ipp://localhost:$port/ipp/print/parts" overrides.test >said ||
	complain "a job with overrides is not taken: $(cat said)"
wait_for 60 job_ended
cat expected expected | cmp - printed-parts || complain "the options of pages are not theirs"
stop_app
finish
