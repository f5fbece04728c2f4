# SPDX-License-Identifier: MIT
"""The tables of docs/importing.md: each of their rows has a case that shows it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from inspect import signature
from pathlib import Path
from typing import TypeVar

from rigid.core.importers import Import

PAGE = (Path(__file__).parents[2] / "docs" / "importing.md").read_text(encoding="utf-8")
SECTIONS = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
HOW = ("kept", "changed", "lost")

Case = Callable[..., Import]
"""It may take a folder, in which it puts pictures."""


T = TypeVar("T")


def only(section: Mapping[str, T]) -> T:
    """The one thing of a section."""
    (made,) = section.values()
    return made


class Rows:
    """The rows of one section of the page, and the cases that show them."""

    def __init__(self, section: str) -> None:
        self.section = section
        text = re.split(rf"^## {re.escape(section)}$", PAGE, flags=re.MULTILINE)[1]
        text = re.split(r"^## ", text, flags=re.MULTILINE)[0]
        lines = [line for line in text.splitlines() if line.startswith("| ")]
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        cells = [row for row in cells if row[0] != "there"]
        self.how: dict[str, str] = {row[0]: row[-1] for row in cells if row[-1] in HOW}
        assert len(self.how) == len(cells), "a row twice, or neither kept, changed nor lost"
        self.cases: dict[str, Case] = {}

    def shows(self, there: str) -> Callable[[Case], Case]:
        """Take a function as the case of the row that begins with ``there``."""

        def take(case: Case) -> Case:
            assert there not in self.cases, there
            self.cases[there] = case
            return case

        return take

    def check(self, there: str, folder: Path) -> None:
        """Run the case of a row: what is kept loses nothing, and all else is told."""
        assert there in self.cases, f"no case shows the row {there!r} of the page"
        case = self.cases[there]
        made = case(folder) if signature(case).parameters else case()
        if self.how[there] == "kept":
            assert made.losses == ()
        else:
            assert made.losses
        made.scene()

    def strangers(self) -> set[str]:
        """Cases of rows that the page does not have."""
        return set(self.cases) - set(self.how)
