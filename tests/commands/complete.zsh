# SPDX-License-Identifier: Apache-2.0
# What zsh offers for a line: zsh -f complete.zsh SCRIPT LINE. Completion needs a
# terminal, so a second shell gets one; there compadd tells instead of offering.
if [[ $1 != inner ]]; then
	zmodload zsh/zpty
	zpty session "zsh -f -i"
	zpty -w session "stty -echo; PS1=; source ${(q)0} inner ${(q)1}"
	zpty -r session ready '*<ready>*' || exit 1
	zpty -w -n session "$2"$'\t'
	zpty -r session answers '*<end>*' || exit 1
	zpty -d session
	print -rl -- ${(M)${(f)answers//$'\r'/}:#hit *} | sed 's/^hit //'
	exit 0
fi

autoload -Uz compinit
compinit -D -u
unsetopt zle_bracketed_paste 2>/dev/null
source $2

compadd() {
	local -a hits
	# the completion system asks for matches in this way, too, for its own use
	if (( ${@[(I)-(O|A|D)*]} )); then
		builtin compadd "$@"
		return
	fi
	builtin compadd -O hits "$@"
	(( $#hits )) && print -rl -- "" "hit "${^hits}
	builtin compadd "$@"
}
tell() {
	_main_complete
	print -r -- ""
	print -r -- "<end>"
}
zle -C tell complete-word tell
bindkey '^I' tell
print -r -- "<ready>"
