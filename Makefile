# Two commands need nothing but Python 3.11+ with venv, git and make:
#   make demo   an evening at the table in under a minute
#   make test   ruff, mypy and the whole test suite

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: demo test lint bench bench-rules bench-screen bench-start soak containers hardware clean

demo: $(VENV)/.installed
	@$(BIN)/dicetable demo

test: $(VENV)/.installed-test lint
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Heavier work, each with its own command.
bench: $(VENV)/.installed            # reads every recorded throw, writes the committed table
	$(BIN)/dicetable bench tests/recordings --markdown tests/recordings/BENCH.md

bench-rules: $(VENV)/.installed      # acts a second, and the cost of resuming a game
	$(BIN)/python tests/firmware/rules/bench_rules.py

bench-screen: $(VENV)/.installed     # the cost of a redraw, and of a table at which nothing moves
	$(BIN)/python tests/display/bench_redraw.py
	$(BIN)/python tests/display/bench_idle.py

bench-start: $(VENV)/.installed      # from the command to the first picture, and until ready
	$(BIN)/python tests/firmware/bench_start.py

soak: $(VENV)/.installed             # 50,000 throws with faults at random, about half an hour
	$(BIN)/python -m firmware.soak --throws 50000 --out tests/firmware/SOAK.md

containers: $(VENV)/.installed       # the installer and the units in Debian 12 and 13 (root, 20 min)
	PYTHON=$(abspath $(BIN))/python tests/systemd/container.sh bookworm
	PYTHON=$(abspath $(BIN))/python tests/systemd/container.sh trixie

hardware: $(VENV)/.installed         # STL and pictures of every part (needs openscad)
	$(MAKE) -C hardware PYTHON=$(abspath $(BIN))/python

$(VENV)/bin/python:
	@echo "Making an environment of its own in $(VENV); this takes a minute, once."
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-test: pyproject.toml | $(VENV)/bin/python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) out .mypy_cache .ruff_cache .pytest_cache .hypothesis
