# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
BUILD  := build
PREFIX ?= /usr/local
JOBS   := $(shell nproc)
# Tests wait for processes and pages: one more than there are cores.
TESTS  := $(shell echo $$(($(JOBS) + 1)))
VENV   := .venv/bin
SEED   ?= $(shell date +%Y%m%d0000)
SECONDS ?= 600
# LLVM's allocators mark memory as theirs, but the LLVM of Debian does not know that it should, and it frees what
# std::stable_sort has from operator new. A compile that ends in its middle leaves memory behind.
# Frames are several times as large.
ASAN   := ASAN_OPTIONS=allow_user_poisoning=0:alloc_dealloc_mismatch=0:detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1

# Ranks are killed fifty times without sanitizers.
QUICK_RANKS := -Controlled.RanksKilledAtRandomNeverHang

.DEFAULT_GOAL := build
.PHONY: setup setup-tests configure build build-tests demo test nightly random faults slice sample operations graphs asan tsan fuzz bench bench-report format lint tidy check-tidy docs install wheel wheel-check deb deb-check clean help

setup: ## install what building needs and is missing: Debian packages and .venv
	@scripts/setup.sh

setup-tests:
	@scripts/setup.sh tests

configure: setup
	@test -f $(BUILD)/build.ninja || cmake --preset dev --log-level=WARNING

build: configure ## set up and build the command, the libraries and the Python package (the default)
	@cmake --build $(BUILD) -j $(JOBS)

# What was configured before the packages of tests were there is configured again; nothing that stands is built again.
build-tests: setup-tests build
	@grep -q "^build tests:" $(BUILD)/build.ninja || cmake $(BUILD) --log-level=WARNING
	@cmake --build $(BUILD) -j $(JOBS) --target tests

demo: build ## compile and run the example kernels
	@$(BUILD)/bin/tegula demo examples

test: build-tests ## install and build what tests need, and run every test
	@ctest --test-dir $(BUILD) --output-on-failure -j $(TESTS)

nightly: build-tests ## all of these: random, operations, graphs, asan, tsan, faults, fuzz; a table of figures; SEED=1 to repeat a run
	@$(VENV)/python scripts/nightly.py --seed $(SEED)

faults: build-tests ## 1,000 kills of compiles, 200 killed ranks, full disks, full memory, allocations that fail
	@TEGULA_BIN=$(CURDIR)/$(BUILD)/bin $(VENV)/python test/faults/run.py --seed $(SEED)

# Small enough for every commit, whose number is the seed.
slice: build-tests ## random kernels, graphs and calls, and some faults, in 90 seconds; SEED=1 to repeat a run
	@scripts/slice.sh $(SEED)

random: build-tests ## compare 62,000 random kernels with the interpreter, and 3,000 with test/oracle
	@$(BUILD)/bin/tegula-differential --seed $(SEED) --count 34000 --jobs $(JOBS)
	@$(BUILD)/bin/tegula-differential --seed $(SEED) --count 9000 --jobs $(JOBS) --only carries
	@$(BUILD)/bin/tegula-differential --seed $(SEED) --count 1000 --jobs $(JOBS) --only grids
	@$(BUILD)/bin/tegula-differential --seed $(SEED) --count 1000 --jobs $(JOBS) --only barriers
	@$(BUILD)/bin/tegula-differential --seed $(SEED) --count 2000 --jobs $(JOBS) --num-threads 4 --only windows
	@$(BUILD)/bin/tegula-differential --seed $(SEED) --count 500 --jobs $(JOBS) --num-threads 1 --only windows --configuration 2
	@$(BUILD)/bin/tegula-differential --seed $(SEED) --count 2000 --jobs $(JOBS) --only rows --configuration 11
	@$(BUILD)/bin/tegula-differential --seed $(SEED) --count 2000 --jobs $(JOBS) --only layers --configuration 11
	@$(BUILD)/bin/tegula-differential --seed $(SEED) --count 2000 --jobs $(JOBS) --only tiles --configuration 12
	@$(BUILD)/bin/tegula-differential --seed $(SEED) --count 1000 --jobs $(JOBS) --only scratch
	@$(BUILD)/bin/tegula-differential --seed $(SEED) --count 1000 --jobs $(JOBS) --only matmuls --configuration 0
	@$(BUILD)/bin/tegula-differential --seed $(SEED) --count 2000 --jobs $(JOBS) --only norms
	@$(BUILD)/bin/tegula-differential --seed $(SEED) --count 1000 --jobs $(JOBS) --only ends
	@$(BUILD)/bin/tegula-differential --seed $(SEED) --count 1000 --jobs $(JOBS) --only panels
	@$(BUILD)/bin/tegula-differential --seed $(SEED) --count 1000 --jobs $(JOBS) --only epilogues
	@$(BUILD)/bin/tegula-differential --seed $(SEED) --count 2000 --jobs $(JOBS) --only attention
	@$(BUILD)/bin/tegula-differential --seed $(SEED) --count 4000 --jobs $(JOBS) --only edges
	@$(BUILD)/bin/tegula-differential --seed $(SEED) --count 1000 --jobs $(JOBS) --only ranks
	@TEGULA_BIN=$(CURDIR)/$(BUILD)/bin $(VENV)/python test/oracle/compare.py random --seed $(SEED) --count 3000 --jobs $(JOBS)

