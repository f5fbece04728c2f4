# SPDX-License-Identifier: MIT
"""Values written as in other formats, and their form here.

Beginners write `(1, 2)`, `1 2`, `640x480` or `{x: 1, y: 2}` for a list, `1,5` and `50%`
for a number, `inf` or `"true"`. Messages contain the right form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
_ROW = re.compile(rf"[(\[{{<]?\s*({_NUMBER}(?:(?:\s*[,;x×]\s*|\s+){_NUMBER})*)\s*[)\]}}>]?")
_LONGEST = 200
"""Characters of a text that may have another form."""
_PAIRS: tuple[tuple[str, str], ...] = (
    *(("x", "y"), ("width", "height"), ("w", "h"), ("x1", "x2"), ("min", "max")),
    *(("lower", "upper"), ("low", "high"), ("from", "to"), ("a", "b")),
)
_COMMA = re.compile(r"([-+]?\d+),(\d+)")
_PERCENT = re.compile(rf"({_NUMBER})\s*%")
_COUNTED = re.compile(r"range\((?:0,\s*)?(\w+)\)|0\s*\.\.+<?\s*(\d+)")
_TEMPLATE = re.compile(r"\$?\{+\s*([^{}]+?)\s*\}+|\$\(?\s*([^()]+?)\s*\)?|%([A-Za-z_]\w*)%?")

LOOKALIKES = {
    "−": ("a minus sign of print", "-"),
    "–": ("an en dash", "-"),
    "—": ("an em dash", "-"),
    "‐": ("a hyphen of print", "-"),
    "‑": ("a non-breaking hyphen", "-"),
    "×": ("a multiplication sign", "*"),
    "·": ("a middle dot", "*"),
    "⋅": ("a dot operator", "*"),
    "÷": ("a division sign", "/"),
    "≤": ("a sign of print", "<="),
    "≥": ("a sign of print", ">="),
    "≠": ("a sign of print", "!="),
    "π": ("a Greek letter", "pi"),
    "²": ("a raised digit", "**2"),
    "³": ("a raised digit", "**3"),
    "½": ("a fraction in one character", "0.5"),
    "，": ("a full-width comma", ","),
    "“": ("a typographic quote", '"'),
    "”": ("a typographic quote", '"'),
    "’": ("a typographic quote", "'"),
}
"""Characters of print: their names, and the signs that this format has for them."""
_PRINTED = {ord(each): right for each, (_, right) in LOOKALIKES.items()}


def printed_character(character: str) -> str:
    """``(U+2212) is a minus sign of print`` for a character of print; else nothing."""
    name = LOOKALIKES.get(character, ("", ""))[0]
    return f"`{character}` (U+{ord(character):04X}) is {name}" if name else ""


def _in_signs(text: str) -> str:
    """A suggestion for a number, or a term of numbers, in characters of print; else nothing."""
    first = next(filter(None, map(printed_character, text)), "")
    if not first:
        return ""
    right = text.translate(_PRINTED)
    if re.fullmatch(rf"{_NUMBER}\s*[A-Za-z°/^*0-9]*", right.replace("- ", "-")):
        return f"; {first}, write `{right.replace('- ', '-')}`"
    if "," in right:
        return f"; {first}, write `{re.sub(r',(?! )', ', ', right)}`"
    return f"; {first}, write `={right}`" if re.fullmatch(r"[\w\s.+\-*/()]+", right) else ""


def as_list(value: Any, count: int, alone: str = "") -> str:
    """A suggestion for a list of ``count`` numbers; empty if unclear.

    ``alone`` is the form for one number, such as ``[{0}, {0}]``.
    """
    items = _items(value)
    if len(items) == count:
        return f"; write `[{', '.join(items)}]`"
    if len(items) == 1 and isinstance(value, str) and value.strip()[:1] in "([<":
        return f"; write a list in square brackets: `[{items[0]}, ...]`"
    if len(items) == 1 and alone and not isinstance(value, list):
        return f"; write `{alone.format(items[0].lstrip('+-'))}`"
    return ""


def _items(value: Any) -> list[str]:
    if isinstance(value, bool) or value is None:
        return []
    if isinstance(value, (int, float)):
        return [f"{value:.12g}"]
    if isinstance(value, str):
        row = _ROW.fullmatch(value.strip()) if len(value) <= _LONGEST else None
        return re.findall(_NUMBER, row[1]) if row else []
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        return _items(value[0])
    if isinstance(value, Mapping):
        parts = {str(key): value[key] for key in value}
        for names in _PAIRS:
            if {*parts} == {*names} and all(map(_is_short, parts.values())):
                return [_plain(parts[name]) for name in names]
    return []


def _is_short(value: Any) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number or (isinstance(value, str) and len(value) <= 20)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:.12g}"


def as_number(text: str) -> str:
    """A suggestion for a number in another notation; else nothing."""
    plain = text.strip()
    if len(plain) > _LONGEST:
        return ""
    comma = _COMMA.fullmatch(plain)
    if comma:
        return f"; a decimal point is a point: `{comma[1]}.{comma[2]}`"
    percent = _PERCENT.fullmatch(plain)
    if percent:
        return f"; write `{float(percent[1]) / 100:.12g}`"
    printed = "" if plain.isascii() else _in_signs(plain)
    if printed:
        return printed
    counted = _COUNTED.fullmatch(plain)
    if counted:
        return f"; `{next(filter(None, counted.groups()))}` counts from 0 up to below it"
    template = _TEMPLATE.fullmatch(plain)
    if template:
        return f"; an expression begins with `=`: `={next(filter(None, template.groups()))}`"
    return ""


def as_truth(value: Any) -> str:
    """A suggestion for a boolean of another format; else nothing."""
    if isinstance(value, str):
        plain = value.strip().lower()
        if plain in ("true", "false"):
            return f"; write `{plain}`, without quotes"
        if plain in ("yes", "on", "y", "no", "off", "n"):
            right = "true" if plain in ("yes", "on", "y") else "false"
            return f"; in this format `{value}` is a text, write `{right}`"
    if not isinstance(value, bool) and isinstance(value, (int, float)) and value in (0, 1):
        return f"; write `{'true' if value else 'false'}`"
    return ""
