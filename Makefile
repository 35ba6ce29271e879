# make demo   measure this machine, predict real tool calls, compare with running them
# make doctor   what works on this machine, and what to do about the rest
# make test   every test, types and style included, on all cores
# make test-all   the same in full: all products of schedules, kinds and vocabularies, and all of their examples
# make bench  how fast every schedule is here and on phones, host time, memory, what-ifs; as data and tables in out/
#             (MODEL=file.gguf WORKLOAD=bfcl:100 REPEATS=1 SEED=0 PROFILE=out/profile.json RECORDS=out/measured.jsonl)
# make paper  what the paper measured on its phones beside what is predicted of it: one page and data in out/paper
# make audit  every tool of BFCL-v4, built and tried; counts in the terminal and in out/audit.json
# make boundaries   whether calls lie in the tokenizer's own tokens, on real vocabularies
# All of them make .venv first and install what is missing into it.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.installed
PIP := $(BIN)/python -m pip install --disable-pip-version-check
ENGINE := $(shell sed -n 's/^ *"\(llama-cpp-python==[^"]*\)".*/\1/p' pyproject.toml)
ENGINES := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/schemaweaver/engines
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
TEST_FILES := $(VENV)/llama.cpp
QWEN3 := $(TEST_FILES)/ggml-vocab-qwen3.gguf
BENCH_OPTIONS = $(addprefix --model ,$(MODEL)) $(addprefix --workload ,$(WORKLOAD)) $(addprefix --repeats ,$(REPEATS)) \
	$(addprefix --seed ,$(SEED)) $(addprefix --profile ,$(PROFILE)) $(addprefix --records ,$(RECORDS))

.PHONY: announced demo doctor test test-all bench paper audit boundaries setup clean

demo: announced $(READY)
	$(BIN)/schemaweaver demo --out out

announced:
	@test -e $(READY) || echo "make demo: first the installation, then 3 to 5 minutes of measuring and decoding"

test: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest --numprocesses auto --dist worksteal --durations 10

test-all: export SCHEMAWEAVER_TESTS = all
test-all: test

doctor: $(READY)
	$(BIN)/schemaweaver doctor

bench: setup
	$(BIN)/schemaweaver bench --out out $(BENCH_OPTIONS) $(addprefix --vocabularies ,$(wildcard $(TEST_FILES)/vocabularies))

paper: $(READY)
	$(BIN)/schemaweaver study paper --out out/paper

audit: setup
	$(BIN)/schemaweaver audit --out out/audit.json

boundaries: setup
	$(BIN)/schemaweaver boundaries --vocabularies $(TEST_FILES)/vocabularies --out out/boundaries.json

setup: $(READY) $(TEST_FILES)/version $(QWEN3)

# llama-cpp-python compiles for minutes, so what was compiled is kept, apart for each processor, compiler and flags: an
# engine for another machine dies here. `studies.machine.build_flags` says what this compiler must not be asked for.
# bfcl-eval is wanted for its data alone; its dependencies are many and old.
$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "needs Python 3.11 or newer; name one: make PYTHON=python3.12"; exit 1; }
	@command -v c++ >/dev/null || command -v g++ >/dev/null || { echo "needs a C++ compiler (Debian: apt install g++)"; exit 1; }
	@echo "Installing into $(VENV): $(ENGINE) compiles from source the first time, for about 10 minutes of one core;"
	@echo "with $(CORES) cores here that makes about $$((10 / $(CORES) + 1)) minutes. The other packages take one or two."
	$(PYTHON) -m venv $(VENV)
	@flags="$$($(PYTHON) -m studies.machine.build_flags)" && \
		export CFLAGS="$$flags $$CFLAGS" CXXFLAGS="$$flags $$CXXFLAGS" CMAKE_ARGS="-DLLAVA_BUILD=OFF $$CMAKE_ARGS" && \
		kind="$$({ grep -m 1 -E '^(flags|Features)' /proc/cpuinfo; $${CXX:-c++} --version; \
			echo "$$CFLAGS $$CXXFLAGS $$CMAKE_ARGS"; } 2>/dev/null | cksum | cut -d ' ' -f 1)" && \
		CMAKE_BUILD_PARALLEL_LEVEL=$(CORES) $(PIP) --progress-bar off --cache-dir "$(ENGINES)/$$kind" '$(ENGINE)'
	$(PIP) --quiet --editable '.[dev]'
	$(PIP) --quiet --no-deps bfcl-eval==2026.3.23
	@touch $@

# Real vocabularies and chat templates, for tests and measurements that do without where there is no network.
$(TEST_FILES)/version: $(READY)
	@$(BIN)/python tests/fetch_llama_cpp_files.py $(TEST_FILES) && touch $@ || \
		echo "Tests with real vocabularies and chat templates will be skipped"

# Qwen3's vocabulary, which llama.cpp's files lack, out of Qwen2's.
$(QWEN3): $(TEST_FILES)/version studies/qwen3_vocabulary.py
	@test ! -e $< || $(BIN)/python -m studies.qwen3_vocabulary $(TEST_FILES)/vocabularies/ggml-vocab-qwen2.gguf \
		$(TEST_FILES)/templates/Qwen-Qwen3-0.6B.jinja $@

# The compiled engines too: whoever cleans because one dies would get it back.
clean:
	rm -rf $(VENV) out $(ENGINES)
