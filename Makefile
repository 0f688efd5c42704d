# Everything on a machine that has only Python 3.11 or newer, git and make:
#
#   make play       open the station in the browser: an excavator on a site, and a truck to load (SCENE=pile: another one)
#   make pile       run the built-in pile and write a recording, a plot and a picture into out/
#   make test       style, types and tests, as the continuous integration runs them; some need Chromium, which is
#                   installed if the machine is Debian or Ubuntu and we may; where npm is there, make web-test first
#   make validate   measured against expected: the physics scorecard (minutes)
#   make bench      speed and memory on this machine (minutes)
#   make wheel      build a wheel that brings its kernels compiled, into dist/
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
# Bytecode is made when a module is first imported: making it for all of them is half of the time that installing takes.
INSTALL := $(PY) -m pip install --quiet --no-compile -c constraints.txt

SCENE ?= excavator

PARTS_OF_TEST := style types kernels tests station-tests
.PHONY: help play pile test $(PARTS_OF_TEST) browser validate fuzz bench wheel web web-test clean
.DEFAULT_GOAL := help

help:
	@sed -n 's/^#   make/make/p' Makefile

# Opens a browser if there is one, prints the address in any case, and goes on until Ctrl-C; where nobody sits at a
# terminal, until no page has been open for a while.
play: $(VENV)/.installed
	@if [ -t 1 ]; then $(PY) -m windrow play $(SCENE); else $(PY) -m windrow play $(SCENE) --leave-after 20; fi

pile: $(VENV)/.installed
	@mkdir -p out
	@$(PY) -m windrow run pile --out out/pile.h5
	@$(PY) -m windrow plot out/pile.h5 --out out/pile.png --quiet
	@$(PY) -m windrow render out/pile.h5 --out out/pile_picture.png --quiet
	@echo
	@echo "recording  out/pile.h5"
	@echo "plot       out/pile.png"
	@echo "picture    out/pile_picture.png"
	@echo "next       $(VENV)/bin/windrow list"

# All parts run, and at the end it is said which failed. Tests of the station look at the clock: they come last and
# have the machine to themselves.
test: $(VENV)/.installed-dev
	@failed=""; \
	for part in $$(command -v npm >/dev/null 2>&1 && echo web-test) $(PARTS_OF_TEST); do \
	    $(MAKE) --no-print-directory $$part || failed="$$failed $$part"; \
	done; \
	if [ -n "$$failed" ]; then echo "make test: failed:$$failed" >&2; exit 1; fi

style:
	$(PY) -m ruff check .
types:
	$(PY) -m mypy
kernels:
	$(PY) -m windrow warmup --quiet
tests:
	$(PY) -m pytest -m "not slow" --ignore=tests/view -n 2 --dist worksteal
station-tests: browser
	WINDROW_BROWSER_TESTS=required $(PY) -m pytest -m "not slow" tests/view

# The station is tested in a real browser.
browser:
	@for name in chromium chromium-browser google-chrome; do \
	    if command -v "$$name" >/dev/null 2>&1; then exit 0; fi; \
	done; \
	if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then \
	    echo "The tests of the station need Chromium. On Debian and Ubuntu: sudo apt-get install chromium" >&2; \
	    exit 1; \
	fi; \
	echo "Installing Chromium for the tests of the station (first time only)"; \
	apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null

validate: $(VENV)/.installed-dev
	$(PY) -m windrow validate
	$(PY) -m pytest -m slow

# SECONDS=60 SEED=1 make fuzz
fuzz: $(VENV)/.installed-dev
	$(PY) tools/fuzz.py --seconds $(or $(SECONDS),600) $(if $(SEED),--seed $(SEED))

bench: $(VENV)/.installed
	$(PY) -m windrow bench

wheel: $(VENV)/.installed-dev
	@$(PY) tools/wheel.py

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
