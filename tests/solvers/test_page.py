# SPDX-License-Identifier: MIT
"""docs/solvers.md names every solver, and its pictures are those that its scenes make."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rigid2d.core.scene.blocks.world.solver import KINDS

from tests.solvers import counted
from tests.solvers.drawn import ROOT, account, drawn

PAGE = (ROOT / "docs/solvers.md").read_text(encoding="utf-8")
PILES = (ROOT / "docs/four-piles.md").read_text(encoding="utf-8")


def test_the_page_has_every_solver_with_its_file():
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| (.*) \|$", PAGE, re.MULTILINE))
    assert set(rows) == set(KINDS)
    files = {file for row in rows.values() for file in re.findall(r"`(core/\S+)`", row)}
    assert {Path(file).stem for file in files} == set(KINDS) - {"soft_step", "textbook_impulse"}
    assert "`core/solvers/sequential_impulse.py`" in rows["textbook_impulse"]
    assert all((ROOT / file).is_file() for file in files)


def test_every_picture_of_the_page_is_made_by_make_solvers_and_shown():
    shown = {f"docs/{path}" for path in re.findall(r"!\[.*?\]\((\S+?)\)", PAGE + PILES)}
    there = {f"docs/solvers/{path.name}" for path in (ROOT / "docs/solvers").glob("*.png")}
    assert shown == there == set(drawn())


def test_the_pictures_are_drawn_from_the_scenes_as_they_are():
    """Else `make solvers` has to be run again."""
    assert (ROOT / "docs/solvers/drawn.txt").read_text(encoding="utf-8") == account()


@pytest.mark.parametrize("name", ["lines", "blocks"])
def test_the_tables_are_counted_from_the_files_as_they_are(name):
    """Else `make docs` has to be run again."""
    lines = counted.between(PAGE, name).splitlines()[1:-1]
    assert lines == counted.TABLES[name][1]()


def test_the_building_blocks_are_those_that_the_document_counts():
    """Document 000, part 3: 2 (here with a position correction of its own), 7, 7 and 8."""
    counts = [len(counted.blocks_of(name)) for name in counted.SHOWN[:4]]
    assert counts == [3, 7, 7, 8]


def test_the_page_of_piles_has_the_sizes_that_the_document_prints():
    """Document 000, part 2: J of the balls and of the tower, as test_explain.py counts them."""
    rows = dict(re.findall(r"^\| ([a-z ]+) \| ([^|]+) \|", PILES, re.MULTILINE))
    assert {*counted.PILES} <= {*rows}
    assert rows["stack of balls"] == counted.PRINTED["stack of balls"][0]
    assert rows["tower of cubes"] == counted.PRINTED["tower of cubes"][0]