operations: build-tests ## judge torch.compile(backend="tegula") by PyTorch's own samples of its operations
	@$(VENV)/python test/torch/opinfo.py --jobs $(JOBS) --write docs/torch-ops.md

# A seed that nobody tried yet, by default that of the day.
sample: build-tests ## some 2,000 random kernels of every theme, 40 random graphs and 400 calls, in four minutes; SEED=1 to repeat a run
	@echo "sample: SEED=$(SEED)"
	@$(BUILD)/bin/tegula-differential --seed $(SEED) --count 1200 --jobs $(JOBS)
	@for theme in carries grids barriers windows scratch matmuls epilogues norms ends panels attention edges ranks; do \
	    $(BUILD)/bin/tegula-differential --seed $(SEED) --count 60 --jobs $(JOBS) --only $$theme || exit 1; done
	@for theme in rows layers; do \
	    $(BUILD)/bin/tegula-differential --seed $(SEED) --count 20 --jobs $(JOBS) --only $$theme --configuration 11 || exit 1; done
	@$(VENV)/python test/torch/random_graphs.py --seed $(SEED) --count 40
	@$(VENV)/python test/python/random_calls.py --seed $(SEED) --count 10

graphs: build-tests ## compare 2,000 random graphs of PyTorch's operations with eager mode, and random calls with NumPy
	@$(VENV)/python test/torch/random_graphs.py --seed $(SEED) --count 2000
	@$(VENV)/python test/python/random_calls.py --seed $(SEED) --count 100

build-asan/build.ninja build-tsan/build.ninja: | setup
	@scripts/setup.sh sanitizers
	@cmake --preset $(@:build-%/build.ninja=%) --log-level=WARNING

asan: build-asan/build.ninja ## unit tests and 2,000 random kernels under the address and undefined-behaviour sanitizers
	@cmake --build build-asan -j $(JOBS) --target tegula-tests tegula-sim-tests tegula-dist-tests tegula-differential
	@$(ASAN) build-asan/bin/tegula-dist-tests --gtest_brief=1 --gtest_filter=$(QUICK_RANKS)
	@ulimit -s 65536 && $(ASAN) build-asan/bin/tegula-tests --gtest_brief=1
	@$(ASAN) build-asan/bin/tegula-sim-tests --gtest_brief=1
	@$(ASAN) build-asan/bin/tegula-differential --seed $(SEED) --count 2000 --jobs $(JOBS)

tsan: build-tsan/build.ninja ## guard, cache, parallel kernels and ranks under the thread sanitizer
	@cmake --build build-tsan -j $(JOBS) --target tegula-thread-tests tegula-dist-tests
	@TSAN_OPTIONS=ignore_noninstrumented_modules=1:die_after_fork=0 build-tsan/bin/tegula-thread-tests --gtest_brief=1
	@TSAN_OPTIONS=ignore_noninstrumented_modules=1 build-tsan/bin/tegula-dist-tests --gtest_brief=1 --gtest_filter=$(QUICK_RANKS)

