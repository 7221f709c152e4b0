# SPDX-License-Identifier: MIT
# Completion of proftop for fish.
#
# proftop itself lists what can be completed: proftop --help=words has a line for each command and each of its options,
# `COMMAND TAB --name TAB -x TAB ARGUMENT TAB a|b|c TAB help`. The line of the command itself has no name. Sort keys come
# from proftop report -s help, regions from proftop list.

function __proftop_regions
    proftop list 2>/dev/null | awk 'NR > 1 && $1 ~ /^[A-Za-z0-9._~+-]+$/ && $3 ~ /^(live|stopped|dead)$/ { print $1 "\t" $3 }'
end

function __proftop_keys
    proftop report -s help 2>/dev/null | awk '/^[a-z]/ { key = $1; $1 = ""; print key "\t" substr($0, 2) }'
end

function __proftop_commands
    proftop --help=words 2>/dev/null | awk -F '\t' '$2 == "" { print $1 "\t" $6 }'
end

# A program and its own arguments stand after --.
function __proftop_is_program
    contains -- -- (commandline -opc)
end

# The command of the line: `screen` if there is none.
function __proftop_command
    set -l commands (__proftop_commands | cut -f 1)
    for word in (commandline -opc)[2..]
        if contains -- $word $commands
            echo $word
            return
        end
    end
    echo screen
end

function __proftop_is
    not __proftop_is_program; and test (__proftop_command) = $argv[1]
end

# No word of the line is a command yet.
function __proftop_needs_command
    not __proftop_is_program; and test (count (commandline -opc)) = 1
end

# The command is the last word, and its first operand comes next.
function __proftop_needs_first
    not __proftop_is_program; and test (commandline -opc)[-1] = $argv[1]
end

complete -c proftop -n __proftop_is_program -xa '(__fish_complete_subcommand --commandline (string match -r -- "-- .*" (commandline -cp) | string sub -s 4))'
complete -c proftop -n __proftop_needs_command -xa '(__proftop_commands)'
complete -c proftop -n 'not __proftop_is_program; and test (__proftop_command) != help' -xa '(__proftop_regions)'
complete -c proftop -n 'not __proftop_is_program; and string match -q "*/*" -- (commandline -ct)' -F

proftop --help=words 2>/dev/null | while read -l -d \t command name letter argument choices help
    if test -z "$name"
        switch "$argument"
            case COMMAND
                complete -c proftop -n "__proftop_needs_first $command" -xa '(__proftop_commands)'
            case KIND
                complete -c proftop -n "__proftop_needs_first $command" -xa (string replace -a '|' ' ' -- "$choices")
        end
        continue
    end
    set -l words -c proftop -n "__proftop_is $command" -l (string sub -s 3 -- $name) -d "$help"
    test -n "$letter"; and set -a words -s (string sub -s 2 -- $letter)
    switch "$argument"
        case ''
        case KEY
            set -a words -xa '(__proftop_keys)'
        case THREAD
            set -a words -xa 'all each'
        case FILE
            set -a words -rF
        case NAME
            set -a words -xa '(__proftop_regions)'
        case '*'
            set -a words -xa (string replace -a '|' ' ' -- "$choices")
    end
    complete $words
end
