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
	preview:-o | preview:--output)
		_riptide_files png ;;
	halftone:* | preview:* | rip:* | bench:* | status:* | target:* | calibrate:* | \
		adopt:* | release:*)
		if [[ $cur == -* ]]; then
			_riptide_options "$command"
		elif _riptide_value "$command" "$prev"; then
			:
		elif [[ $command == halftone ]]; then
			_riptide_files '@(pgm|jpg|jpeg|png|tif|tiff|ras|raster|pwg|urf)'
		elif [[ $command == preview ]]; then
			_riptide_files '@(pdf|pbm|pgm|jpg|jpeg|png|tif|tiff|ras|raster|pwg|urf)'
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
