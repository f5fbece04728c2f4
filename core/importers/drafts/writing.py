# SPDX-License-Identifier: MIT
"""A draft as the text of a scene file: short entries on a line each, comments above them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...scene.text.flow import flow
from .draft import Draft
from .factoring import Common

WIDTH = 100
_MOST_NOTES = 40
"""Comments at the beginning of the file; further ones are counted."""


_SECTIONS = ("instances", "bodies", "joints", "actuators", "animations", "controls")


def write(draft: Draft, common: Common) -> str:
    """The scene file of a draft whose common values were taken out."""
    return "\n".join(_lines(draft, common)) + "\n"


def _lines(draft: Draft, common: Common) -> Iterator[str]:
    yield from _comment(f"Imported from {Path(draft.source.file).name} ({draft.format}).", "")
    if draft.head:
        yield "#"
        yield "# What it does not say, and what it says otherwise:"
    for note in draft.head[:_MOST_NOTES]:
        yield from _comment(f"- {note}", "", "  ")
    if len(draft.head) > _MOST_NOTES:
        yield f"# - and {len(draft.head) - _MOST_NOTES:,} more"
    yield "rigid: 1"
    if draft.name:
        yield f"name: {flow(draft.name)}"
    if draft.description:
        yield f"description: {flow(draft.description)}"
    if draft.units is not None:
        yield f"units: {flow(draft.units)}"
    yield from _block("world", draft.world)
    defaults = {"material": common.material, "body": common.body, "joint": common.joint}
    yield from _block("materials", common.materials)
    yield from _block("defaults", {name: value for name, value in defaults.items() if value})
    yield from _block("collision", draft.collision)
    for name, value in draft.fields.items():
        yield from _entry(name, value, "")
    if draft.prototypes:
        yield ""
        yield "prototypes:"
    for name, part in draft.prototypes.items():
        yield f"  {name}:"
        for line in _sections(part, ("bodies", "joints", "actuators", "animations")):
            if line:
                yield f"    {line}"
    yield from _sections(draft, _SECTIONS)


def _sections(draft: Draft, names: tuple[str, ...]) -> Iterator[str]:
    for section in names:
        entries: dict[str, Any] = getattr(draft, section)
        if entries:
            yield ""
            yield f"{section}:"
        for name, entry in entries.items():
            for note in draft.notes.get(name, ()) if section != "controls" else ():
                yield from _comment(note, "  ")
            yield from _entry(name, entry, "  ")


def _block(name: str, fields: dict[str, Any]) -> Iterator[str]:
    if fields:
        yield from _entry(name, fields, "")


def _entry(name: str, value: Any, indent: str) -> Iterator[str]:
    """``name: value``, on one line where it fits, else with a line for each field."""
    line = "" if _is_long(value) else f"{indent}{name}: {flow(_short(value))}"
    if line and len(line) <= WIDTH:
        yield line
    elif isinstance(value, dict):
        yield f"{indent}{name}:"
        for key, item in value.items():
            yield from _entry(key, item, f"{indent}  ")
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        yield f"{indent}{name}:"
        for item in value:
            yield from _wrapped(f"{indent}  - {flow(_short(item))}", f"{indent}    ")
    else:
        line = line or f"{indent}{name}: {flow(_short(value))}"
        yield from _wrapped(line, f"{indent}  ")


def _is_long(value: Any) -> bool:
    """Whether it is known, without its text, that no line holds it."""
    if isinstance(value, dict):
        return any(map(_is_long, value.values()))
    if not isinstance(value, (list, tuple)):
        return False
    return len(value) * len("0, ") > WIDTH or any(map(_is_long, value))


def _wrapped(line: str, indent: str) -> Iterator[str]:
    yield from textwrap.wrap(
        line,
        WIDTH,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
        expand_tabs=False,
    )


def _comment(text: str, indent: str, further: str = "") -> Iterator[str]:
    """A text of the foreign file, of which nothing can end the comment."""
    plain = "".join(character if character.isprintable() else " " for character in text)
    start = f"{indent}# "
    yield from textwrap.wrap(
        plain,
        WIDTH,
        initial_indent=start,
        subsequent_indent=start + further,
        break_on_hyphens=False,
    )


def _short(value: Any) -> Any:
    """Format whole numbers without `.0`."""
    if isinstance(value, float):
        whole = abs(value) < 1e15 and value.is_integer()
        return int(value) if whole else value
    if isinstance(value, dict):
        return {key: _short(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_short(item) for item in value]
    return value
