# SPDX-License-Identifier: MIT
"""Changes of a text as splices: found between two texts, turned round, and moved through others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

Splice = tuple[int, int, str]
"""Characters from one index to another become a text."""
_WORD = re.compile(r"[\w.]+|\s+|.", re.DOTALL)
MOST_WORDS = 1000
"""Pieces with more words are one splice."""
MOST_LINES = 2000
"""Texts with more lines between their first and their last difference are one splice."""


def _common(a: str, b: str) -> int:
    """Length of the common beginning of two texts."""
    low, high = 0, min(len(a), len(b))
    if a[:high] == b[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle
    return low


def between(old: str, new: str) -> list[Splice]:
    """The splices that make one text of another, in order."""
    head = _in_front_of_word(old, new, _common(old, new))
    tail = _common(old[head:][::-1], new[head:][::-1])
    tail = _behind_word(old, new, head, tail)
    a, b = old[head : len(old) - tail], new[head : len(new) - tail]
    if not a and not b:
        return []
    lines_a, lines_b = a.splitlines(keepends=True), b.splitlines(keepends=True)
    if len(lines_a) + len(lines_b) > MOST_LINES:
        return [(head, head + len(a), b)]
    found: list[Splice] = []
    starts_a, starts_b = _starts(lines_a), _starts(lines_b)
    blocks = SequenceMatcher(None, lines_a, lines_b, autojunk=False).get_opcodes()
    for kind, a1, a2, b1, b2 in blocks:
        if kind == "equal":
            continue
        pairs = [(a1, a2, b1, b2)]
        if a2 - a1 == b2 - b1:
            pairs = [(a1 + i, a1 + i + 1, b1 + i, b1 + i + 1) for i in range(a2 - a1)]
        for low, high, first, last in pairs:
            x, y = a[starts_a[low] : starts_a[high]], b[starts_b[first] : starts_b[last]]
            if x != y:
                found += _words(head + starts_a[low], x, y)
    return found


def _words(start: int, a: str, b: str) -> list[Splice]:
    """The splices between two short texts, by their words."""
    words_a, words_b = _WORD.findall(a), _WORD.findall(b)
    if len(words_a) + len(words_b) > MOST_WORDS:
        same = _common(a, b)
        rest = _common(a[same:][::-1], b[same:][::-1])
        return [(start + same, start + len(a) - rest, b[same : len(b) - rest])]
    starts = _starts(words_a)
    blocks = SequenceMatcher(None, words_a, words_b, autojunk=False).get_opcodes()
    return [
        (start + starts[a1], start + starts[a2], "".join(words_b[b1:b2]))
        for kind, a1, a2, b1, b2 in blocks
        if kind != "equal"
    ]


def _is_word(text: str, index: int) -> bool:
    return 0 <= index < len(text) and (text[index].isalnum() or text[index] in "_.")


def _in_front_of_word(old: str, new: str, head: int) -> int:
    """The place at which a word begins in which two texts differ."""
    if _is_word(old, head) or _is_word(new, head):
        while _is_word(old, head - 1):
            head -= 1
    return head


def _behind_word(old: str, new: str, head: int, tail: int) -> int:
    """The number of characters after the word in which two texts differ."""
    a, b = len(old) - tail, len(new) - tail
    if _is_word(old, a) and (
        (a > head and _is_word(old, a - 1)) or (b > head and _is_word(new, b - 1))
    ):
        while tail and _is_word(old, len(old) - tail):
            tail -= 1
    return tail


def _starts(lines: Sequence[str]) -> list[int]:
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    return starts


def applied(text: str, splices: Sequence[Splice]) -> str:
    """A text with splices, which are in order and do not overlap."""
    pieces, last = [], 0
    for start, end, new in splices:
        pieces += [text[last:start], new]
        last = end
    return "".join([*pieces, text[last:]])


def inverse(text: str, splices: Sequence[Splice]) -> list[Splice]:
    """The splices that undo others, which were made in a text."""
    back, shift = [], 0
    for start, end, new in splices:
        back.append((start + shift, start + shift + len(new), text[start:end]))
        shift += len(new) - (end - start)
    return back


def through(splices: Sequence[Splice], others: Sequence[Splice]) -> list[Splice] | None:
    """Splices of a text as splices of the same text with others; None if they meet."""
    moved = []
    for start, end, new in splices:
        shift = 0
        for low, high, text in others:
            if high <= start and (high < start or low < high or start < end):
                shift += len(text) - (high - low)
            elif low >= end and (low > end or low < high or start < end):
                continue
            else:
                return None
        moved.append((start + shift, end + shift, new))
    return moved
