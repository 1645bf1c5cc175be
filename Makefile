# Two commands do everything: `make play` and `make test`. Both set up a virtual environment first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
unexport PYTHONDONTWRITEBYTECODE  # the tests start hundreds of processes: none of them should parse our modules again

.PHONY: play test test-all lint bench docs dist wheel clean

play: $(VENV)/.installed
	@trap : INT; $(BIN)/tilewright play || [ $$? = 130 ]  # Ctrl-C is how it ends

test: CHOSEN = -m "not slow"
test test-all:
	@$(MAKE) --no-print-directory -j2 $(VENV)/.ready lint $(VENV)/.ready-browser  # compiling beside installing
	@$(BIN)/python -m pytest -n auto --dist worksteal $(CHOSEN)  # neighbouring tests share their fixtures and kernels

lint: $(VENV)/.ready-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: $(VENV)/.ready
	@$(BIN)/python benchmarks/speed.py

wheel: $(VENV)/.installed
	@$(BIN)/python tools/build_wheel.py

docs: $(VENV)/.ready-dev
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "The site is in site/; '$(BIN)/mkdocs serve' shows it while you write."

dist: $(VENV)/.ready-dev
	@$(BIN)/python tools/build_release.py

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Tilewright needs Python 3.11 or newer, this is " + sys.version.split()[0] + "; try: make PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Setting up Tilewright in $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[web]'
	@touch $@

$(VENV)/.ready: $(VENV)/.installed
	@$(BIN)/python -m tilewright.server.warm
	@touch $@

$(VENV)/.ready-dev: $(VENV)/.installed
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

$(VENV)/.ready-browser: tools/browser.sh | $(VENV)/.ready-dev
	@sh tools/browser.sh $(BIN)/python
	@touch $@

clean:
	rm -rf $(VENV) dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
