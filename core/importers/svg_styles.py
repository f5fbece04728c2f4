# SPDX-License-Identifier: MIT
"""Style sheets of drawings: fills and visibility by the name, class or id of elements."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..scene import limits
from ..scene.text.svg_elements import Element

READ = ("fill", "fill-opacity", "opacity", "display", "visibility")
"""The properties that an import looks at."""
_SELECTOR = re.compile(r"(\*|[A-Za-z][\w-]*)?((?:[.#][\w-]+)*)")
_PART = re.compile(r"[.#][\w-]+")


def declarations(text: str) -> dict[str, str]:
    """`fill: none; display: none` as names and values."""
    parts = (part.partition(":") for part in text.split(";"))
    return {
        name.strip().lower(): value.partition("!")[0].strip() for name, mark, value in parts if mark
    }


@dataclass(slots=True)
class _Rule:
    """The properties of one selector in all sheets, with their last values."""

    name: str
    parts: frozenset[str]
    values: dict[str, tuple[_Rank, str]] = field(default_factory=dict)


_Rank = tuple[tuple[int, int, int], int]
"""Precedence between two values of a property: specificity of the selector, then the order."""


class Styles:
    """The supported rules of all sheets, by the name, class or id of their elements.

    Attributes:
        strange: the sheets with rules for relevant properties and unsupported selectors.
    """

    def __init__(self) -> None:
        self.strange: list[Element] = []
        self._rules: dict[tuple[str, frozenset[str]], _Rule] = {}
        self._having: dict[str, list[_Rule]] = {}  # by an id, a class or a name that they ask for
        self._count = self._compared = 0

    def add(self, name: str, parts: frozenset[str], values: dict[str, str]) -> None:
        """A rule for elements of a name (any, where that is empty or `*`) with ids and classes."""
        rule = self._rules.get((name, parts))
        if rule is None:
            rule = self._rules[name, parts] = _Rule(name, parts)
            key = min(parts, default=name or "*")  # an id, where there is one
            self._having.setdefault(key, []).append(rule)
        self._count += 1
        rank = _strength(name, parts), self._count
        rule.values.update((property_, (rank, value)) for property_, value in values.items())

    def of(self, element: Element) -> dict[str, str]:
        """The style of an element. Raises SceneError beyond the limit of comparisons."""
        if not self._rules:
            return {}
        given = element.attributes
        own = {f".{name}" for name in given.get("class", "").split()}
        own.add(f"#{given.get('id', '')}")
        found: dict[str, tuple[_Rank, str]] = {}
        for key in (*own, element.name, "*"):
            rules = self._having.get(key, ())
            self._compared += len(rules)
            if self._compared > limits.STYLE_COMPARISONS:
                message = f"more than {limits.STYLE_COMPARISONS:,} rules of style sheets to compare"
                raise element.fail("limit", f"{message} with elements; that is the limit")
            for rule in rules:
                if rule.name in ("", "*", element.name) and rule.parts <= own:
                    for name, ranked in rule.values.items():
                        found[name] = max(ranked, found.get(name, ranked))
        return {name: value for name, (_, value) in found.items()}


def read_styles(root: Element) -> Styles:
    """The rules of a drawing. An id counts more than a class, that more than a name."""
    styles = Styles()
    for sheet in (element for element in root.walk() if element.name == "style"):
        strange = False
        text = "".join(sheet.sheet)
        for block in _without_comments(text).split("}"):
            selectors, mark, inside = block.partition("{")
            values = {n: v for n, v in declarations(inside).items() if n in READ}
            if not mark or not values:
                continue
            for selector in selectors.split(","):
                match = _SELECTOR.fullmatch(selector.strip())
                if match is None or not match[0]:
                    strange = True
                    continue
                styles.add(match[1] or "", frozenset(_PART.findall(match[2])), values)
        if strange or ("@" in text and "@namespace" not in text):
            styles.strange.append(sheet)
    return styles


def _without_comments(text: str) -> str:
    """A sheet with a space for each comment; one that never ends is none."""
    kept, at = [], 0
    while (begin := text.find("/*", at)) >= 0 and (end := text.find("*/", begin + 2)) >= 0:
        kept.append(text[at:begin])
        at = end + 2
    return " ".join([*kept, text[at:]])


def _strength(name: str, parts: frozenset[str]) -> tuple[int, int, int]:
    ids = sum(part.startswith("#") for part in parts)
    return ids, len(parts) - ids, int(name not in ("", "*"))
