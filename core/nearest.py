"""The known name that is nearest to a word, searched with a bounded amount of work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches

LONGEST = 200
"""Letters of a word for which others are searched."""
_ALLOWANCE = 8_000_000
"""Pairs of letters that are compared for all words of a scene, and for one word elsewhere."""
_OVERHEAD = 60  # of a comparison, in pairs of letters

_left: ContextVar[list[int] | None] = ContextVar("left", default=None)


@contextmanager
def one_allowance() -> Iterator[None]:
    """Within it, all searches together are bounded; those that come later find nothing."""
    token = _left.set([_ALLOWANCE])
    try:
        yield
    finally:
        _left.reset(token)


def may_search(work: int) -> bool:
    """Whether there is work left for a search; it is taken."""
    left = _left.get()
    if left is None:
        return work <= _ALLOWANCE
    if left[0] >= work:
        left[0] -= work
        return True
    left[0] = 0  # so that what is found does not depend on how long the next word is
    return False


def nearest_name(word: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """The name that is most alike by difflib's ratio, or an empty text if none is near."""
    if len(word) > LONGEST:
        return ""
    near = [name for name in names if len(name) <= LONGEST]
    work = sum(map(len, near)) * len(word) + _OVERHEAD * len(near)
    return next(iter(get_close_matches(word, near, 1, cutoff)), "") if may_search(work) else ""
