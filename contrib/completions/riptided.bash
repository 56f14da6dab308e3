# bash completion for riptided(8)
# shellcheck shell=bash

# The numbers of this machine's GPUs.
_riptide_gpus()
{
	local node

	for node in /dev/nvidia[0-9]*; do
		[[ -e $node ]] && echo "${node#/dev/nvidia}"
	done
}

_riptided()
{
	local cur prev program names

	_riptide_begin "$1"
	case $prev in
	--device)
		_riptide_words auto cpu gpu $(_riptide_gpus) ;;
	--socket | --config)
		_riptide_files ;;
	--threads) ;;
	*)
		mapfile -t names < <("$program" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u)
		_riptide_words "${names[@]}" ;;
	esac
}

complete -F _riptided riptided
