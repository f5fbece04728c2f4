# SPDX-License-Identifier: MIT
"""Formulas as letters: each has a sign, which stands for it in a line of text."""

from __future__ import annotations

from ...errors import UsageError
from ...fonts.formulas import MISSING, FormulaError, TypesetFormula, typeset
from ...fonts.tables import Outline

FIRST = 0x100000
"""The sign of the first formula. It and those after it are no letters, and texts lack them."""


class Formulas:
    """The formulas of the texts of a picture, as a font has glyphs."""

    def __init__(self) -> None:
        self._signs: dict[str, str] = {}
        self.all: list[TypesetFormula] = []

    def sign(self, source: str) -> str:
        """The sign of a formula. UsageError where matplotlib is not there to set it."""
        if source not in self._signs:
            try:
                self.all.append(typeset(source))
            except ImportError:
                raise UsageError(MISSING) from None
            except FormulaError as error:
                raise UsageError(f"the formula `{source}` cannot be read: {error}") from None
            self._signs[source] = chr(FIRST + len(self._signs))
        return self._signs[source]

    def number(self, sign: str) -> int | None:
        """Which formula a sign stands for; None for a letter."""
        number = ord(sign) - FIRST
        return number if 0 <= number < len(self.all) else None

    def advance(self, number: int) -> float:
        """The width of a formula."""
        return self.all[number].wide

    def kerning(self, left: int, right: int) -> float:
        """Formulas are not moved towards each other."""
        return 0.0

    def outline(self, number: int) -> Outline:
        """The outline of a formula."""
        return self.all[number].outline


def without_signs(text: str) -> str:
    """A text of a scene, in which nothing stands for a formula."""
    if text.isascii():
        return text
    return "".join(letter if ord(letter) < FIRST else "\ufffd" for letter in text)