fuzz: build-asan/build.ninja ## fuzz all that is read from outside, each kind for SECONDS
	@cmake --build build-asan -j $(JOBS) --target fuzzers
	@python3 scripts/fuzz.py --seconds $(SECONDS) --jobs $(JOBS)

bench: build-tests ## measure the example kernels against NumPy, and calls from Python against the peers in .venv
	@scripts/setup.sh rivals
	@cmake --build $(BUILD) -j $(JOBS) --target benchmarks
	@$(VENV)/python bench/run.py
	@$(VENV)/python bench/jit.py

bench-report: build-tests ## measure kernels against their rivals on one thread and on two, two hours in all; table and drawing of the README
	@scripts/setup.sh rivals
	@cmake --build build -j $(JOBS) --target tegula-peak
	@$(VENV)/python bench/matmul.py
	@THREADS=2 $(VENV)/python bench/matmul.py
	@$(VENV)/python bench/attention.py
	@THREADS=2 $(VENV)/python bench/attention.py
	@$(VENV)/python bench/memory_bound.py
	@$(VENV)/python bench/sorts.py
	@$(VENV)/python bench/report.py
	@$(VENV)/python scripts/draw-pictures.py

format: setup-tests ## format C++ and Python
	@python3 scripts/check-format.py --fix
	@$(VENV)/ruff format -q scripts examples bench python docs test/e2e test/python
	@$(VENV)/ruff check -q --fix .

lint: tidy ## format, layer, name, size and text checks, ruff, clang-tidy
	@for guard in layers names words size text format; do python3 scripts/check-$$guard.py || exit 1; done
	@$(VENV)/ruff check -q .

tidy: build-tests ## clang-tidy over the compiler and the tools (slow)
	@run-clang-tidy-22 -quiet -j $(JOBS) -p $(BUILD) '^$(CURDIR)/(tegula|tools)/[^.]*\.cpp$$'

check-tidy: build-tests ## clang-tidy over what differs from the main branch, as CI does
	@python3 scripts/check-tidy.py --build $(BUILD) --jobs $(JOBS)

docs: build ## make the documentation a site in build/site, with the op and pass reference
	@scripts/setup.sh docs
	@cmake --build $(BUILD) --target docs
	@$(VENV)/python scripts/build-site.py

install: build ## install the command, the library and its headers under PREFIX
	@cmake --install $(BUILD) --prefix "$(PREFIX)"

# auditwheel finds that nothing is needed of a system but glibc 2.36 and libstdc++ (and MPI, for ranks over it), and says so
# in the name.
wheel: setup-tests ## build the Python package, with LLVM inside, into dist
	@rm -rf build-wheel/dist && $(VENV)/python -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w build-wheel/dist .
	@PATH=$(VENV):$$PATH auditwheel repair --plat manylinux_2_36_x86_64 --exclude libmpi.so.40 -w dist build-wheel/dist/*.whl 2>build-wheel/auditwheel.log || { cat build-wheel/auditwheel.log; exit 1; }
	@ls -sh dist/*.whl

wheel-check: wheel ## try the wheel in a bare system that has neither LLVM nor a compiler (as root)
	@scripts/setup.sh packages
	@scripts/bare-system.sh scripts/try-wheel.sh dist/*manylinux*.whl

deb: build ## build the Debian packages tegula and python3-tegula into dist
	@scripts/setup.sh packages
	@cpack --config $(BUILD)/CPackConfig.cmake >$(BUILD)/cpack.log || { cat $(BUILD)/cpack.log; exit 1; }
	@mkdir -p dist && cp $(BUILD)/packages/*.deb dist && ls -sh dist/*.deb

deb-check: deb ## install the Debian packages into a bare system and try them (as root)
	@scripts/bare-system.sh scripts/try-deb.sh dist/*.deb

clean: ## remove the build folder
	@rm -rf $(BUILD)

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20
