#!/usr/bin/env bash
# Prints the entries of a Verilog file list (.f), comments dropped, on one line each. Usage: tools/file_list.sh LIST
# A path that does not exist from here is taken from the list's own directory. Lists within the list (-f, -F) are
# expanded; options such as +define+ and +incdir+ pass through.
set -euo pipefail

# Prints a path as it is found from here.
located() {
    if [[ ! -e $2 && -e $1/$2 ]]; then echo "$1/$2"; else echo "$2"; fi
}

expand() {
    local list=$1 directory entry
    directory=$(dirname "$list")
    [[ -f $list ]] || { echo "$list"; return; } # the caller names it as missing
    sed -e 's|//.*||' -e 's|#.*||' "$list" | tr -s '[:space:]' '\n' | while read -r entry; do
        case $entry in
        '') ;;
        -f | -F)
            read -r entry || break
            expand "$(located "$directory" "$entry")"
            ;;
        +incdir+*) echo "+incdir+$(located "$directory" "${entry#+incdir+}")" ;;
        [+-]*) echo "$entry" ;;
        *) located "$directory" "$entry" ;;
        esac
    done
}

expand "$1"
