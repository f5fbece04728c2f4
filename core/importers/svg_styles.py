# SPDX-License-Identifier: MIT
"""Style sheets of drawings: what they fill and hide, by the name, class or id of elements."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..scene.text.svg_elements import Element

READ = ("fill", "fill-opacity", "opacity", "display", "visibility")
"""The properties that an import looks at."""
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_SELECTOR = re.compile(r"(\*|[A-Za-z][\w-]*)?((?:[.#][\w-]+)*)")
_PART = re.compile(r"[.#][\w-]+")


def declarations(text: str) -> dict[str, str]:
    """`fill: none; display: none` as names and values."""
    parts = (part.partition(":") for part in text.split(";"))
    return {
        name.strip().lower(): value.partition("!")[0].strip() for name, mark, value in parts if mark
    }


@dataclass
class Styles:
    """The rules of all sheets that can be read, the weakest first.

    Attributes:
        strange: the sheets with rules about what is read whose elements are not known.
    """

    rules: list[tuple[str, frozenset[str], dict[str, str]]] = field(default_factory=list)
    strange: list[Element] = field(default_factory=list)

    def of(self, element: Element) -> dict[str, str]:
        """What the sheets say of an element."""
        given = element.attributes
        own = {f".{name}" for name in given.get("class", "").split()}
        own.add(f"#{given.get('id', '')}")
        found: dict[str, str] = {}
        for name, parts, values in self.rules:
            if name in ("", "*", element.name) and parts <= own:
                found |= values
        return found


def read_styles(root: Element) -> Styles:
    """The rules of a drawing. An id counts more than a class, that more than a name."""
    styles = Styles()
    for sheet in (element for element in root.walk() if element.name == "style"):
        strange = False
        for block in _COMMENT.sub(" ", sheet.sheet).split("}"):
            selectors, mark, inside = block.partition("{")
            values = {n: v for n, v in declarations(inside).items() if n in READ}
            if not mark or not values:
                continue
            for selector in selectors.split(","):
                match = _SELECTOR.fullmatch(selector.strip())
                if match is None or not match[0]:
                    strange = True
                    continue
                parts = frozenset(_PART.findall(match[2]))
                styles.rules.append((match[1] or "", parts, values))
        if strange or ("@" in sheet.sheet and "@namespace" not in sheet.sheet):
            styles.strange.append(sheet)
    styles.rules.sort(key=lambda rule: _strength(rule[0], rule[1]))
    return styles


def _strength(name: str, parts: frozenset[str]) -> tuple[int, int, int]:
    ids = sum(part.startswith("#") for part in parts)
    return ids, len(parts) - ids, int(name not in ("", "*"))
