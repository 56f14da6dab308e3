# bash completion for riptide-mpi(1)
# shellcheck shell=bash

_riptide_mpi()
{
	local cur prev program

	_riptide_begin "$1"
	case $prev in
	--method | --screen | --isa)
		_riptide_names words "$prev" ;;
	--link)
		_riptide_words auto window message ;;
	--levels)
		_riptide_words {2..16} ;;
	--resolution)
		_riptide_words 203 300 360 600 600x1200 1200 2400 ;;
	-o | --output | --curve)
		_riptide_files ;;
	--rows | --columns | --threads | --bench) ;;
	*)
		if [[ $cur == -* ]]; then
			_riptide_options
		elif _riptide_values "$prev"; then
			:
		else
			_riptide_files pgm
		fi ;;
	esac
}

complete -F _riptide_mpi riptide-mpi
