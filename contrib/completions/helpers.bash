# What the completions of all programs use: the build puts it at the start of each of them, so
# that each is complete without the others.
# shellcheck shell=bash
#
# Options and names are asked of the program itself, so that they are those of the version
# that is installed.

# Completes file names: of folders, and of files with such an ending; of all files if
# none has.  bash-completion, which loads this file, knows how names are quoted.
_riptide_files() # [PATTERN]
{
	if ! declare -F _filedir >/dev/null; then
		compopt -o default
		return
	fi
	_filedir "$@"
	((${#COMPREPLY[@]})) || _filedir
}

# Completes with words.
_riptide_words() # WORD...
{
	local word

	for word; do
		[[ $word == "$cur"* ]] && COMPREPLY+=("$word")
	done
}

# The same for a list with commas between: the last word of it.
_riptide_list() # WORD...
{
	local before= word

	[[ $cur == *,* ]] && before=${cur%,*},
	for word; do
		[[ $before$word == "$cur"* && ,$before != *",$word,"* ]] && COMPREPLY+=("$before$word")
	done
	compopt -o nospace 2>/dev/null
}

# Completes with the long options of a program whose options are tables.
_riptide_options() # [COMMAND]
{
	local names

	mapfile -t names < <("$program" "$@" --list-options 2>/dev/null | cut -f1 | grep ^--)
	_riptide_words "${names[@]}"
}

# Completes the value of an option with what its table proposes.  False: it takes none.
_riptide_value() # [COMMAND] OPTION
{
	local line word proposed words=() kind=words

	[[ ${*: -1} == -* ]] || return
	line=$("$program" "${@:1:$#-1}" --list-options 2>/dev/null |
		grep -e "^${*: -1}"$'\t') || return
	read -ra proposed <<<"${line#*$'\t'}"
	for word in "${proposed[@]}"; do
		case $word in
		,) kind=list ;;
		FILE) _riptide_files ;;
		QUEUE) _riptide_queues ;;
		*) words+=("$word") ;;
		esac
	done
	"_riptide_$kind" "${words[@]}"
	return 0
}

# Takes --option=value, which bash cuts into three words, for --option value.
_riptide_begin() # PROGRAM
{
	program=${1/#~\//$HOME/}
	cur=${COMP_WORDS[COMP_CWORD]}
	prev=${COMP_WORDS[COMP_CWORD - 1]}
	if [[ $cur == = ]]; then
		cur=
	elif [[ $prev == = ]] && ((COMP_CWORD > 1)); then
		prev=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	COMPREPLY=()
}
