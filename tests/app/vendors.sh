#!/bin/bash
# Vendors' drivers, adopted: what riptide-printer-app sends to a printer is what a queue of CUPS
# with the same PPD sends for the same document and the same choices, byte for byte.
# shellcheck source-path=SCRIPTDIR source=library.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/app/library.sh" || exit 99

page='<< /PageSize [420 595] >> setpagedevice'
make_pdf a5.pdf "$page 0.6 setgray 60 300 200 150 rectfill 0 setgray
	/Times-Roman findfont 20 scalefont setfont 60 500 moveto (One) show
	0.2 0.5 0.8 setrgbcolor 100 100 90 90 rectfill showpage
	$page 0.3 setgray 60 60 150 300 rectfill showpage"
make_pdf label.pdf '<< /PageSize [79 252] >> setpagedevice 0.4 setgray 20 20 30 100 rectfill
	0 setgray 20 150 20 20 rectfill showpage'
make_pdf tape.pdf '<< /PageSize [176 82] >> setpagedevice 0.4 setgray 20 20 30 40 rectfill
	0 setgray 120 50 20 20 rectfill showpage'

# vendor NAME FILTER PPD-COMMAND...: NAME.ppd as the vendor has it, and adopted for CUPS; then its
# cases are those of standard input.
vendor()
{
	local name=$1 filter=$2

	shift 2
	if [[ ! -e $filter || ! -x $1 ]] ||
		! env -u CUPS_SERVERBIN "$@" >"$name.ppd" 2>/dev/null || [[ ! -s $name.ppd ]]; then
		rm -f "$name.ppd"
		leave_out "$name: install the package with $filter"
		return
	fi
	does "$riptide" adopt --rip -o "adopted-$name.ppd" "$name.ppd"
	sed "s/^[^[:space:]]/$name &/" >>cases
}

drv=$serverbin/daemon/cups-driverd
vendor brlaser "$serverbin/filter/rastertobrlaser" "$drv" cat drv:///brlaser.drv/br7030.ppd <<'END'
a5.pdf
	media=iso_a5_148x210mm printer-resolution=600dpi halftone-screen=clustered-106
	media=A5 Resolution=600dpi halftone-screen=clustered-106
END
vendor splix "$serverbin/filter/rastertoqpdl" "$drv" cat drv:///splix-samsung.drv/ml2250.ppd <<'END'
a5.pdf
	media=iso_a5_148x210mm sides=two-sided-long-edge toner-density=5 media-source=manual
	media=A5 sides=two-sided-long-edge TonerDensity=5 InputSlot=Manual
END
vendor splix-color "$serverbin/filter/rastertoqpdl" "$drv" cat drv:///splix-xerox.drv/ph6100.ppd \
	<<'END'
a5.pdf
	media=iso_a5_148x210mm printer-resolution=1200x600dpi page-ranges=1-1
	media=A5 Resolution=1200x600dpi page-ranges=1-1
a5.pdf
	media=iso_a5_148x210mm print-color-mode=monochrome
	media=A5 ColorModel=Gray
END
vendor hpcups "$serverbin/filter/hpcups" "$drv" cat drv:///hpcups.drv/hp-laserjet_1200-pcl3.ppd \
	<<'END'
a5.pdf
	media=iso_a5_148x210mm output-mode=best page-ranges=1-1
	media=A5 OutputMode=Best page-ranges=1-1
END
vendor sag-gdi "$serverbin/filter/rastertosag-gdi" "$drv" cat \
	drv:///rastertosag-gdi.drv/rsp1000s.ppd <<'END'
a5.pdf
	media=iso_a6_105x148mm media-type=heavyweight page-ranges=1-1
	media=A6 MediaType=Heavyweight page-ranges=1-1
END
vendor dymo "$serverbin/filter/raster2dymolw" "$serverbin/driver/dymo" cat \
	dymo:0/cups/model/lw400.ppd <<'END'
label.pdf
	media=custom_27.86x88.9mm_27.86x88.9mm dymo-print-density=dark
	media=w79h252 DymoPrintDensity=Dark
END
vendor foo2zjs /usr/bin/foo2zjs-wrapper "$serverbin/driver/foo2zjs" cat \
	foo2zjs:0/ppd/foo2zjs/HP-LaserJet_1020.ppd <<'END'
a5.pdf
	media=iso_a5_148x210mm printer-resolution=600dpi density=density5 copies=2
	media=A5 Resolution=600x600dpi Density=Density5 copies=2
END
vendor foo2qpdl /usr/bin/foo2qpdl-wrapper "$serverbin/driver/foo2zjs" cat \
	foo2zjs:0/ppd/foo2zjs/Samsung-CLP-300.ppd <<'END'
a5.pdf
	media=iso_a5_148x210mm print-color-mode=color printer-resolution=600dpi page-ranges=1-1
	media=A5 ColorMode=Color Resolution=600x600dpi page-ranges=1-1
END
vendor ptouch "$serverbin/filter/rastertoptch" "$serverbin/driver/ptouch" cat \
	ptouch:0/ppd/ptouch-driver/Brother-QL-500-ptouch-ql.ppd <<'END'
tape.pdf
	media=custom_62.09x28.93mm_62.09x28.93mm driver-print-quality=fast copies=2
	media=62x29mm PrintQuality=Fast copies=2
END

# attributes PRINTER: said has them; no option of the driver has the name of one of IPP's.
attributes()
{
	timeout 60 ipptool -tv "ipp://localhost:$port/ipp/print/$1" get-printer-attributes.test \
		>said 2>&1 || complain "$1 has bad attributes: $(grep -A 3 FAIL said)"
	! grep -i duplicate said || complain "an attribute of $1 is there twice"
}

start_app
[[ ! -e cases ]] || compare_with_cups
for ppd in adopted-*.ppd; do
	[[ ! -e $ppd ]] || attributes "$(basename "${ppd#adopted-}" .ppd)"
done

# More resolutions than PAPPL has room for, in no order and under words, and options that share the
# names of IPP's attributes.
ppdc -d . "$(cups-config --datadir)/drv/sample.drv" >/dev/null 2>&1
awk '/^\*CloseUI: \*Resolution/ {
		for (dpi = 200; dpi > 40; dpi -= 50)
			printf "*Resolution %ddpi/%d: \"<</HWResolution[%d %d]>>setpagedevice\"\n",
				dpi, dpi, dpi, dpi
		print "*Resolution Fine/Fine: \"<</HWResolution[1200 600]>>setpagedevice\""
	} { print }
	/^\*CloseUI: \*Resolution/ {
		split("OutputBin Copies PrintQuality", names, " ")
		for (i = 1; i <= 3; i++)
			printf "*OpenUI *%s: PickOne\n*Default%s: One\n*%s One: \"\"\n" \
				"*%s Two: \"\"\n*CloseUI: *%s\n", names[i], names[i], names[i],
				names[i], names[i]
	}' laserjet.ppd >many.ppd
add_printer many many.ppd
attributes many
cat >some.test <<'END'
{
	OPERATION Get-Printer-Attributes
	GROUP operation-attributes-tag
	ATTR charset attributes-charset utf-8
	ATTR language attributes-natural-language en
	ATTR uri printer-uri $uri
	ATTR keyword requested-attributes printer-resolution-supported,printer-resolution-default,
		driver-output-bin-supported,driver-print-quality-default,copies-default
	STATUS successful-ok
}
END
timeout 60 ipptool -tv "ipp://localhost:$port/ipp/print/many" some.test >said 2>&1
for line in 'printer-resolution-supported .* = 50dpi,300dpi,600dpi,1200x600dpi$' \
	'printer-resolution-default .* = 300dpi$' 'driver-output-bin-supported .* = one,two$' \
	'driver-print-quality-default .* = one$' 'copies-default .* = 1$'; do
	grep -q " $line" said || complain "not $line: $(grep "${line%% *}" said)"
done
prints Completed many a5.pdf -o printer-resolution=1200x600dpi -o driver-output-bin=two
grep 'Options of' log | tail -n 1 | grep 'Resolution=Fine ' | grep -q 'OutputBin=Two ' ||
	complain "the job has $(grep 'Options of' log | tail -n 1)"
stop_app
finish
