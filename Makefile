# The two commands of this project, and the everyday ones. Everything real happens in the CMake presets.
#
#   make demo       install what is missing, build, run the default experiment
#   make test       install what is missing, build and run every quick test in every build: the gate that CI runs
#   make check      inner loop: everyday build and its quick tests
#   make test-slow  the tests labelled slow
#   make sanitize   all quick tests under the address and undefined-behaviour sanitizers;   make double: in double
#   make bench      speed beside JAX, PyTorch and the machine's limits;   make bench-micro: one step at many sizes
#   make package    Debian packages in build/package;   make docs: the API's pages in build/docs
#   make format, make tidy: formatter, linter;   make tsan: thread sanitizer

JOBS ?= $(shell nproc)
BUILD = cmake --preset $(1) --log-level=WARNING > /dev/null && cmake --build --preset $(1) -j $(JOBS) -- --quiet
SOURCES = $(shell git ls-files --cached --others --exclude-standard '*.h' '*.cc')
export CTEST_PARALLEL_LEVEL ?= $(JOBS)
export CMAKE_BUILD_PARALLEL_LEVEL ?= $(JOBS)

.PHONY: help demo test sanitize double check test-slow bench bench-micro format format-check tidy tsan package docs \
	packages clean

help:
	@sed -n 's/^#   //p' Makefile

packages:
	@scripts/install-packages

# Twonorm is generated, so that the demo needs no data.
demo: packages
	@$(call BUILD,release) fedstein
	@build/release/apps/fedstein data make twonorm -o runs/demo/data --force
	@build/release/apps/fedstein run experiments/demo.toml --data runs/demo/data --folder runs/demo

# Everything in the everyday build; under the sanitizers what handles bytes from outside and memory of its own, in double
# precision what computes (`make sanitize`, `make double` for all of it). Ends with the everyday build, so that ctest's
# summary of it is the last thing on the screen.
SANITIZED = numeric;stein;metrics;data;federated;posterior;exchange;store;trust;fetch
COMPUTING = numeric;stein;metrics;model;federated;algorithm;posterior;golden
PART = cmake --preset $(1) --log-level=WARNING "-DFEDSTEIN_TEST_FOLDERS=$(2)" -DFEDSTEIN_APPS=OFF -DFEDSTEIN_EXAMPLES=OFF > /dev/null && \
	cmake --build --preset $(1) -j $(JOBS) --target chosen_tests -- --quiet
WHOLE = cmake --preset $(1) --log-level=WARNING -UFEDSTEIN_TEST_FOLDERS -UFEDSTEIN_APPS -UFEDSTEIN_EXAMPLES > /dev/null && \
	cmake --build --preset $(1) -j $(JOBS) -- --quiet

test: packages format-check
	@echo "== sanitizers: address, undefined behaviour"
	@$(call PART,asan-ubsan,$(SANITIZED))
	@ctest --preset asan-ubsan --quiet || ctest --preset asan-ubsan --rerun-failed --output-on-failure
	@echo "== double precision"
	@$(call PART,double,$(COMPUTING))
	@ctest --preset double --quiet || ctest --preset double --rerun-failed --output-on-failure
	@echo "== single precision"
	@$(call BUILD,dev)
	@ctest --preset dev

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

# The local loop beside the peers of $FEDSTEIN_PEERS, the product around it, and how both grow. BENCH_ARGS go to the race:
# BENCH_ARGS="--python PATH blr toy".
bench: packages
	@$(call BUILD,release)
	@benchmarks/race $(BENCH_ARGS)
	@build/release/benchmarks/fedstein-whole --program build/release/apps/fedstein --json build/release/whole.json
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
	@$(call BUILD,tsan)
	@ctest --preset tsan

# On x86-64 the program three times, for ever better processors (cmake/levels.cmake).
package: packages
	@$(call BUILD,package)
	@cd build/package && cpack -G DEB

docs: packages
	@mkdir -p build/docs && doxygen docs/Doxyfile && echo "docs: build/docs/html/index.html"

clean:
	rm -rf build
