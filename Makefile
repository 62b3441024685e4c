# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
BUILD  := build
PREFIX ?= /usr/local
JOBS   := $(shell nproc)
VENV   := .venv/bin
SEED   ?= $(shell date +%Y%m%d0000)

.DEFAULT_GOAL := build
.PHONY: setup configure build demo test nightly bench format lint tidy docs install wheel clean help

setup: ## install what is missing: Debian packages and .venv
	@scripts/setup.sh

configure: setup
	@test -f $(BUILD)/build.ninja || cmake --preset dev --log-level=WARNING

build: configure ## set up and build (the default)
	@cmake --build $(BUILD) -j $(JOBS)

demo: build ## compile and run the example kernels
	@$(BUILD)/bin/tegula demo examples

test: build ## run every test
	@ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS)

nightly: build ## compare 50,000 random kernels with the interpreter; SEED=1 to repeat a run
	@$(BUILD)/bin/tegula-differential --seed $(SEED) --count 50000 --jobs $(JOBS)

bench: build ## measure the example kernels against NumPy, and calls from Python against the peers in .venv
	@$(VENV)/python bench/run.py
	@$(VENV)/python bench/jit.py

format: setup ## format C++ and Python
	@python3 scripts/check-format.py --fix
	@$(VENV)/ruff format -q scripts examples bench python docs test/e2e test/python
	@$(VENV)/ruff check -q --fix .

lint: tidy ## format, layer, name, size and text checks, ruff, clang-tidy
	@for guard in layers names size text format; do python3 scripts/check-$$guard.py || exit 1; done
	@$(VENV)/ruff check -q .

tidy: build ## clang-tidy over the compiler and the tools (slow)
	@run-clang-tidy-22 -quiet -j $(JOBS) -p $(BUILD) '^$(CURDIR)/(tegula|tools)/[^.]*\.cpp$$'

docs: configure ## generate the op and pass reference into build/docs
	@cmake --build $(BUILD) --target docs

install: build ## install the command, the library and its headers under PREFIX
	@cmake --install $(BUILD) --prefix "$(PREFIX)"

wheel: setup ## build the Python package into dist
	@$(VENV)/python -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w dist .

clean: ## remove the build folder
	@rm -rf $(BUILD)

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 18
