# SPDX-License-Identifier: MIT
"""What the page on importing says of each format, row by row."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.importers import (
    rows_of_box2d,
    rows_of_pymunk,
    rows_of_svg,
    rows_of_tiled,
    rows_of_xmanphysics,
    rows_of_xmanphysics_levels,
)
from tests.importers.documented import SECTIONS, Rows

ALL = [
    rows_of_box2d.ROWS,
    rows_of_pymunk.ROWS,
    rows_of_svg.ROWS,
    rows_of_tiled.ROWS,
    rows_of_xmanphysics.ROWS,
]
assert rows_of_xmanphysics_levels.ROWS is rows_of_xmanphysics.ROWS  # one table for both


def test_every_section_of_the_page_has_cases() -> None:
    assert sorted(rows.section for rows in ALL) == sorted(SECTIONS)


@pytest.mark.parametrize(("rows", "there"), [(rows, there) for rows in ALL for there in rows.how])
def test_a_row_of_the_page_is_true(rows: Rows, there: str, tmp_path: Path) -> None:
    rows.check(there, tmp_path)


@pytest.mark.parametrize("rows", ALL, ids=lambda rows: rows.section)
def test_every_case_is_a_row_of_the_page(rows: Rows) -> None:
    assert not rows.strangers()
