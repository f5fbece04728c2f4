# SPDX-License-Identifier: MIT
"""Letters that pictures cannot show, since no font has them: warnings with the places of texts."""

from __future__ import annotations

from collections.abc import Iterator

from ....fonts.font import missing
from ...model import Scene
from ...text.fonts import read_font
from ...text.problems import Path, Report
from ...values.text_template import TextFormula, TextTemplate
from .annotation_types import ANNOTATION_TYPES

MOST_SHOWN = 5
"""Letters that a warning lists."""


def check_letters(scene: Scene, report: Report) -> None:
    """Warn of each text of the pictures that has letters without a glyph."""
    for path, text, shown, font in _texts(scene):
        own = dict.fromkeys(each for each in (font, scene.render.font) if each is not None)
        lacking = missing(shown, *map(read_font, own))
        if not lacking:
            continue
        listed = [f"`{letter}` (U+{ord(letter):04X})" for letter in lacking[:MOST_SHOWN]]
        more = len(lacking) - len(listed)
        listed += [f"{more} more"] if more else []
        names = " and ".join([", ".join(listed[:-1]), listed[-1]] if listed[1:] else listed)
        many = "which is drawn as a box" if len(lacking) == 1 else "which are drawn as boxes"
        report.warn(path, "missing-letter", f"no font has {names}, {many}", text.find(lacking[0]))


def _texts(scene: Scene) -> Iterator[tuple[Path, str, str, str | None]]:
    """The texts of pictures that are not of plain letters alone.

    Each with its path, as it is written, as it is seen, and its own font.
    """
    for i, each in enumerate(scene.annotations):
        if not each.text.isascii():
            path = ("annotations", i, ANNOTATION_TYPES[each.kind].caption)
            yield path, each.text, _seen(each.text), each.font
        if each.kind == "plot":
            keys = ("x", "y") if each.phase else range(len(each.expressions))
            for key, line in zip(keys, each.expressions, strict=True):
                if not line.isascii():
                    at = (key,) if each.phase else ("plot", key)
                    yield ("annotations", i, *at), line, line, each.font
            words: list[tuple[Path, str]] = [
                (("names", k), each.names[k]) for k in range(len(each.names))
            ]
            words += [(("unit",), each.unit or ""), (("x_unit",), each.x_unit or "")]
            words += [(("x_label",), each.x_label)]
            for place, word in words:
                if not word.isascii():
                    yield ("annotations", i, *place), word, word, each.font
    for i, variant in enumerate(() if scene.compare is None else scene.compare.variants):
        if not variant.name.isascii():
            yield ("compare", "variants", i, "name"), variant.name, variant.name, None
    for overlay, section in (("names", "bodies"), ("joint_names", "joints")):
        if overlay in scene.render.overlays:
            for name in getattr(scene, section):
                if not name.isascii():
                    yield (section, name), name, name, None


def _seen(text: str) -> str:
    """The parts of a text that do not depend on values."""
    shown = ""
    for piece in TextTemplate(text).pieces:
        if isinstance(piece, TextFormula):
            shown += piece.source
        else:
            shown += piece if isinstance(piece, str) else piece.spec
    return shown
