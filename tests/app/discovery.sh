#!/bin/bash
# Another machine finds the printers by DNS-SD, and what their TXT records say is true.
# shellcheck source-path=SCRIPTDIR source=network.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/app/network.sh" || exit 99
need python3 dbus-daemon ippfind
PATH=$PATH:/usr/sbin
part "DNS-SD (install avahi-daemon and avahi-utils)" avahi-daemon avahi-browse avahi-publish ||
	finish

cat >bus.conf <<'END'
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=/run/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
  </policy>
</busconfig>
END
start_bus() # MACHINE [COMMAND...]
{
	"${@:2}" dbus-daemon --config-file="$folder/bus.conf" --nofork --nopidfile \
		--address="unix:path=$folder/bus-$1" >>"bus-$1.log" 2>&1 &
	wait_for 20 test -S "bus-$1" || { complain "no bus: $(cat "bus-$1.log")"; exit 1; }
}
# Avahi on one of the machines.
start_avahi() # MACHINE [COMMAND...]
{
	"${@:2}" unshare -m sh -c 'mount -t tmpfs tmpfs /run && mkdir /run/avahi-daemon &&
		exec env DBUS_SYSTEM_BUS_ADDRESS="unix:path=$1" avahi-daemon --no-drop-root \
		--no-rlimits --no-chroot --file /dev/null' - "$folder/bus-$1" >>"avahi-$1" 2>&1 &
	wait_for 20 grep -q "Server startup complete. Host name is $1.local" "avahi-$1" ||
		{ complain "no Avahi: $(tail -n 3 "avahi-$1")"; exit 1; }
}
start_bus near
start_bus far nsenter -t $far -n -u
start_avahi near
start_avahi far nsenter -t $far -n -u
export DBUS_SYSTEM_BUS_ADDRESS=unix:path=$folder/bus-near
far_dns_sd() # COMMAND...
{
	DBUS_SYSTEM_BUS_ADDRESS=unix:path=$folder/bus-far on_far "$@"
}

# --- what others see ------------------------------------------------------------------------------
start_app -o server-options=tls # comes after no-tls
add_printer laser pcl5
add_printer photo escp2-photo
add_printer label zpl-203
soon() # COMMAND...: it takes a second
{
	local tries

	for ((tries = 0; tries < 20; tries++)); do
		"$@" && return
		sleep .2
	done
	return 1
}
# All services of a type, or of all: one a line, as avahi-browse says it.
browse() { far_dns_sd avahi-browse -prt "$1" 2>&1 | grep '^=' >"$1"; }
shows_all()
{
	browse _ipps._tcp
	(($(cut -d';' -f4 _ipps._tcp | sort -u | wc -l) == 3))
}
soon shows_all || complain "not all printers are announced: $(cat _ipps._tcp log)"
browse -a
for type in _ipp._tcp _{universal,print}._sub._ipp._tcp _universal._sub._ipps._tcp; do
	browse "$type"
done
for printer in laser photo label; do
	timeout 60 ipptool -X "ipp://localhost:$port/ipp/print/$printer" \
		get-printer-attributes.test >"$printer.plist" ||
		complain "no attributes of $printer"
done
python3 - "$port" ${ipv6:+IPv6} <<'END' || failed=1
import plistlib
import re
import sys

port, protocols = sys.argv[1], {"IPv4", *sys.argv[2:]}
attributes = {}
for name in ("laser", "photo", "label"):
    with open(name + ".plist", "rb") as file:
        groups = plistlib.load(file)["Tests"][0]["ResponseAttributes"]
    attributes[name] = {key: value for group in groups for key, value in group.items()}


def services(kind):
    """The TXT records of a type, of each name and protocol."""
    found = {}
    with open(kind, encoding="utf-8") as file:
        for line in file:
            _, _, protocol, name, _, _, host, address, at, text = line.strip().split(";", 9)
            if name not in attributes or address in ("127.0.0.1", "::1"):
                continue
            if (host, at) != ("near.local", port) or address not in ("10.9.0.1", "fd09::1"):
                print(f"FAILED: {kind}: {name} is at {host}, {address}, port {at}")
                sys.exit(1)
            found[name, protocol] = dict(pair.split("=", 1)
                                         for pair in re.findall(r'"([^"]*)"', text))
    return found


def listed(value):
    return value if isinstance(value, list) else [value]


def truth(name):
    """What a printer's TXT record must say, from its attributes."""
    said = attributes[name]
    formats = [one for one in said["document-format-supported"]
               if one != "application/octet-stream"]
    return {
        "rp": "ipp/print/" + name,
        "pdl": ",".join(formats),
        "Color": "T" if said["color-supported"] else "F",
        "Duplex": "T" if "two-sided-long-edge" in listed(said["sides-supported"]) else "F",
        "URF": ",".join(said["urf-supported"]),
        "UUID": said["printer-uuid"].removeprefix("urn:uuid:"),
        "ty": said["printer-make-and-model"],
        "product": "(" + said["printer-make-and-model"] + ")",
        "note": said["printer-location"],
        "kind": ",".join(listed(said["printer-kind"])),
        "adminurl": f"http://near.local:{port}/{name}/",
        "PaperMax": "tabloid-A3" if name == "laser" else "legal-A4",
        "TLS": "1.2", "Fax": "F", "Scan": "F", "txtvers": "1", "qtotal": "1", "priority": "0",
        "mopria-certified": "1.3",
    }


bad = 0
for kind in ("_ipp._tcp", "_ipps._tcp", "_universal._sub._ipp._tcp", "_universal._sub._ipps._tcp",
             "_print._sub._ipp._tcp"):
    seen = services(kind)
    for name in attributes:
        for protocol in protocols:
            wanted, text = truth(name), seen.get((name, protocol))
            if text and text.get("TLS") == "1.3": # PAPPL 2
                wanted["TLS"] = "1.3"
            if text != wanted:
                print(f"FAILED: {kind}, {protocol}: {name} says {text}, not {wanted}")
                bad = 1
