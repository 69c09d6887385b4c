# Every target works on a fresh clone: it makes .venv first. PYTHON names another interpreter (3.11 or later).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
.DEFAULT_GOAL := help

.PHONY: help setup demo dev up test check check-bank bench lock clean

help: ## This list.
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

setup: $(VENV)/.ready ## The environment to run factsweep.

$(VENV)/.ready: requirements.lock requirements-model.lock requirements-uv.lock pyproject.toml
	@$(PYTHON) scripts/setup.py $(VENV)
	@touch $@

$(VENV)/.ready-dev: $(VENV)/.ready requirements-dev.lock
	@$(PYTHON) scripts/setup.py $(VENV) --dev
	@touch $@

demo: setup ## Sweep the embedded model and the baselines over the shipped bank; print the leaderboard.
	@$(BIN)/factsweep demo

dev: setup ## The Dagster UI on http://127.0.0.1:3000, with its daemon; Ctrl-C ends it.
	@$(BIN)/python -m orchestration.dev

up: setup ## For unattended operation: webserver, daemon and code server, kept alive; schedules are on.
	@exec $(BIN)/python -m orchestration.up

test: $(VENV)/.ready-dev ## All tests.
	@$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

check: $(VENV)/.ready-dev ## Format, lint, types, and whether Dagster loads the definitions.
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/pyright
	@$(BIN)/python -m orchestration.validate

check-bank: $(VENV)/.ready-dev ## Whether each gold of the shipped bank is still what an authoritative package says.
	@$(BIN)/python -m checks.evidence

bench: $(VENV)/.ready-dev ## What a sweep costs in CPU, wall and memory, beside bare litellm.
	@$(BIN)/python -m benchmarks

lock: ## Make the lock files anew (needs uv).
	@$(PYTHON) scripts/lock.py

clean: ## Remove the environment; state in .factsweep stays.
	rm -rf $(VENV)
