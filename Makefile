PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := pyproject.toml $(shell find core/native -type f 2>/dev/null)

.PHONY: demo test lint format gallery sanitize benchmark clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "scikit-build-core>=0.11" "nanobind>=2.4" "cmake>=3.18" ninja

demo: $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation .

