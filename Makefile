# The two commands of this project, and the everyday ones. Everything real happens in the CMake presets.
#
#   make demo       install what is missing, build, run the default experiment
#   make test       install what is missing, build, run every quick test, many in other builds too: the gate that CI runs
#   make check      inner loop: everyday build and its quick tests
#   make test-slow  the tests labelled slow
#   make sanitize   all quick tests under the address and undefined-behaviour sanitizers;   make double: in double
#   make bench      speed beside JAX, PyTorch and the machine's limits;   make bench-micro: one step at many sizes
#   make wheel      the Python package for every x86-64 processor in build/wheels;   make python-test: its tests
#   make package    Debian packages in build/package;   make docs: the documentation site in build/docs
#   make format, make tidy: formatter, linter;   make tsan: thread sanitizer

JOBS ?= $(shell nproc)
BUILD = cmake --preset $(1) --log-level=WARNING > /dev/null && cmake --build --preset $(1) -j $(JOBS) -- --quiet
SOURCES = $(shell git ls-files --cached --others --exclude-standard '*.h' '*.cc')
export CTEST_PARALLEL_LEVEL ?= $(JOBS)
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(JOBS)

.PHONY: help demo test python-test wheel sanitize double check test-slow bench bench-micro format format-check tidy tsan package docs \
	packages clean

help:
	@sed -n 's/^#   //p' Makefile

packages:
	@scripts/install-packages

# Waveform is generated, so that the demo needs no data.
demo: packages
	@$(call BUILD,release) fedstein
	@build/release/apps/fedstein data make waveform -o runs/demo/data --force
	@build/release/apps/fedstein run experiments/demo.toml --data runs/demo/data --folder runs/demo

# Everything in the everyday build; in the others what they can tell something new about, so that a whole run
# without a compiler cache stays short (`make sanitize`, `make tsan`, `make double` for all of it):
#   address, undefined behaviour: what handles bytes from outside, memory of its own, a stop in the middle; and every
#     method on every model
#   threads: what threads share. gRPC is compiled unwatched, so rpc is left out; the crash search has one thread,
#     and every method meets the relays' threads in one way
#   double precision: kernels, scores and their gradients, every method, the golden cases
#   Python: the package of these two builds' libraries, installed as a user installs it
# Ends with ctest's summary of the everyday build, and what was skipped in each.
SANITIZED = base;files;data;table;every_method;posterior;config;exchange;store;trust;fetch;serving;relay;rpc;network;live
NOT_SANITIZED = ^Shards\.|^Registry/.*(DoesNotDependOnTheNumberOfThreads|TwoRoundsMove)
THREADED = exchange;store;serving;relay
NOT_THREADED = ^ChaosSearch|RelayParity
COMPUTING = numeric;stein;metrics;model;every_method;golden
PART = cmake --preset $(1) --log-level=WARNING "-DFEDSTEIN_TEST_FOLDERS=$(2)" -DFEDSTEIN_APPS=OFF -DFEDSTEIN_EXAMPLES=OFF > /dev/null && \
	cmake --build --preset $(1) -j $(JOBS) --target chosen_tests -- --quiet
WHOLE = cmake --preset $(1) --log-level=WARNING -UFEDSTEIN_TEST_FOLDERS -UFEDSTEIN_APPS -UFEDSTEIN_EXAMPLES > /dev/null && \
	cmake --build --preset $(1) -j $(JOBS) -- --quiet
QUIETLY = rm -f build/tests-of-$(1).xml; ctest --preset $(1) --quiet $(if $(2),-E '$(2)') || { scripts/test-outcomes failed $(1); exit 1; }

test: packages format-check
	@echo "== sanitizers: address, undefined behaviour"
	@$(call PART,asan-ubsan,$(SANITIZED))
	@$(call QUIETLY,asan-ubsan,$(NOT_SANITIZED))
	@echo "== thread sanitizer"
	@$(call PART,tsan,$(THREADED))
	@$(call QUIETLY,tsan,$(NOT_THREADED))
	@echo "== double precision"
	@$(call PART,double,$(COMPUTING))
	@$(call QUIETLY,double)
	@$(call BUILD,dev)
	@echo "== Python"
	@scripts/python-test
	@echo "== single precision"
	@ctest --preset dev; outcome=$$?; scripts/test-outcomes skipped asan-ubsan tsan double dev; exit $$outcome

# The Python package with the libraries of build/dev and build/double.
python-test: packages
	@scripts/python-test

wheel: packages
	@scripts/python-wheel

sanitize: packages
	@$(call WHOLE,asan-ubsan)
	@ctest --preset asan-ubsan

double: packages
	@$(call WHOLE,double)
	@ctest --preset double

check: packages
	@$(call BUILD,dev)
	@ctest --preset dev

test-slow: packages
	@$(call BUILD,dev)
	@ctest --preset slow
	@scripts/python-test -m slow
	@scripts/python-install

# The local loop beside the peers of $FEDSTEIN_PEERS, the product around it, and how both grow. BENCH_ARGS go to the race:
# BENCH_ARGS="--python PATH blr toy".
bench: packages
	@$(call BUILD,release)
	@benchmarks/race $(BENCH_ARGS)
	@benchmarks/race-controlled
	@benchmarks/race-python
	@build/release/benchmarks/fedstein-whole --program build/release/apps/fedstein --json build/release/whole.json
	@build/release/benchmarks/fedstein-autodiff
	@build/release/benchmarks/fedstein-growth --json build/release/growth.json

# One step of svgd() at many sizes, by google-benchmark.
bench-micro: packages
	@$(call BUILD,release)
	@build/release/benchmarks/fedstein-bench $(BENCH_ARGS)

format: packages
	@clang-format-14 -i $(SOURCES)

format-check: packages
	@clang-format-14 --dry-run --Werror $(SOURCES) && echo "format: $(words $(SOURCES)) files are as clang-format wants them"

# Headers that stand by themselves, then clang-tidy.
tidy: packages
	@$(call BUILD,dev) all_verify_interface_header_sets
	@$(call BUILD,tidy)

tsan: packages
	@$(call WHOLE,tsan)
	@ctest --preset tsan

# On x86-64 the program three times, for ever better processors (cmake/levels.cmake).
package: packages
	@$(call BUILD,package)
	@cd build/package && cpack -G DEB

docs: packages
	@scripts/build-docs

clean:
	rm -rf build
