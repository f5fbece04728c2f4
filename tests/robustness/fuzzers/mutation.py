# SPDX-License-Identifier: MIT
"""Mutation: the scenes that there are, with bytes, lines, words and values changed."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

from .scene_check import check_scene
from .schema_values import known_keys
from .values import WORDS

ROOT = Path(__file__).parents[3]
LARGEST = 6000  # bytes of a scene to begin with
STEPS = 12
WORD = re.compile(rb"[A-Za-z_][A-Za-z_0-9]*|[-+]?[0-9.]+(?:e[-+]?[0-9]+)?|=[^,}\]\n]+")
SHORT = [b"", *b"{}[]:,-#&*!|>'\"%@`?=\n\t \\", 0, 0x80, 0xFF]
PIECES = [bytes([each]) if isinstance(each, int) else each for each in SHORT]


@cache
def bases() -> tuple[bytes, ...]:
    """The scenes and the found inputs."""
    from ..frame import CORPUS

    found = [*sorted((ROOT / "scenes").rglob("*.yaml")), *sorted((CORPUS / "mutation").glob("*"))]
    texts = [path.read_bytes() for path in found]
    return tuple(text for text in texts if len(text) <= LARGEST)


@cache
def words() -> tuple[bytes, ...]:
    """What may stand in place of a word."""
    hostile = [word.encode() for word in WORDS]
    numbers = [b"0", b"-1", b"1e9", b"1e15", b"1e-9", b".inf", b"-.inf", b".nan", b"0.5", b"7"]
    return (*(key.encode() for key in sorted(known_keys())), *hostile, *numbers * 6)


def mutant(choose: random.Random) -> bytes:
    """One of the scenes, with one to six changes."""
    return changed_text(choose, choose.choice(bases()))


def changed_text(choose: random.Random, text: bytes) -> bytes:
    """A text with one to six changes."""
    for _ in range(choose.choice([1, 1, 1, 2, 3, 6])):
        text = choose.choice([_bytes, _lines, _words, _words, _words, _values])(choose, text)
    return text


def _bytes(choose: random.Random, text: bytes) -> bytes:
    start = choose.randint(0, len(text))
    end = min(len(text), start + choose.choice([0, 0, 1, 2, 20]))
    return text[:start] + choose.choice(PIECES) * choose.choice([1, 1, 3]) + text[end:]


def _lines(choose: random.Random, text: bytes) -> bytes:
    lines = text.splitlines(keepends=True) or [b""]
    start = choose.randrange(len(lines))
    part = lines[start : start + choose.choice([1, 1, 2, 5])]
    how = choose.random()
    if how < 0.4:
        del lines[start : start + len(part)]
    elif how < 0.7:
        lines = [*lines[:start], *part, *lines[start:]]
    else:
        other = choose.choice(bases()).splitlines(keepends=True)
        at = choose.randrange(len(other)) if other else 0
        lines[start : start + 1] = other[at : at + choose.choice([1, 3])]
    return b"".join(lines)


def _words(choose: random.Random, text: bytes) -> bytes:
    found = [*WORD.finditer(text)]
    if not found:
        return text
    place = choose.choice(found)
    new = choose.choice(words()) if choose.random() < 0.6 else choose.choice(found).group()
    return text[: place.start()] + new + text[place.end() :]


def _values(choose: random.Random, text: bytes) -> bytes:
    """Another size of a number."""
    found = [*re.finditer(rb"(?<=[ \[])[-+]?[0-9]+\.?[0-9]*", text)]
    if not found:
        return text
    place = choose.choice(found)
    value = float(place.group()) * choose.choice([-1, 0.5, 2, 1e-3, 1e-6, 1e3, 1e6])
    return text[: place.start()] + f"{value:.9g}".encode() + text[place.end() :]


def check_mutant(text: bytes) -> None:
    """What holds for any text."""
    check_scene(text, STEPS)
