# The front door. Every target makes the machine ready first (tools/setup.sh) and says what it does.

.DEFAULT_GOAL := help
.SUFFIXES:
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-builtin-rules --no-print-directory

PYTHON := .venv/bin/python
# A `$` in a directory of PATH is not a reference of make.
override export PATH := $(CURDIR)/.venv/bin:$(value PATH)

# Options are the names below (see `make help`), and for the user's own RTL those of sim.mk. The shell gets them as
# environment. What the command line sets becomes its literal text, so that make expands nothing in it either.
options := SIM FILE TEST SEED WAVES COVERAGE CODE_COVERAGE RESUME LIST TAG JOBS
$(foreach name,$(.VARIABLES),$(if $(findstring command,$(origin $(name))),\
    $(eval override $(name) := $$(value $(name)))$(eval export $(name))))

# $(call option,--name,VARIABLE): the option with the variable's value, where that is set.
option = $${$(2):+$(1)="$$$(2)"}
# $(call flag,--name,VARIABLE): the option alone, where the variable is neither empty nor 0.
flag = $(if $(filter-out 0,$(value $(2))),$(1))
jobs = --jobs="$${JOBS:-$$(nproc)}"

# The options are for this file alone, and so are this make's own flags: sim.mk and the tests' own calls of make have
# options of the same names.
run_python := env $(foreach name,$(options) MAKEFLAGS MAKEOVERRIDES MFLAGS MAKELEVEL,-u $(name)) $(PYTHON)

# xdist would only say that nothing matches.
no_such_file := $(strip $(foreach file,$(value FILE),$(if $(wildcard $(firstword $(subst ::, ,$(file)))),,$(file))))
ifneq ($(no_such_file),)
$(error FILE=$(no_such_file): no such file; name a file or directory of tests, or FILE::TEST)
endif

# Workers begin with whole files, which share simulations, and steal from each other at the end.
pytest_options = $(call option,--sim,SIM) $${TEST:+-k "$$TEST"} $(call option,--seed,SEED) $(call option,--waves,WAVES) \
    $(call flag,--coverage,COVERAGE) $(call flag,--code-coverage,CODE_COVERAGE) \
    --dist worksteal -n "$${JOBS:-$$(nproc)}" $${FILE:-}

hdl_files = $(wildcard hdl/rtl/*.sv hdl/tb/*.sv hdl/formal/*.sv)
verible_lint = verible-verilog-lint
verible_format = verible-verilog-format --inplace

.PHONY: help
help:
	@echo 'make run                 decode 32 tokens on both simulators: the published table, with verdicts'
	@echo 'make test                the tests, on both simulators'
	@echo '  FILE=PATH[::TEST]        only those of a file or directory; starts within seconds'
	@echo '  SIM=icarus|verilator     on one of them only      TEST=EXPRESSION  as pytest -k'
	@echo '  SEED=N                   another random seed      JOBS=N           on N cores (all)'
	@echo '  WAVES=window|all|none    waves (FST) of what fails (the default), of everything, or none'
	@echo '  COVERAGE=1               collect functional coverage in out/coverage/'
	@echo '  CODE_COVERAGE=1          count lines, branches, conditions and toggles in out/code-coverage/'
	@echo 'make test-all            the slow tests too'
	@echo 'make smoke               a little of everything, every result accounted for: under a minute'
	@echo 'make nightly             the nightly regression, in a directory of its own below out/nightly/'
	@echo '  LIST=smoke|weekly|closure|FILE   another list    SEED=N  the seed of an earlier night'
	@echo '  TEST=PART TAG=NAME SIM=NAME      only these jobs  RESUME=1  go on with the last one of LIST'
	@echo 'make report              the last night (of LIST) as a site of HTML pages; nights write it as they end'
	@echo 'make qualify             break the model and the RTL in many ways: is it all found? prints the score'
	@echo 'make prove               prove properties of the RTL for every program (TEST=NAME: one of them)'
	@echo 'make gates               synthesize the chip, count its cells per unit, and run the netlists in the bench (SIM=)'
	@echo 'make close               simulate until every coverage goal is met (RESUME=1: go on; LIST=: a list alone)'
	@echo 'make lint                formats, types, imports, HDL lint, synthesis check'
	@echo 'make bench               measure the speed ratios of docs/bench.md'
	@echo 'make testplan            write docs/testplan.md'
	@echo 'make walkthrough         write docs/debugging.md by finding a planted error'
	@echo 'make format              format Python and SystemVerilog in place'
	@echo 'make setup               only make the machine ready'
	@echo 'make clean               remove builds and results; make distclean: .venv too'
	@echo
	@echo 'RTL=LIST [SCRATCHPAD=PATH] with run, test, smoke, nightly or bench takes your own RTL of module ga2:'
	@echo '  LIST is a file list (.f) or source files, PATH its memory below ga2 (default u_scratchpad.mem).'

.PHONY: setup
setup:
	@tools/setup.sh .venv

.PHONY: run
run: setup
	@$(run_python) -m regressions run $(call option,--sim,SIM)

.PHONY: test test-all
test: setup
	@set -f; $(run_python) -m pytest $(pytest_options)
test-all: setup
	@set -f; $(run_python) -m pytest --run-slow $(pytest_options)

nightly_options = $(call option,--seed,SEED) $(call option,--only,TEST) $(call option,--tag,TAG) $(call option,--sim,SIM) \
    $(call flag,--resume last,RESUME) $(jobs)

.PHONY: smoke nightly
smoke: setup
	@$(run_python) -m regressions nightly smoke $(nightly_options)
nightly: setup
	@$(run_python) -m regressions nightly "$${LIST:-nightly}" $(nightly_options)

.PHONY: report
report: setup
	@$(run_python) -m regressions report $(call option,--list,LIST)

.PHONY: qualify
qualify: setup
	@$(run_python) -m regressions qualify-software
	@$(run_python) -m regressions qualify $(call option,--sim,SIM)

.PHONY: prove
prove: setup
	@$(run_python) -m regressions prove $(jobs) $${TEST:-}

.PHONY: gates
gates: setup
	@$(run_python) -m regressions gates $(call option,--sim,SIM)

.PHONY: close
close: setup
	@$(run_python) -m regressions close $(call option,--seed,SEED) $(call flag,--resume,RESUME) $(call option,--list,LIST)

.PHONY: testplan
testplan: setup
	@$(run_python) -m regressions testplan

.PHONY: walkthrough
walkthrough: setup
	@$(run_python) -m regressions walkthrough

.PHONY: bench
bench: setup
	@$(run_python) -m regressions bench

# One line a check; the first that fails ends the run with its own message.
.PHONY: lint
lint: setup
	@echo 'Python: style';           ruff check --quiet && ruff format --check --quiet
	@echo 'Python: types';           mypy --no-error-summary
	@echo 'Python: imports';         lint-imports --no-logo > build/imports.log || { cat build/imports.log; exit 1; }
	@echo 'SystemVerilog: style';    $(verible_lint) $(hdl_files)
	@echo 'SystemVerilog: format';   $(verible_format) --verify $(hdl_files)
	@echo 'SystemVerilog: lint';     $(MAKE) -s -f sim.mk lint
	@echo 'SystemVerilog: synthesis'; $(run_python) hdl/lint/synthesis_check.py

.PHONY: format
format: setup
	@ruff check --fix --quiet; ruff format --quiet
	@$(verible_format) $(hdl_files)

.PHONY: clean distclean
clean:
	rm -rf build out .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
distclean: clean
	rm -rf .venv
