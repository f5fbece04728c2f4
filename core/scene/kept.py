# SPDX-License-Identifier: MIT
"""The parts of a scene that no varied value can change.

A part without varied values, whose texts name none of them, is checked and built once. Its
share of the scene's limits is counted again for each scene that uses it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from . import limits
from .blocks.scene import SceneInput
from .blocks.table import NAMED, Head
from .building.block import BuildContext
from .building.templates import Builder
from .model import Body
from .text.marks import Map
from .values.context import Context
from .values.functions import FUNCTIONS

ALONE = ("defaults", "materials", "world")
"""Written blocks that are the same where what is written is: each needs those before at most."""
_OF_FILES = frozenset(("texture", "svg"))
"""Keys of bodies that name files, which each scene asks for anew."""
_WORD = re.compile(r"[^\W\d]\w*")
_SEEDED = frozenset(name for name, function in FUNCTIONS.items() if function.seeded)


class Concern:
    """Parts of a scene that depend on the values at some paths.

    Args:
        before: the tree without them, and ``put`` with them.
        own: the entries that overrides made different from their generators' others.

    Attributes:
        all: whether every value may mean something else, as with other units.
        sections: the top-level keys that are concerned.
    """

    def __init__(
        self, before: Map, put: Map, own: Mapping[str, Map], paths: Collection[str]
    ) -> None:
        words = [_WORD.findall(path) for path in paths]
        self._heads = {each[0] for each in words if each}
        self.all = "units" in self._heads or any("length_unit" in each for each in words)
        names = {name for each in words for name in each}
        if "world" in self._heads:
            names |= _SEEDED  # by its seed
        self._names = _dependents(put, names)
        self._entries: dict[str, frozenset[str] | None] = {}
        for key, value in put.items():
            if self._is_concerned(key, value) or own.get(key):
                self._entries[key] = self._concerned_entries(key, value, before.get(key), own)
        self.sections = self._entries.keys()

    def _is_concerned(self, key: str, value: Any) -> bool:
        return key in self._heads or not self._names.isdisjoint(words_in(value))

    def _concerned_entries(
        self, key: str, value: Any, before: Any, own: Mapping[str, Map]
    ) -> frozenset[str] | None:
        named = key in NAMED and isinstance(value, Map) and isinstance(before, Map)
        if not named or own.get(key) or value.keys() != before.keys():
            return None
        return frozenset(
            name
            for name, entry in value.items()
            if not isinstance(entry, Map)  # what is put into one is put into a copy
            or entry is not before[name]
            or not self._names.isdisjoint(words_in(entry))
        )

    def keeps(self, section: str, entry: str) -> bool:
        """Whether an entry of a section is the same in all scenes."""
        if section not in self._entries:
            return not self.all
        entries = self._entries[section]
        return not self.all and entries is not None and entry not in entries

    def part(self, tree: Map) -> Map:
        """The parts of a tree that must be checked again."""
        found = Map(tree.at)
        for key, names in self._entries.items():
            found[key] = tree[key]
            if names is not None:
                found[key] = Map(tree.at)
                found[key].update({name: tree[key][name] for name in names})
        return found

    def joined(self, checked: Head, kept: Head) -> Head:
        """Return the whole input: the parts that were checked again, and the others unchanged."""
        whole = kept.model_copy()
        for key, names in self._entries.items():
            new, old = getattr(checked, key), getattr(kept, key)
            if names is not None:
                new = {name: (new if name in names else old)[name] for name in old}
            setattr(whole, key, new)
        return whole


def words_in(value: Any) -> Iterator[str]:
    """The words in the texts of a tree, and its keys."""
    if isinstance(value, str):
        yield from _WORD.findall(value)
    elif isinstance(value, dict):
        yield from value
        for each in value.values():
            yield from words_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from words_in(each)


def _dependents(tree: Map, names: set[str]) -> set[str]:
    """These names, and those of the vars that are worked out from them."""
    written = tree.get("vars")
    given = {} if not isinstance(written, Map) else written
    used = {name: {*words_in(value)} for name, value in given.items()}
    found, count = names, -1
    while len(found) != count:
        count = len(found)
        found = found | {name for name, words in used.items() if words & found}
    return found


class _Spent(NamedTuple):
    """The used amounts of a scene's limits, such as bodies."""

    turns: int
    work: int
    values: int
    points: int
    shapes: int
    corners: int

    @classmethod
    def of(cls, builder: Any, build_context: BuildContext) -> _Spent:
        budget, totals = build_context.budget, builder.totals
        left = -budget.work, -budget.values, -budget.points
        return cls(build_context.turns.count, *left, totals.shapes, totals.points)

    def since(self, before: _Spent) -> _Spent:
        return _Spent(*(now - then for now, then in zip(self, before, strict=True)))

    def fits(self, more: _Spent) -> bool:
        """Whether the limits allow ``more`` in addition."""
        most = (limits.REPEATS, 0, 0, 0, limits.SHAPES, limits.POINTS)
        return all(now + new <= end for now, new, end in zip(self, more, most, strict=True))

    def take(self, builder: Any, build_context: BuildContext) -> None:
        """Add to the used amounts."""
        budget, totals = build_context.budget, builder.totals
        build_context.turns.count += self.turns
        budget.work -= self.work
        budget.values -= self.values
        budget.points -= self.points
        totals.shapes += self.shapes
        totals.points += self.corners


