# SPDX-License-Identifier: BSD-3-Clause
# bash completion for fatwood. The program itself says what fits ("fatwood complete WORD..."), so
# this file needs no care when verbs and options change.

_fatwood() {
  local current=${COMP_WORDS[COMP_CWORD]} line word
  COMPREPLY=()
  # A word as the shell will see it: without quotes.
  local words=("${COMP_WORDS[@]:1:COMP_CWORD}")
  words=("${words[@]//[\'\"\\]/}")
  while IFS= read -r line; do
    if [[ $line == '*files*' ]]; then
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
      continue
    fi
    word=${line%%$'\t'*}
    COMPREPLY+=("$word")
    [[ $word == *[\(:] ]] && compopt -o nospace 2>/dev/null
  done < <("${COMP_WORDS[0]}" complete "${words[@]}" 2>/dev/null </dev/null)
  return 0
}

complete -o filenames -F _fatwood fatwood
