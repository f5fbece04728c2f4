# SPDX-License-Identifier: MIT
"""Letters that pictures cannot show, since no font has them: warnings with the places of texts."""

from __future__ import annotations

from collections.abc import Iterator

from ....fonts.font import missing
from ...model import Scene
from ...text.problems import Path, Report
from ...values.text_template import TextTemplate
from .annotation_types import ANNOTATION_TYPES

MOST_SHOWN = 5
"""Letters that a warning lists."""


def check_letters(scene: Scene, report: Report) -> None:
    """Warn of each text of the pictures that has letters without a glyph."""
    for path, text, shown in _texts(scene):
        lacking = missing(shown)
        if not lacking:
            continue
        listed = [f"`{letter}` (U+{ord(letter):04X})" for letter in lacking[:MOST_SHOWN]]
        more = len(lacking) - len(listed)
        listed += [f"{more} more"] if more else []
        names = " and ".join([", ".join(listed[:-1]), listed[-1]] if listed[1:] else listed)
        many = "which is drawn as a box" if len(lacking) == 1 else "which are drawn as boxes"
        report.warn(path, "missing-letter", f"no font has {names}, {many}", text.find(lacking[0]))


def _texts(scene: Scene) -> Iterator[tuple[Path, str, str]]:
    """The texts of pictures that are not of plain letters alone: where, as written, and as seen."""
    for i, each in enumerate(scene.annotations):
        if not each.text.isascii():
            yield (
                ("annotations", i, ANNOTATION_TYPES[each.kind].caption),
                each.text,
                _seen(each.text),
            )
        if each.kind == "plot":
            keys = ("x", "y") if each.phase else range(len(each.expressions))
            for key, line in zip(keys, each.expressions, strict=True):
                if not line.isascii():
                    at = (key,) if each.phase else ("plot", key)
                    yield ("annotations", i, *at), line, line
    for i, variant in enumerate(() if scene.compare is None else scene.compare.variants):
        if not variant.name.isascii():
            yield ("compare", "variants", i, "name"), variant.name, variant.name
    for overlay, section in (("names", "bodies"), ("joint_names", "joints")):
        if overlay in scene.render.overlays:
            for name in getattr(scene, section):
                if not name.isascii():
                    yield (section, name), name, name


def _seen(text: str) -> str:
    """What of a text is shown whatever its values are."""
    pieces = TextTemplate(text).pieces
    return "".join(piece if isinstance(piece, str) else piece.spec for piece in pieces)
