# Python 3.11 and make are all a machine needs: the first target that needs it creates .venv and installs into it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements/ci.txt

.DEFAULT_GOAL := help
.PHONY: help demo smoke test test-all test-optimized test-install wheel check format bench docs docs-serve test-docs clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: $(VENV)/runtime-installed ## train LeNet-5 on real digits, evaluate, save, reload, predict
	@$(BIN)/python demo/train_mnist.py

test: $(VENV)/development-installed ## run all tests and the examples in the documentation
	@$(BIN)/python -m pytest -n 2 --doctest-modules tests src/mindspore

smoke: $(VENV)/development-installed ## what must always work, in a few seconds
	@$(BIN)/python -m pytest -q tests/test_tiny.py

# Every part can be run by itself: `make test-all-ops`. `make -k test-all` goes on after a part that failed.
FOLDERS := $(sort $(foreach file,$(wildcard tests/*/test_*.py tests/*/*/test_*.py),$(word 2,$(subst /, ,$(file)))))
PARTS := $(addprefix test-all-,$(FOLDERS) files examples)
.PHONY: $(PARTS)

test-all: $(PARTS) ## run all tests, those that take long included: an hour or more, in parts

test-all-files: TESTS := $(wildcard tests/test_*.py)
test-all-examples: TESTS := --doctest-modules src/mindspore
$(PARTS): $(VENV)/development-installed
	@$(BIN)/python -m pytest -n 2 -m "" $(or $(TESTS),tests/$(@:test-all-%=%))

test-optimized: $(VENV)/development-installed ## run a part of the tests as users run programs: with all of XLA's optimizations
	@XLA_FLAGS= $(BIN)/python -m pytest -n 2 tests/test_tiny.py tests/kernels tests/networks tests/engine/execution \
	  tests/engine/graph tests/ops/test_registry.py tests/train/test_golden_training.py

wheel: $(VENV)/development-installed ## build wheels and the source distribution into dist/, and check that the kernels are inside
	@$(BIN)/python tools/build_wheels.py dist

test-install: ## build the wheels, install them in a fresh environment elsewhere, and use the package there
	@$(PYTHON) tools/try_install.py

check: $(VENV)/development-installed ## lint, format, types, layers, generated files, translations, explanations
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/python tools/generate.py --check
	$(BIN)/python tools/translations.py
	$(BIN)/python tools/documentation/lacking.py --check

format: $(VENV)/development-installed ## put the source into the form that `make check` expects
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/python tools/generate.py

bench: $(VENV)/development-installed ## measure speed and memory, as ratios within one run
	@$(BIN)/python -m benchmarks

docs: $(VENV)/docs-installed ## build the site, in English and Chinese, into build/site
	@$(BIN)/python tools/documentation/build.py

docs-serve: $(VENV)/docs-installed ## serve the site at http://localhost:8000
	@test -f build/site/zh/index.html || $(MAKE) --no-print-directory docs
	@$(BIN)/python tools/documentation/build.py --serve 8000

test-docs: docs ## test the built site, in a real browser where Chromium is installed
	@$(BIN)/python -m pytest -m "" tests/documentation

clean: ## remove the virtual environment and all caches
	rm -rf $(VENV) build shim/build .pytest_cache .ruff_cache .hypothesis .import_linter_cache src/*.egg-info shim/*.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# An interrupted installation leaves no stamp, so the next run starts it again.
SOURCES := pyproject.toml requirements/ci.txt setup.py $(wildcard src/mindspore/_kernels/native/*) $(wildcard src/mindspore/_kernels/native/programs/*) $(wildcard src/mindspore/_kernels/native/elementwise/*) $(wildcard src/mindspore/_utils/files/native/*) shim/pyproject.toml shim/setup.py

$(VENV)/runtime-installed: $(SOURCES)
	$(call install,.)
	@touch $@

$(VENV)/development-installed: $(SOURCES)
	$(call install,.[dev])
	@touch $(VENV)/runtime-installed $@

$(VENV)/docs-installed: $(VENV)/development-installed requirements/docs.txt
	@echo "Installing what the site needs into $(VENV) (once) ..."
	@$(PIP_INSTALL) --constraint requirements/docs.txt --no-build-isolation --editable '.[docs]'
	@touch $@

# What the build needs is installed first, and used from there: an environment for building would hold all of it once more.
define install
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
  "Python 3.11 or newer is needed, this is %d.%d: make PYTHON=/path/to/python3.11" % sys.version_info[:2])'
@echo "Installing into $(VENV) (once) ..."
@$(PYTHON) -m venv $(VENV)
@$(PIP_INSTALL) 'setuptools>=77' 'jaxlib>=0.10.2,<0.11'
@$(PIP_INSTALL) --no-build-isolation --editable '$(1)'
@$(PIP_INSTALL) --no-build-isolation --no-deps ./shim
@$(BIN)/python -m compileall -q src/mindspore
endef
