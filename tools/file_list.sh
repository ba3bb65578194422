#!/usr/bin/env bash
# Prints the entries of a Verilog file list (.f), comments dropped, on one line. Usage: tools/file_list.sh LIST
# A path that does not exist from here is taken from the list's own directory. Options (+define+…) pass through.
set -euo pipefail

list=$1
[[ -f $list ]] || { echo "$list"; exit 0; } # the caller names it as missing

sed -e 's|//.*||' -e 's|#.*||' "$list" | tr -s '[:space:]' '\n' | while read -r entry; do
    case $entry in
    '') ;;
    [+-]* | /*) echo "$entry" ;;
    *)
        beside_list=$(dirname "$list")/$entry
        if [[ ! -e $entry && -e $beside_list ]]; then echo "$beside_list"; else echo "$entry"; fi
        ;;
    esac
done
