# SPDX-License-Identifier: MIT
# Completion of proftop for fish.
#
# What there is to complete says the program itself: proftop --help=words has a line an option,
# `--name TAB -x TAB ARGUMENT TAB a|b|c TAB what it does`; -s help the sort keys; -l the regions.

function __proftop_regions
    proftop -l 2>/dev/null | awk 'NR > 1 && $1 ~ /^[A-Za-z0-9._~+-]+$/ && $3 ~ /^(live|stopped|dead)$/ { print $1 "\t" $3 }'
end

function __proftop_keys
    proftop -s help 2>/dev/null | awk '/^[a-z]/ { key = $1; $1 = ""; print key "\t" substr($0, 2) }'
end

# Behind -- stands a program with its own arguments.
function __proftop_is_program
    contains -- -- (commandline -opc)
end

complete -c proftop -n __proftop_is_program -xa '(__fish_complete_subcommand --commandline (string match -r -- "-- .*" (commandline -cp) | string sub -s 4))'
complete -c proftop -n 'not __proftop_is_program' -xa '(__proftop_regions)'
complete -c proftop -n 'not __proftop_is_program; and string match -q "*/*" -- (commandline -ct)' -F

proftop --help=words 2>/dev/null | while read -l -d \t name letter argument choices help
    set -l words -c proftop -n 'not __proftop_is_program' -l (string sub -s 3 -- $name) -d "$help"
    test -n "$letter"; and set -a words -s (string sub -s 2 -- $letter)
    switch "$argument"
        case ''
        case KEY
            set -a words -xa '(__proftop_keys)'
        case THREAD
            set -a words -xa 'all each'
        case FILE
            set -a words -rF
        case '*'
            set -a words -xa (string replace -a '|' ' ' -- "$choices")
    end
    complete $words
end
