# SPDX-License-Identifier: BSD-3-Clause
# bash completion for fatwood. Verbs and options are read from --help, engines from the message
# that lists them, so this file needs no care when verbs change.

_fatwood() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb= word
  COMPREPLY=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || { verb=$word; break; }
  done
  if [[ -z $verb ]]; then
    local verbs
    verbs=$("${COMP_WORDS[0]}" --help 2>/dev/null |
      sed -n '/^Subcommands:/,$ s/^  \([a-z][a-z-]*\) .*/\1/p')
    mapfile -t COMPREPLY < <(compgen -W "$verbs --help --version" -- "$current")
    return
  fi
  case $previous in
    --engine)
      local engines
      engines=$("${COMP_WORDS[0]}" verify 'ft(2,1)' --engine '?' 2>&1 | sed -n 's/.*there are: *//p')
      mapfile -t COMPREPLY < <(compgen -W "$engines" -- "$current")
      return ;;
    --to)
      mapfile -t COMPREPLY < <(
        compgen -W "$([[ $verb == route ]] && echo lfts far ||
          echo ibsim ibnetdiscover dot graphml json slurm guids)" -- "$current")
      return ;;
  esac
  if [[ $current == -* ]]; then
    local options
    options=$("${COMP_WORDS[0]}" "$verb" --help 2>/dev/null |
      grep -oE -- '--[a-z][a-z0-9-]*' | sort -u)
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -f -- "$current")
}

complete -o filenames -F _fatwood fatwood
