# Everything on a machine that has only Python 3.11 or newer, git and make:
#
#   make play       run the built-in pile and write a recording, a plot and a picture into out/
#   make test       style, types and tests, as the continuous integration runs them
#   make validate   measured against expected: the physics scorecard (minutes)
#   make bench      speed and memory on this machine (minutes)
#   make web        rebuild the page of the station from web/ (needs Node 20 and npm)
#   make web-test   types and tests of the page, and that the built one is up to date
#   make clean      remove .venv, out/ and caches
#
# The first call makes .venv and installs the versions of constraints.txt into it. Another interpreter:
# make test PYTHON=/path/to/python3

VENV := .venv
PY := $(VENV)/bin/python
PYTHON ?=
CANDIDATES := python3.11 python3.12 python3.13 python3.14 python3 python
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
CAN_MAKE_VENV := import ensurepip, venv

# Build requirements are installed by pip in a place of their own, which only these variables reach.
export PIP_CONSTRAINT := constraints.txt
export PIP_BUILD_CONSTRAINT := constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
INSTALL := $(PY) -m pip install --quiet -c constraints.txt

.PHONY: help play test validate bench web web-test clean
.DEFAULT_GOAL := help

help:
	@sed -n 's/^#   make/make/p' Makefile

play: $(VENV)/.installed
	@mkdir -p out
	@$(PY) -m windrow run pile --out out/pile.h5
	@$(PY) -m windrow plot out/pile.h5 --out out/pile.png --quiet
	@$(PY) -m windrow render out/pile.h5 --out out/pile_picture.png --quiet
	@echo
	@echo "recording  out/pile.h5"
	@echo "plot       out/pile.png"
	@echo "picture    out/pile_picture.png"
	@echo "next       $(VENV)/bin/windrow list"

test: $(VENV)/.installed-dev
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(PY) -m pytest -m "not slow"

validate: $(VENV)/.installed
	$(PY) -m windrow validate

bench: $(VENV)/.installed
	$(PY) -m windrow bench

web: web/node_modules/.installed
	cd web && npm run --silent build

web-test: web/node_modules/.installed
	cd web && npm run --silent check && npm test --silent
	cd web && npx vite build --logLevel warn --outDir ../build/station
	diff -r build/station src/windrow/view/static

web/node_modules/.installed: web/package.json web/package-lock.json
	cd web && npm ci --silent
	@touch $@

clean:
	rm -rf $(VENV) out build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find src tests examples -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

$(VENV)/.installed: pyproject.toml constraints.txt | $(VENV)/.made
	@echo "Installing Windrow into $(VENV) (first time only; about a minute)"
	@$(INSTALL) -e .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt | $(VENV)/.made
	@echo "Installing Windrow and its test tools into $(VENV) (first time only; about a minute)"
	@$(INSTALL) -e '.[dev]'
	@touch $@ $(VENV)/.installed

$(VENV)/.made:
	@found=""; \
	for name in $(or $(PYTHON),$(CANDIDATES)); do \
	    if "$$name" -c '$(NEW_ENOUGH)' >/dev/null 2>&1; then found="$$name"; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
	    echo "Windrow needs Python 3.11 or newer; none found (tried: $(or $(PYTHON),$(CANDIDATES)))." >&2; \
	    echo "Install it, or say where it is: make $(MAKECMDGOALS) PYTHON=/path/to/python3" >&2; \
	    exit 1; \
	fi; \
	if ! "$$found" -c '$(CAN_MAKE_VENV)' >/dev/null 2>&1; then \
	    echo "$$found cannot make virtual environments: its modules venv and ensurepip are missing." >&2; \
	    echo "On Debian and Ubuntu: apt install python3-venv" >&2; \
	    exit 1; \
	fi; \
	if ! $(PY) -c 'import pip; $(NEW_ENOUGH)' >/dev/null 2>&1; then \
	    echo "Making $(VENV) with $$("$$found" --version)"; \
	    "$$found" -m venv --clear $(VENV); \
	fi
	@touch $@
