# bash completion for riptide(1)
# shellcheck shell=bash

# Completes with the names of queues.
_riptide_queues()
{
	local names

	mapfile -t names < <(LC_ALL=C lpstat -e 2>/dev/null)
	_riptide_words "${names[@]}"
}

_riptide()
{
	local cur prev program command=${COMP_WORDS[1]}

	_riptide_begin "$1"
	if ((COMP_CWORD == 1)); then
		_riptide_words halftone rip preview adopt release target calibrate status bench help --help --version
		return
	fi
	if [[ $command == help ]]; then
		_riptide_words halftone rip preview adopt release target calibrate status bench
		return
	fi
	case $command:$prev in
	halftone:--method | preview:--method)
		_riptide_names words halftone --method ;;
	bench:--methods)
		_riptide_names list bench --methods ;;
	calibrate:--screen | adopt:--screen)
		_riptide_names words halftone --screen ;;
	target:--screens | calibrate:--screens)
		_riptide_names list halftone --screen ;;
	*:--screen | *:--isa)
		_riptide_names words "$command" "$prev" ;;
	halftone:--device | preview:--device | rip:--device | bench:--device)
		_riptide_words auto cpu gpu ;;
	halftone:--resolution | preview:--resolution | rip:--resolution | rip:-r | target:--resolution | calibrate:--resolution)
		_riptide_words 203 300 360 600 600x1200 1200 2400 ;;
	halftone:--dot-gain | preview:--dot-gain | rip:--dot-gain)
		_riptide_words none ;;
	halftone:--target | preview:--target)
		_riptide_words print linear ;;
	halftone:--ink-limit | preview:--ink-limit)
		_riptide_words none ;;
	halftone:--light-inks | preview:--light-inks)
		_riptide_words none cm k cmk ;;
	halftone:--light-strength | preview:--light-strength | preview:--calibration) ;;
	halftone:--drops | preview:--drops | calibrate:--drops)
		_riptide_words none ;;
	halftone:--ink | preview:--ink)
		_riptide_words cyan magenta yellow black ;;
	halftone:--toner-save | preview:--toner-save | rip:--toner-save)
		_riptide_words 0 1 2 3 ;;
	halftone:--levels | preview:--levels | rip:--levels | bench:--levels | calibrate:--levels)
		_riptide_words {2..16} ;;
	rip:--model)
		_riptide_words grey rgb cmyk ;;
	target:--paper)
		_riptide_words A4 Letter A5 A3 ;;
	target:--levels)
		_riptide_words 2 4 16 ;;
	preview:--inks)
		_riptide_words CMYKcm KCMYcm CMYKcmk KCMYcmk CMYKk Kk ;;
	target:--inks)
		_riptide_words K CMYK CMY ;;
	target:--queue | preview:--queue)
		_riptide_queues ;;
	calibrate:--ink)
		_riptide_words C M Y K ;;
	calibrate:--match | calibrate:--name) ;;
	bench:--sync)
		_riptide_list launch flags ;;
	bench:--sizes)
		_riptide_list 1K 2K 4K 8K 16K A4@600 A4@1200 A3@600 Letter@300 Letter@600 ;;
	halftone:--socket | preview:--socket)
		_riptide_files
		_riptide_words none ;;
	halftone:-o | halftone:--output | halftone:--curve | preview:--curve | rip:-o | rip:--output | rip:--curve | \
		adopt:-o | adopt:--output | release:-o | release:--output | \
		status:--socket | target:--ppd | preview:--ppd | target:-o | target:--output | calibrate:-o | calibrate:--output | \
		calibrate:-p | calibrate:--picture)
		_riptide_files ;;
	preview:-o | preview:--output)
		_riptide_files png ;;
	preview:--ppi)
		_riptide_words 72 100 150 300 ;;
	preview:--zoom)
		_riptide_words 1 2 4 8 16 ;;
	preview:--crop | preview:--pages | preview:--ink-per-m2) ;;
	preview:--density | preview:--gamma | preview:--threads | preview:--band) ;;
	halftone:--density | halftone:--gamma | halftone:--plane-names) ;;
	halftone:--threads | bench:--threads | halftone:--band | bench:--planes | bench:--runs) ;;
	rip:--threads | rip:--workers | rip:--pages) ;;
	rip:--page-timeout)
		_riptide_words 10 60 600 ;;
	halftone:* | preview:* | rip:* | bench:* | status:* | target:* | calibrate:* | \
		adopt:* | release:*)
		if [[ $cur == -* ]]; then
			_riptide_options "$command"
		elif _riptide_values "$command" "$prev"; then
			:
		elif [[ $command == halftone ]]; then
			_riptide_files '@(pgm|jpg|jpeg|png|tif|tiff|ras|raster|pwg|urf)'
		elif [[ $command == preview ]]; then
			_riptide_files '@(pdf|pbm|pgm|jpg|jpeg|png|ras|raster|pwg|urf)'
		elif [[ $command == rip ]]; then
			_riptide_files pdf
		elif [[ $command == adopt || $command == release ]]; then
			_riptide_files '@(ppd|gz)'
			_riptide_queues
		elif [[ $command == calibrate ]]; then
			_riptide_files '@(cal|ti3|txt|png|tif|tiff|jpg|jpeg|pgm)'
			_riptide_queues
		fi ;;
	esac
}

complete -F _riptide riptide
