#!/usr/bin/env bash
# Makes the machine ready: the Debian packages and the virtual environment that every make target needs.
# Does nothing, and asks nothing of the network, when all is there. Usage: tools/setup.sh VENV
set -euo pipefail

venv=$1
log=build/setup.log
pip_options=(--quiet --disable-pip-version-check --no-input)

fail() {
    echo "setup: $*" >&2
    exit 2
}

# Runs a command with its output in the log; on failure shows the end of that.
logged() {
    "$@" >>"$log" 2>&1 </dev/null || {
        tail -n 15 "$log" >&2
        fail "'$1 $2' failed; the whole output is in $log"
    }
}

has_header() { echo "#include <$1>" | g++ -E -x c++ - >/dev/null 2>&1; }

# cocotb loads libpython into the simulator; Debian's own python3 comes without that shared library. The one of an
# environment that is there already counts: it may have come from another machine, out of a CI server's cache.
has_shared_python() {
    local python=python3
    ! "$venv/bin/python" -c '' 2>/dev/null || python=$venv/bin/python
    "$python" - <<'PYTHON'
import pathlib, sys, sysconfig
name = sysconfig.get_config_var("INSTSONAME")
folders = [pathlib.Path(sysconfig.get_config_var(variable)) for variable in ("LIBDIR", "LIBPL")]
folders.append(folders[0] / (sysconfig.get_config_var("MULTIARCH") or ""))
sys.exit(not any((folder / name).exists() for folder in folders))
PYTHON
}

# Names the Debian packages whose content is not on this machine, wherever it may have come from.
missing_packages() {
    local tool
    for tool in iverilog g++ make ccache; do
        command -v "$tool" >/dev/null || echo "$tool"
    done
    has_header lz4.h || echo liblz4-dev
    has_header zlib.h || echo zlib1g-dev
    if ! command -v python3 >/dev/null; then
        echo python3-venv libpython3-dev
    else
        [[ -e $venv/requirements.txt ]] || python3 -c 'import ensurepip' 2>/dev/null || echo python3-venv
        has_shared_python || echo libpython3-dev
    fi
}

install_packages() {
    local packages as_root=()
    mapfile -t packages < <(missing_packages | tr ' ' '\n')
    ((${#packages[@]})) || return 0
    if ((EUID != 0)); then
        sudo -n true 2>/dev/null ||
            fail "Debian packages are missing: run 'sudo apt-get install ${packages[*]}', then make again"
        as_root=(sudo -n)
    fi
    command -v apt-get >/dev/null || fail "no apt-get here: install what Debian calls ${packages[*]}"
    echo "Installing Debian packages: ${packages[*]}"
    logged "${as_root[@]}" apt-get update
    logged "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends "${packages[@]}"
}

# The environment is current when it runs and holds a copy of the very requirements it was made from.
venv_is_current() {
    cmp -s requirements.txt "$venv/requirements.txt" && "$venv/bin/python" -c '' 2>/dev/null
}

make_venv() {
    venv_is_current && return 0
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "$(python3 --version) is too old: Python 3.11 or newer is needed"
    echo "Making the virtual environment $venv ($(python3 --version)): a minute or more"
    logged python3 -m venv --clear "$venv"
    logged "$venv/bin/python" -m pip install "${pip_options[@]}" -r requirements.txt
    cp requirements.txt "$venv/requirements.txt"
}

mkdir -p build
exec 9>build/setup.lock
flock 9
install_packages
make_venv