@dataclass
class Kept:
    """The parts of scenes that are the same, taken from the first of them.

    Attributes:
        paths: of the values that are varied.
        given: all that is written there, checked; None before there was a first.
        made: blocks that need not be built again.
        materials: as blocks take them from each other.
    """

    paths: Collection[str]
    concern: Concern
    given: Head | None = None
    made: dict[str, Any] = field(default_factory=dict)
    materials: Any = None
    _damping: tuple[float, float] = (0.0, 0.0)
    _bodies: dict[str, tuple[dict[str, Body], _Spent]] = field(default_factory=dict)

    def take(self, build_context: BuildContext, independent: Mapping[str, Any]) -> None:
        """Store the unchanged parts of a built scene, and independent blocks."""
        self.given, self.materials = build_context.given, build_context.materials
        self.made = dict(independent)
        for key in () if self.concern.all else ALONE:
            if key in self.concern.sections:
                break
            self.made[key] = build_context.made[key]
        world = build_context.made["world"]
        self._damping = world.linear_damping, world.angular_damping
        if not {"defaults", "materials"} <= self.made.keys():
            self._bodies = {}

    def checked(self, tree: Map, context: Context) -> Head:
        """Check another tree. Raises ValidationError for invalid values."""
        assert self.given is not None
        if self.concern.all:
            return SceneInput.model_validate(tree, context=context)
        new = SceneInput.model_validate(self.concern.part(tree), context=context)
        return self.concern.joined(new, self.given)

    def recall(self, build_context: BuildContext) -> None:
        """Have the blocks that are made, as if they were built now."""
        build_context.made.update(self.made)
        if "materials" in self.made:
            build_context.materials = self.materials
        if "world" in self.made:
            build_context.context.seed = self.made["world"].seed

    # ------------------------------------------------------------ bodies

    def add_bodies(
        self, name: str, template: Any, builder: Builder[Any, Body], build_context: BuildContext
    ) -> None:
        """The bodies of an entry: those that were made already where they are the same."""
        scope = build_context.scope("bodies", name)
        before = _Spent.of(builder, build_context)
        if self._recall_bodies(name, builder, build_context, before):
            return
        count = len(builder.made)
        builder.add(name, template, scope)
        if self.given is None and "." not in name and self.concern.keeps("bodies", name):
            entry = build_context.report.tree["bodies"][name]
            if _OF_FILES.isdisjoint(words_in(entry)):
                made = dict(islice(builder.made.items(), count, None))
                self._bodies[name] = made, _Spent.of(builder, build_context).since(before)

    def _recall_bodies(
        self, name: str, builder: Builder[Any, Body], build_context: BuildContext, before: _Spent
    ) -> bool:
        if self.given is None or name not in self._bodies:
            return False
        world, (bodies, spent) = build_context.made["world"], self._bodies[name]
        if (world.linear_damping, world.angular_damping) != self._damping:
            return False
        if len(builder.made) + len(bodies) > builder.most or not before.fits(spent):
            return False
        if not builder.made.keys().isdisjoint(bodies):
            return False
        builder.made.update(bodies)
        spent.take(builder, build_context)
        return True
