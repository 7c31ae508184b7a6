# SPDX-License-Identifier: BSD-3-Clause
# bash completion for fatwood. Verbs, options and their values are read from --help and from the
# messages that list them, so this file needs no care when verbs change.

# What the program says there is, when asked for something called "?".
_fatwood_list() {
  "$@" 2>&1 </dev/null | sed -n 's/.* are: *//p'
}

_fatwood_engines() { _fatwood_list "$1" verify 'ft(2,1)' --engine '?'; }

# Names with what is theirs to choose left open: "hotspot:T" is offered as "hotspot:".
_fatwood_open() { sed 's/:[^ ]*/:/g'; }

# The values that the help of an option has in braces, or nothing.
_fatwood_choices() {
  "$1" "$2" --help 2>/dev/null | sed -n "s/^ *\(-[a-z],\)\?$3 TEXT:{\([^}]*\)}.*/\2/p" | tr , ' '
}

_fatwood() {
  local program=${COMP_WORDS[0]} current=${COMP_WORDS[COMP_CWORD]}
  local previous=${COMP_WORDS[COMP_CWORD - 1]} verb= word words= before=
  COMPREPLY=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || { verb=$word; break; }
  done
  if [[ -z $verb ]]; then
    words=$("$program" --help 2>/dev/null |
      sed -n '/^Subcommands:/,$ s/^  \([a-z][a-z-]*\) .*/\1/p')
    mapfile -t COMPREPLY < <(compgen -W "$words --help --version" -- "$current")
    return
  fi
  case $previous in
    --engine) words=$(_fatwood_engines "$program") ;;
    --engines | --worst)
      words=$(_fatwood_engines "$program")
      [[ $current == *,* ]] && before=${current%,*},
      ;;
    --collective)
      [[ $verb == job ]] &&
        words=$("$program" job 'ft(2,1)' dmodk --hosts all --collective '?' 2>&1 |
          sed -n 's/.*there are //p' | tr -d ,) ||
        words=$(_fatwood_list "$program" load 'ft(4,2)' dmodk --traffic '?' | _fatwood_open) ;;
    --traffic)
      words=$(_fatwood_list "$program" load 'ft(4,2)' dmodk --traffic '?' | _fatwood_open) ;;
    --routing)
      words="$(_fatwood_engines "$program") $("$program" sim --help 2>/dev/null |
        sed -n 's/.*closed form of whole trees (\([^)]*\)).*/\1/p' | _fatwood_open)" ;;
    --to)
      words=$([[ $verb == route ]] && echo lfts far ||
        echo ibsim ibnetdiscover dot graphml json slurm slurm-block slurm-yaml guids) ;;
    --improve) words="order placement both" ;;
    --for) words="alltoall permutations shifts job: traffic:" ;;
    --order) [[ $verb == sim ]] && words="number random rounds" ;;
    --groups) [[ $verb == job ]] && words="all data tensor pipeline expert" ;;
    --*) words=$(_fatwood_choices "$program" "$verb" "$previous") ;;
  esac
  if [[ -z $words && $verb == study && $current != -* ]]; then
    words=$("$program" study --list 2>/dev/null | cut -d ' ' -f 1)
  fi
  if [[ -n $words && $current != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "${current#"$before"}")
    return
  fi
  if [[ $current == -* ]]; then
    words=$("$program" "$verb" --help 2>/dev/null | grep -oE -- '--[a-z][a-z0-9-]*' | sort -u)
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -f -- "$current")
}

complete -o filenames -F _fatwood fatwood
