# SPDX-License-Identifier: MIT
"""The files of the textbook solvers, which are made to be read beside their documents."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.rows import every_row

FOLDER = Path(__file__).parents[2] / "core" / "solvers"
FILES = sorted(FOLDER.glob("*.py"))
MOST_LINES = 250
SHARED = ("__init__.py", "system.py")


@every_row("file", FILES, ids=lambda file: file.name)
def test_a_solver_is_one_short_file(file):
    assert len(file.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


@every_row("file", [f for f in FILES if f.name not in SHARED], ids=lambda f: f.name)
def test_a_solver_names_its_document_and_the_part_of_it(file):
    told = " ".join((ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "").split())
    assert re.search(r"[Dd]ocuments? 00[0-4]|\b00[0-4], (part|[A-Z]\d*)", told)
    assert re.search(r"part|\b[A-Z]\d+\b|SiMS", told)
