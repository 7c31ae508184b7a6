# SPDX-License-Identifier: BSD-3-Clause
# fish completion for fatwood. The program itself says what fits ("fatwood complete WORD...").

function __fatwood_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] complete $words[2..-1] 2>/dev/null </dev/null)
        if test "$line" = '*files*'
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end

complete -c fatwood -f -a '(__fatwood_complete)'
