# SPDX-License-Identifier: MIT
"""Formulas in the notation of TeX, typeset by matplotlib into outlines as letters have them."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .tables import Contour, Outline

LONGEST = 500
"""Characters of a formula."""
MISSING = (
    "formulas need matplotlib, which is not installed; pip install 'rigid2d[formulas]' gets it. "
    "A dollar sign itself is `$$`"
)

_SCALE = 100.0
_MOVE, _LINE, _CURVE, _CUBIC = 1, 2, 3, 4


class FormulaError(ValueError):
    """A formula that cannot be read: why, and at which of its characters."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.offset = offset


@dataclass(frozen=True, slots=True)
class TypesetFormula:
    """A formula in parts of the em, y up from the line of the text around it.

    Attributes:
        wide: how far it is to what follows.
        above: how far it reaches above the line.
        below: how far it reaches below it.
    """

    outline: Outline
    wide: float
    above: float
    below: float


@lru_cache(maxsize=512)
def typeset(source: str) -> TypesetFormula:
    """A formula, given without its dollar signs.

    Raises FormulaError, and ImportError where matplotlib is not installed.
    """
    if len(source) > LONGEST:
        raise FormulaError(f"it has {len(source)} characters; the limit is {LONGEST}")
    import matplotlib as mpl
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    log = logging.getLogger("matplotlib.mathtext")
    level = log.level
    log.setLevel(logging.ERROR)  # of letters without glyphs, which the scene has warned of
    try:
        # As matplotlib comes, whatever its user has set.
        usual: Any = {"mathtext.default": mpl.rcParamsDefault["mathtext.default"]}
        with mpl.rc_context(usual | {"mathtext.fontset": "dejavusans"}):
            setter, font = TextToPath(), FontProperties(family="DejaVu Sans", size=_SCALE)
            wide, _, _ = setter.get_text_width_height_descent(f"${source}$", font, True)
            points, codes = setter.get_text_path(font, f"${source}$", ismath=True)
    except ValueError as error:
        raise _shown(str(error)) from None
    except RecursionError:
        raise FormulaError("its braces lie too deep inside each other") from None
    finally:
        log.setLevel(level)
    outline = _outline([(float(x), float(y)) for x, y in points], [int(code) for code in codes])
    heights = [y for contour in outline for each in contour for y in each[1::2]]
    above, below = (max(heights), -min(heights)) if heights else (0.0, 0.0)
    return TypesetFormula(outline, float(wide) / _SCALE, max(above, 0.0), max(below, 0.0))


def _shown(said: str) -> FormulaError:
    """The last line of what the parser says, and the character in it."""
    last = said.strip().splitlines()[-1] if said.strip() else "it cannot be read"
    place = re.search(r"\(at char (\d+)\)", last)
    reason = re.sub(r"^\w*(?:Exception|Error):\s*", "", re.sub(r"\s*\(at char .*$", "", last))
    return FormulaError(reason, int(place[1]) if place else 0)


def _outline(points: list[tuple[float, float]], codes: list[int]) -> Outline:
    made: list[Contour] = []
    at = 0
    while at < len(codes):
        count = {_CURVE: 2, _CUBIC: 3}.get(codes[at], 1)
        flat = tuple(part / _SCALE for point in points[at : at + count] for part in point)
        if codes[at] == _MOVE:
            made.append([flat])
        elif codes[at] in (_LINE, _CURVE, _CUBIC):
            made[-1].append(flat)
        at += count
    return [contour for contour in made if len(contour) > 2]
