# SPDX-License-Identifier: MIT
"""Heaps: bodies that hang together by what touches and joins them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field


@dataclass(slots=True)
class Heap:
    """Bodies that hang together by what touches and joins them, through bodies that can move.

    Attributes:
        bodies: the slots of those that move, first of all the one that names it, and of those that
            they touch or hang on.
        links: the places of what holds them together.
    """

    bodies: list[int]
    links: list[int] = field(default_factory=list)


def heaps_of(moves: Callable[[int], bool], links: Sequence[tuple[int, int]]) -> list[Heap]:
    """The heaps that links between two bodies make, in the order of the bodies that name them."""
    root = {i: i for link in links for i in link}

    def find(i: int) -> int:
        while root[i] != i:
            root[i] = root[root[i]]
            i = root[i]
        return i

    for a, b in links:
        if moves(a) and moves(b):
            low, high = sorted((find(a), find(b)))
            root[high] = low
    found: dict[int, Heap] = {}
    for i in sorted(i for i in root if moves(i)):
        found.setdefault(find(i), Heap([])).bodies.append(i)
    for k, (a, b) in enumerate(links):
        if not (moves(a) or moves(b)):
            continue
        heap = found[find(a if moves(a) else b)]
        heap.bodies += [i for i in dict.fromkeys((a, b)) if i not in heap.bodies]
        heap.links.append(k)
    return list(found.values())
