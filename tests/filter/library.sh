# For the tests of filters: sourced.  To tests/tools/common.sh it adds what a queue gives to its
# filters.
# shellcheck shell=bash
# shellcheck source-path=SCRIPTDIR source=../tools/common.sh
. "${RIPTIDE_SOURCE:-$(dirname "$0")/../..}/tests/tools/common.sh" || exit 99
umask 022 # a filter that its group may write to is refused
export RIPTIDE_SOCKET=none LC_ALL=C RIP_MAX_CACHE=128m
unset FINAL_CONTENT_TYPE PPD
# libcups leaks some of a PPD's presets when it marks options.  The slow way to record calls finds
# its function in the stack.
echo leak:_ppdCacheCreateWithPPD >leaks
export LSAN_OPTIONS=suppressions=$folder/leaks:print_suppressions=0
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}fast_unwind_on_malloc=0

# A filter as cupsd runs it; its dots and err.
run() # FILTER OPTIONS [FILE]
{
	timeout 300 "$build/$1" 7 user 'a title' 1 "${@:2}" >dots 2>err
}

# The filter has ended with that status, and with these words in its one ERROR, or with none for "".
ended() # WHAT STATUS SHOULD-BE WORDS
{
	(($2 == $3)) || complain "$1: exit status $2, not $3: $(cat err)"
	if [[ $4 ]]; then
		(($(grep -ac '^ERROR: ' err) == 1)) && [[ $(grep -a '^ERROR: ' err) == *"$4"* ]] ||
			complain "$1: not one ERROR with \"$4\": $(grep -a '^ERROR' err)"
	else
		! grep -aq '^ERROR: ' err || complain "$1: $(grep -a '^ERROR' err)"
	fi
}

# How often the filter has logged a page.
pages_logged()
{
	grep -ac '^PAGE: ' err
}

# A PPD for a page of 200 x 200 points.
small_ppd() # LINE...
{
	printf '%s\n' '*PPD-Adobe: "4.3"' '*FormatVersion: "4.3"' '*FileVersion: "1.0"' \
		'*LanguageVersion: English' \
		'*LanguageEncoding: ISOLatin1' '*PCFileName: "SMALL.PPD"' '*Product: "(Small)"' \
		'*PSVersion: "(3010.000) 0"' '*Manufacturer: "Small"' '*ModelName: "Small"' \
		'*ShortNickName: "Small"' \
		'*NickName: "Small"' '*ColorDevice: False' '*DefaultColorSpace: Gray' "$@" \
		'*OpenUI *PageSize: PickOne' '*DefaultPageSize: Small' \
		'*PageSize Small: "<</PageSize[200 200]/cupsBitsPerColor 8/cupsColorSpace 3'\
'/HWResolution[300 300]>>setpagedevice"' \
		'*CloseUI: *PageSize' '*DefaultImageableArea: Small' \
		'*ImageableArea Small: "0 0 200 200"' \
		'*DefaultPaperDimension: Small' '*PaperDimension Small: "200 200"'
}

