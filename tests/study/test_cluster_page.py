# SPDX-License-Identifier: MIT
"""What the page of clusters shows can be typed as it stands."""

from __future__ import annotations

import importlib
import re
import subprocess
from itertools import groupby
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "cluster.md").read_text(encoding="utf-8")
INDENT = "    "


def blocks() -> list[str]:
    """The indented blocks of the page."""
    runs = groupby(PAGE.splitlines(), key=lambda line: not line or line.startswith(INDENT))
    texts = ["\n".join(line[len(INDENT) :] for line in lines) for inside, lines in runs if inside]
    return [text for text in texts if text.strip()]


PYTHON = [text for text in blocks() if re.search(r"^(from|import) ", text, re.MULTILINE)]
SHELL = [text for text in blocks() if text not in PYTHON]


def test_its_programs_are_python() -> None:
    assert len(PYTHON) == 2
    for text in PYTHON:
        compile(text, "cluster.md", "exec")


def test_its_commands_are_what_a_shell_reads() -> None:
    assert len(SHELL) >= 4
    told = subprocess.run(["bash", "-n"], input="\n".join(SHELL), capture_output=True, text=True)
    assert (told.returncode, told.stderr) == (0, "")


def test_dask_has_the_commands_and_options_that_it_names() -> None:
    pytest.importorskip("distributed", reason="clusters need the extra `cluster`")
    asked = re.findall(r"^dask (\w+)(.*)$", "\n".join(SHELL), re.MULTILINE)
    assert {command for command, _ in asked} == {"scheduler", "worker", "ssh"}
    for command, rest in asked:
        known = importlib.import_module(f"distributed.cli.dask_{command}").main.params
        options = {option for each in known for option in each.opts}
        assert {*re.findall(r"--[a-z-]+", rest)} <= options