# So that the attributes are not all wrong together.
for name, key, value in (("laser", "Color", "F"), ("laser", "Duplex", "T"), ("photo", "Color", "T"),
                         ("photo", "Duplex", "F"), ("label", "kind", "label")):
    if truth(name)[key] != value:
        print(f"FAILED: {name}: {key}={truth(name)[key]}")
        bad = 1
for name in attributes:
    text = truth(name)
    if ("SRGB24" in text["URF"].split(",")) != (text["Color"] == "T") or \
            sorted(text["pdl"].split(",")) != ["application/pdf", "image/jpeg", "image/png",
                                               "image/pwg-raster", "image/urf"]:
        print(f"FAILED: {name}: URF={text['URF']}, pdl={text['pdl']}")
        bad = 1
sys.exit(bad)
END
for type in _ipp._tcp _ipp._tcp,_universal _ipp._tcp,_print _ipps._tcp; do
	scheme=${type%%.*}
	url=${scheme#_}://near.local:$port/ipp/print
	for seconds in 1 5 30; do
		found=$(far_dns_sd ippfind -T $seconds "$type" | sort | paste -sd' ')
		[[ $found != "$url/label $url/laser $url/photo" ]] || continue 2
	done
	complain "ippfind $type finds $found"
done

# --- printers that are found, and the drivers that they get ---------------------------------------
publish() # NAME [TXT...]: a printer on the other machine
{
	DBUS_SYSTEM_BUS_ADDRESS=unix:path=$folder/bus-far nsenter -t $far -n -u \
		avahi-publish -s "$1" _pdl-datastream._tcp 9100 "${@:2}" >>publish.log 2>&1 &
}
publish "Far <1>" "ty=HP LaserJet" usb_MFG=HP "usb_MDL=LaserJet"
publish usb "ty=HP DeskJet 970C" usb_MFG=HP "usb_MDL=DeskJet 970C" usb_CMD=MLC,PCL,PML
publish pdl "ty=HP LaserJet" pdl=application/postscript,application/vnd.hp-PCL
publish epson "ty=EPSON XP-1" usb_MFG=EPSON usb_MDL=XP-1 pdl=application/octet-stream,image/urf
all_found()
{
	browse _pdl-datastream._tcp
	(($(cut -d';' -f4 _pdl-datastream._tcp | sort -u | wc -l) == 4))
}
soon all_found || complain "the printers are not announced: $(cat publish.log)"
sees() # NAME ID: devices does.  $uri: where the printer is
{
	timeout 60 "$program" devices -o verbose=yes >devices 2>&1
	uri=$(grep "^dnssd://$1\._pdl-datastream" devices)
	[[ $uri ]] && grep -A2 -Fx "$uri" devices | grep -qx "    $2"
}
model() # PRINTER
{
	timeout 60 ipptool -tv "ipp://localhost:$port/ipp/print/$1" get-printer-attributes.test |
		sed -n 's/.*printer-make-and-model.*= //p'
}
nickname() { sed -n 's/^\*NickName: "\(.*\)"\r*$/\1/p' "$build/app/ppd/riptide-$1.ppd"; }
while read -r name driver id; do
	soon sees "$name" "$id" || complain "devices says of $name: $(cat devices)"
	add_printer "$name" auto "$uri"
	[[ $(model "$name") == "$(nickname "$driver")" ]] ||
		complain "$name gets $(model "$name"), not $driver"
done <<'END'
usb pcl-color MFG:HP;MDL:DeskJet 970C;CMD:MLC,PCL,PML;
pdl pcl5 MFG:HP;MDL:LaserJet;CMD:PS,PCL;
epson escp2 MFG:EPSON;MDL:XP-1;CMD:URF,ESCPL2;
END
[[ $("$program" drivers -o "device-id=MFG:HP;CMD:PCL;" 2>&1) == 'pcl5 "PCL 5 mono laser" ""' ]] ||
	complain "drivers does not name the one of a device id"

# The same on the page.
here() # PATH [CURL-ARGUMENT...]
{
	timeout 100 curl -s "http://localhost:$port$1" "${@:2}"
}
session=$(here /addprinter | sed -n 's/.*name="session" value="\([^"]*\)".*/\1/p')
cookie=$(here /addprinter -o /dev/null -D - -d "session=$session" \
	--data-urlencode "password=$(cat state/web-password)" |
	sed -n 's/^Set-Cookie: \([^;]*\).*/\1/pI')
here '/addprinter?search=1' -H "Cookie: $cookie" >add.html
grep -q '<option value="dnssd://[^"]*_pdl-datastream[^"]*|[^"]*MFG:HP;' add.html ||
	complain "the page does not find it: $(grep -A3 'name="device"' add.html; tail -n 5 log)"
device=$(grep -o 'value="dnssd://usb\.[^"]*"' add.html | cut -d'"' -f2)
here /addprinter -H "Cookie: $cookie" -F "session=$session" -F name=web -F driver=auto \
	-F address= --form-string "device=$device" >added.html
[[ $(model web) == "$(nickname pcl-color)" ]] ||
	complain "on the page, $device gets $(model web): $(grep banner added.html)"
stop_app
# Another service shows that far still hears what is announced.
avahi-publish -s other _ipp._tcp 9 >publish.log 2>&1 &
none() { browse _ipp._tcp; [[ $(cut -d';' -f4 _ipp._tcp | sort -u) == other ]]; }
soon none || complain "printers of a server that has ended are still announced"
finish
