# bash completion for riptide-mpi(1)
# shellcheck shell=bash

_riptide_mpi()
{
	local cur prev program

	_riptide_begin "$1"
	if [[ $cur == -* ]]; then
		_riptide_options
	elif ! _riptide_value "$prev"; then
		_riptide_files pgm
	fi
}

complete -F _riptide_mpi riptide-mpi
