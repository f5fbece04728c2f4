# SPDX-License-Identifier: MIT
"""A folder's guide to its scenes, from its README.md, for the gallery.

A heading of the second level begins a theme, the first paragraph below is its description, and
the scenes to which it links belong to it, in that order. The first scene whose link is bold is the
cover.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..reading import read_bytes

FILE = "README.md"
SUFFIXES = (".yaml", ".yml")
_LARGEST = 1 << 20
_LINK = re.compile(r"\[([^\[\]]*)\]\(([^()\s]*)\)")
_BOLD = re.compile(r"\*\*\[[^\[\]]*\]\(([^()\s]*)\)\*\*")


@dataclass(frozen=True, slots=True)
class GalleryTheme:
    """A section of scenes: a title, and a sentence or two."""

    title: str
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Guide:
    """The themes of a folder, the theme and place of each scene that is named, and the cover."""

    themes: tuple[GalleryTheme, ...] = ()
    places: tuple[tuple[str, int, int], ...] = ()
    cover: str = ""

    def theme(self, scene: str) -> GalleryTheme | None:
        """The theme of a scene, given by its path from the folder, without its suffix."""
        return next((self.themes[at] for name, at, _ in self.places if name == scene), None)

    def key(self, scene: str) -> tuple[int, int]:
        """The sort key of scenes; those that are not named come last."""
        return next(
            ((at, place) for name, at, place in self.places if name == scene),
            (len(self.themes), 0),
        )


def read_guide(folder: Path) -> Guide:
    """The guide of a folder; an empty one where it has no README that can be read."""
    try:
        text = read_bytes(folder / FILE, _LARGEST).decode("utf-8")
    except (OSError, ValueError):
        return Guide()
    themes: list[GalleryTheme] = []
    places: dict[str, tuple[int, int]] = {}
    for part in re.split(r"^## +", text, flags=re.MULTILINE)[1:]:
        title, _, rest = part.partition("\n")
        scenes = _scenes(link for _, link in _LINK.findall(rest))
        new = [scene for scene in dict.fromkeys(scenes) if scene not in places]
        if new:
            places |= {scene: (len(themes), place) for place, scene in enumerate(new)}
            themes.append(GalleryTheme(_plain(title), _plain(_first_paragraph(rest))))
    cover = next(iter(_scenes(_BOLD.findall(text))), "")
    return Guide(tuple(themes), tuple((name, *place) for name, place in places.items()), cover)


def _scenes(links: Iterable[str]) -> list[str]:
    """The scenes among links, by their paths without suffixes."""
    paths = map(Path, links)
    return [path.with_suffix("").as_posix() for path in paths if path.suffix in SUFFIXES]


def _first_paragraph(text: str) -> str:
    first = text.strip().partition("\n\n")[0]
    return "" if first.startswith(("|", "-", "#", "`", "!")) else first


def _plain(text: str) -> str:
    """Words without the signs of Markdown."""
    return " ".join(_LINK.sub(r"\1", text).replace("`", "").split())
