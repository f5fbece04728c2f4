# SPDX-License-Identifier: MIT
"""The known name that is nearest to a word, searched with a bounded amount of work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from difflib import SequenceMatcher

LONGEST = 200
"""Letters of a word for which others are searched."""
_ALLOWANCE = 8_000_000
"""Pairs of letters that are compared for all words of a scene, and for one word elsewhere."""
_OVERHEAD = 60  # of a comparison, in pairs of letters
_SURE = 0.8  # difflib's ratio of a misspelt word and the one that is meant


@dataclass
class _Allowance:
    """The remaining budget of comparisons, and results for fixed sets of words."""

    left: int = _ALLOWANCE
    found: dict[tuple[str, tuple[str, ...], float], str] = field(default_factory=dict)


_current: ContextVar[_Allowance | None] = ContextVar("current", default=None)


@contextmanager
def one_allowance() -> Iterator[None]:
    """Bound all searches in the block together; searches beyond the budget find nothing."""
    token = _current.set(_Allowance())
    try:
        yield
    finally:
        _current.reset(token)


def may_search(work: int) -> bool:
    """Reserve work for a search; return whether the budget allows it."""
    allowance = _current.get()
    if allowance is None:
        return work <= _ALLOWANCE
    if allowance.left >= work:
        allowance.left -= work
        return True
    allowance.left = 0  # so that what is found does not depend on how long the next word is
    return False


def nearest_name(word: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """The name that is most alike by difflib's ratio, or an empty text if none is near."""
    allowance = _current.get()
    if len(word) > LONGEST or (allowance is not None and allowance.left == 0):
        return ""
    near = [name for name in names if len(name) <= LONGEST]
    work = sum(map(len, near)) * len(word) + _OVERHEAD * len(near)
    return _most_alike(word, near, cutoff) if may_search(work) else ""


def _most_alike(word: str, names: Iterable[str], cutoff: float) -> str:
    """The first of ``difflib.get_close_matches``, by fewer of the slow comparisons: those most
    alike by their letters come first, and end it when one is more alike than the rest can be."""
    matcher = SequenceMatcher(b=word)
    bounds: list[tuple[float, str]] = []
    for name in names:
        matcher.set_seq1(name)
        if matcher.real_quick_ratio() >= cutoff and (bound := matcher.quick_ratio()) >= cutoff:
            bounds.append((bound, name))
    best = (cutoff, "")
    for bound, name in sorted(bounds, reverse=True):
        if bound < best[0]:
            break
        matcher.set_seq1(name)
        best = max(best, (matcher.ratio(), name))
    return best[1]


def nearest_word(word: str, words: tuple[str, ...], cutoff: float = 0.6) -> str:
    """The nearest of the format's own words; repeated queries are cached."""
    allowance = _current.get()
    if allowance is None or len(word) > LONGEST:
        return nearest_name(word, words, cutoff)
    key = (word, words, cutoff)
    found = allowance.found.get(key)
    if found is None:
        found = allowance.found[key] = nearest_name(word, words, cutoff)
    return found


def is_clear(word: str, meant: str) -> bool:
    """Whether a word is so much like another one that it can only be that, misspelt."""
    return is_slip(word, meant) or SequenceMatcher(None, word, meant).ratio() >= _SURE


def only_word(word: str, words: tuple[str, ...]) -> str:
    """The format's own word that a misspelt word clearly means; empty if ambiguous."""
    near = nearest_word(word, words)
    if not near or not is_clear(word, near):
        return ""
    return "" if any(is_clear(word, other) for other in words if other != near) else near


def is_slip(word: str, meant: str) -> bool:
    """Return whether two words differ by one added, missing, replaced or swapped letter."""
    i = next((i for i, (a, b) in enumerate(zip(word, meant, strict=False)) if a != b), None)
    if i is None:
        return abs(len(word) - len(meant)) == 1
    swapped = word[i : i + 2] == meant[i : i + 2][::-1] and word[i + 2 :] == meant[i + 2 :]
    return (
        swapped
        or word[i + 1 :] == meant[i:]
        or word[i:] == meant[i + 1 :]
        or word[i + 1 :] == meant[i + 1 :]
    )
