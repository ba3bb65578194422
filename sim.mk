# How a simulator is found, built and run, for make; verif/simulation/ does it, and Python calls that directly.
#
#   make -s -f sim.mk build-SIM                        SIM is icarus or verilator
#   make -s -f sim.mk run-SIM TEST_MODULE=… RUN_DIR=…  builds first if need be
#   make -s -f sim.mk native                           the memory back door's C library alone
#   make -s -f sim.mk lint                             both simulators' own lint
#   make -s -f sim.mk bare-SIM RUN_DIR=… BARE=…        the harness without Python, for benchmarks
#
# The run contract. Variables, from the command line or the environment; nothing in them is expanded:
#   TEST_MODULE  Python module with the cocotb tests, importable from the repository root
#   TEST_FILTER  regular expression over test names (default: all)
#   RUN_DIR      directory of this run, made if missing: sim.log, results.xml
#   SEED         cocotb's random seed (default 1); on Verilator also that of the reset values
#   WAVES        file to dump signals to (FST), which is RUN_DIR/dump.fst until the simulation ends; empty: none
#   WAVES_SCOPE  `all` of the run, or the `window` of cycles that the test asks for (default all)
#   CODE_COVERAGE  file that gets Verilator's code coverage of the run (absolute path), from a build of its own;
#                empty: none. Registers start from 0 then: a reset of random bits would count as toggles
#   PLUSARGS     further arguments for the simulation, each +name or +name=value
#   CPU_SECONDS  seconds of CPU time after which the simulation ends with status 152, by SIGXCPU; empty: none
#   BARE         manifest of the programs of a run without Python (verif/simulation/bare_run.py)
#   RTL          the user's RTL of module ga2 instead of hdl/rtl: a file list (.f) or source files; a list may
#                hold +define+, +incdir+ and +libext+, -y and -v, and other lists (-f). A path with a blank
#                stands between double quotes, but for RTL='the only file.sv'
#   SCRATCHPAD   path of that RTL's memory below the harness's `dut` (default u_scratchpad.mem)
#   SCRATCHPAD_WRITE  what the log and the trace read of its write port, below `dut`: enable, address and data,
#                separated by commas (default write_i, write_addr_i and write_data_i beside the memory), or
#                `none`, which is the default where SCRATCHPAD is set: writes are not compared then
#   SCRATCHPAD_READ  enable of its read port, below `dut` (default read_i beside the memory), or `none`, which is the
#                default where SCRATCHPAD or SCRATCHPAD_WRITE is set: reads are not counted then
#   MIRRORS      source of module ga2_tb_mirrors, which shows in a dump what lies in unpacked arrays of that RTL
#                (default hdl/tb/ga2_tb_mirrors.sv, none where RTL or SCRATCHPAD is set; RTL that has kept the
#                project's hierarchy may take that file too)
#   PYTHON       interpreter whose environment is used and embedded (default .venv/bin/python)
#   IVERILOG, VVP, CXX_CACHE  programs (default iverilog, vvp and, where it works, ccache)
#   CXX_OPTIMIZATION  level from 0 to 3 at which the C++ compiler compiles Verilator's model (default 3), in a build
#                of its own: 0 compiles in half the time, for RTL that simulates little
# Of the environment only PATH, HOME and the like reach tools and tests (verif/simulation/tools.py), and every
# variable whose name begins with GA2_. These are made here:
#   GA2_NATIVE_LIBRARY   path of the C library, to be opened with ctypes
#   GA2_SCRATCHPAD       SCRATCHPAD with its default filled in
# RUN_DIR/built-from gets the hash of everything that the simulation was built from.
# A simulation's output goes to RUN_DIR/sim.log; when it fails its end is shown on standard error.
# Exit status: 0, or 2 after a message whose last line starts with "sim.mk: " (a missing tool or file, a failed
# build, a simulation that crashed; only the last leaves a sim.log). A failed test is no crash: results.xml says
# so, and the caller must read it.
# A build is repeated only when something changed that a tool read for it, a command or a tool. Calls at the same
# time are safe.

.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory

ifeq ($(wildcard verif/simulation/__main__.py),)
$(error run it from the repository's root)
endif

# What the command line sets becomes its literal text; make would expand it on its way to the environment.
$(foreach name,$(.VARIABLES),$(if $(findstring command,$(origin $(name))),\
    $(eval override $(name) := $$(value $(name)))$(eval export $(name))))
make = @[ -x "$${PYTHON:=.venv/bin/python}" ] || { echo "sim.mk: no Python at $$PYTHON: run 'make setup' first" >&2; exit 2; }; \
    exec "$$PYTHON" -m verif.simulation

.PHONY: build-icarus build-verilator run-icarus run-verilator bare-icarus bare-verilator native lint
build-icarus build-verilator run-icarus run-verilator bare-icarus bare-verilator native lint:
	$(make) $@
build-% run-% bare-%:
	$(make) unknown-simulator
