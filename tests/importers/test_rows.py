# SPDX-License-Identifier: MIT
"""The page on importing is true of each format, row by row."""

from __future__ import annotations

from pathlib import Path

from tests.importers.documented import SECTIONS, Section, sections
from tests.rows import every_row

ALL = sections()


def test_every_section_of_the_page_has_worlds() -> None:
    assert sorted(each.name for each in ALL) == sorted(SECTIONS)


@every_row("section", ALL, ids=lambda each: each.name)
def test_every_row_with_worlds_is_on_the_page(section: Section) -> None:
    assert not section.strangers()


@every_row(
    ("section", "there"),
    [(section, there) for section in ALL for there in section.how],
    ids=[f"{section.name}: {there}" for section in ALL for there in section.how],
)
def test_a_row_of_the_page_is_true(section: Section, there: str, tmp_path: Path) -> None:
    section.check(there, tmp_path)
