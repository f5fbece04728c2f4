# SPDX-License-Identifier: MIT
"""Differences of two snapshots: inputs, first step that differs, and sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from ..arguments import checked, flag, one_of, real
from .snapshot import QUANTITIES, Checkpoint, Snapshot

FEW = 3
"""Bodies that are listed, and a quarter of the listed inputs, unless all are asked for."""
LONG = 60
"""Longer values are cut when they are listed."""
KINDS = {"x": "position", "y": "position", "vx": "velocity", "vy": "velocity"}
"""Group names of quantities of one unit; others keep their own."""


@dataclass(frozen=True, slots=True)
class InputChange:
    """A value that the physics depends on: its path, its old and its new value (empty: none)."""

    path: str
    old: str
    new: str

    def __str__(self) -> str:
        old, new = (_short(text) or "(not given)" for text in (self.old, self.new))
        return f"{self.path}: {old} -> {new}"


@dataclass(frozen=True, slots=True)
class BodyDifference:
    """Differences of one body: signed, new minus old, by quantity.

    ``change`` is empty when the body is in only one of the two, which ``missing`` then names.
    """

    name: str
    change: Mapping[str, float]
    missing: str = ""

    @property
    def largest(self) -> float:
        """The largest difference of any quantity, in its own unit; infinite for a missing body."""
        if not self.change:
            return float("inf")
        return max(abs(value) if value == value else float("inf") for value in self.change.values())

    def __str__(self) -> str:
        if not self.change:
            return f"{self.name}: {self.missing}"
        parts = [f"{what} by {value:+.6g}" for what, value in self.change.items() if value != 0]
        return f"{self.name}: " + ", ".join(parts)


@dataclass(frozen=True, slots=True)
class StepDifference:
    """The bodies that differ by more than the tolerance at one checkpoint, farthest first, and the
    two states there."""

    step: int
    time: float
    bodies: tuple[BodyDifference, ...]
    old: Checkpoint | None = field(default=None, repr=False)
    new: Checkpoint | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest difference of all checkpoints in one kind of quantity, and where it is."""

    kind: str
    quantity: str
    change: float
    body: str
    step: int
    time: float

    def __str__(self) -> str:
        where = f"{self.body} at step {self.step} (t = {self.time:g})"
        return f"{self.kind}: {self.quantity} by {self.change:+.6g}, {where}"


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference of two snapshots, and all differences.

    Attributes:
        step: the first checkpoint that differs.
        time: its scene time.
        bodies: the bodies that differ there by more than the tolerance, farthest first.
        notes: differences of the headers, which may explain it.
        old, new: the two checkpoints, for a picture; None where that step is missing.
        inputs: the different input values of the two.
        agreed: the last earlier checkpoint with equal states, if there is one.
        steps: every common checkpoint with different bodies.
    """

    step: int
    time: float
    bodies: tuple[BodyDifference, ...]
    notes: tuple[str, ...] = ()
    old: Checkpoint | None = field(default=None, repr=False)
    new: Checkpoint | None = field(default=None, repr=False)
    inputs: tuple[InputChange, ...] = ()
    agreed: int | None = None
    steps: tuple[StepDifference, ...] = ()

    @property
    def largest(self) -> tuple[Largest, ...]:
        """The largest difference in each kind of quantity: position, angle, velocity, omega."""
        found: dict[str, Largest] = {}
        for at in self.steps:
            for body in at.bodies:
                for quantity, change in body.change.items():
                    kind = KINDS.get(quantity, quantity)
                    if kind not in found or abs(change) > abs(found[kind].change):
                        found[kind] = Largest(kind, quantity, change, body.name, at.step, at.time)
        return tuple(found.values())

    @property
    def farthest(self) -> int:
        """The step at which bodies are farthest apart: where the largest difference of a position
        is, else the largest of any quantity; the first that differs if that is not known."""
        largest = self.largest
        places = [each for each in largest if each.kind == "position"] or list(largest)
        return max(places, key=lambda each: abs(each.change)).step if places else self.step

    def __str__(self) -> str:
        return self.text()

    @checked(everything=flag)
    def text(self, everything: bool = False) -> str:
        """The differences: in a few lines, or every input, and every body at every checkpoint."""
        lines = self._where()
        lines += _listed(self.bodies, None if everything else FEW, "body", "bodies")
        if self.largest:
            lines.append("the largest differences of all steps")
            lines += [f"  {each}" for each in self.largest]
        if self.inputs:
            lines.append("these inputs are not the same")
            lines += _listed(self.inputs, None if everything else 4 * FEW, "input", "inputs")
        for at in self.steps if everything else ():
            if at.step == self.step:
                continue
            lines.append(f"step {at.step} (t = {at.time:g})")
            lines += [f"  {body}" for body in at.bodies]
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])

    def _where(self) -> list[str]:
        if self.old is None or self.new is None:
            which = "old" if self.old is None else "new"
            return [f"the {which} snapshot has no checkpoint at step {self.step}"]
        if self.agreed is None:
            lines = [f"the states differ at the first stored step, {self.step} (t = {self.time:g})"]
        else:
            lines = [
                f"the states go apart at step {self.step} (t = {self.time:g}); they were the same "
                f"at step {self.agreed}"
            ]
        if not self.bodies:
            lines.append("  the state hashes differ, though every printed value is the same")
        return lines


def _listed(items: Any, most: int | None, one: str, many: str) -> list[str]:
    lines = [f"  {item}" for item in items[:most]]
    if len(items) > len(lines):
        more = len(items) - len(lines)
        lines.append(f"  and {more} more {one if more == 1 else many}")
    return lines


def _short(text: str) -> str:
    return text if len(text) <= LONG else f"{text[: LONG - 4]} ..."


@checked(old=one_of(Snapshot), new=one_of(Snapshot), tolerance=real)
def compare_snapshots(old: Snapshot, new: Snapshot, tolerance: float = 0.0) -> Difference | None:
    """Return the difference of two snapshots, or None when they agree.

    Equal hashes agree. If they differ, every number is compared: a body differs when any of
    its x y angle vx vy omega differs by more than ``tolerance`` (scene units, radians). With
    tolerance 0 any difference counts, down to the last bit.
    """
    before = {checkpoint.step: checkpoint for checkpoint in old.checkpoints}
    after = {checkpoint.step: checkpoint for checkpoint in new.checkpoints}
    first: int | None = None
    agreed: int | None = None
    apart: list[StepDifference] = []
    for step in sorted({*before, *after}):
        a, b = before.get(step), after.get(step)
        if a is None or b is None:
            first = step if first is None else first
            continue
        bodies: list[BodyDifference] = []
        if a.hash != b.hash:
            bodies = sorted(_body_differences(a, b, tolerance), key=lambda body: -body.largest)
        if bodies or (a.hash != b.hash and tolerance == 0):
            first = step if first is None else first
            apart.append(StepDifference(step, step * old.dt, tuple(bodies), a, b))
        elif first is None:
            agreed = step
    if first is None:
        return None
    here = next((at.bodies for at in apart if at.step == first), ())
    return Difference(
        step=first,
        time=first * old.dt,
        bodies=here,
        notes=tuple(_header_notes(old, new)),
        old=before.get(first),
        new=after.get(first),
        inputs=tuple(_input_changes(old, new)),
        agreed=agreed,
        steps=tuple(apart),
    )


def _header_notes(old: Snapshot, new: Snapshot) -> Iterator[str]:
    if old.scene != new.scene:
        note = "the scene's physics is not the same (scene hashes differ)"
        if old.inputs is None or new.inputs is None:
            which = "old" if old.inputs is None else "new"
            note += f"; the {which} snapshot does not hold its inputs, one recorded anew does"
        yield note
    if old.engine != new.engine:
        yield f"engine {old.engine} made the old snapshot, {new.engine} the new one"
    if old.dt != new.dt:
        yield f"dt was {old.dt!r} and is {new.dt!r}"
    if old.steps != new.steps:
        yield f"there were {old.steps} steps and are {new.steps}"
    yield from _order_notes(old.inputs or {}, new.inputs or {})


def _order_notes(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[str]:
    """Notes on sections whose common entries have another order, which results depend on."""
    for section in ("bodies", "joints", "actuators"):
        both = [path for path in old if path.startswith(f"{section}.") and path in new]
        known = set(both)
        for before, after in zip(both, (path for path in new if path in known), strict=True):
            if before != after:
                names = [path.partition(".")[2] for path in (after, before)]
                yield f"the order of {section} is not the same: {names[0]} is before {names[1]} now"
                break


def _input_changes(old: Snapshot, new: Snapshot) -> Iterator[InputChange]:
    if old.inputs is None or new.inputs is None:
        return
    for path in {**old.inputs, **new.inputs}:
        before, after = old.inputs.get(path, ""), new.inputs.get(path, "")
        if before and after and before != after:
            yield from value_changes(path, _value(before), _value(after))
        elif before != after:
            yield InputChange(path, before, after)


def _value(text: str) -> Any:
    """The value of a snapshot's text; the text itself if it is damaged."""
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text)):
            return text  # none is written, and they could represent far more than the file holds
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        return text


def value_changes(path: str, old: Any, new: Any) -> Iterator[InputChange]:
    """Return the differences of two values, at the deepest common level."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in {**old, **new}:
            if key in old and key in new:
                yield from value_changes(f"{path}.{key}", old[key], new[key])
            else:
                yield InputChange(f"{path}.{key}", str(old.get(key, "")), str(new.get(key, "")))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from value_changes(f"{path}[{i}]", before, after)
    elif old != new or repr(old) != repr(new):
        yield InputChange(path, str(old), str(new))


def _body_differences(a: Checkpoint, b: Checkpoint, tolerance: float) -> Iterator[BodyDifference]:
    for name in {**a.bodies, **b.bodies}:
        before, after = a.bodies.get(name), b.bodies.get(name)
        if before is None or after is None:
            which = "old" if before is None else "new"
            yield BodyDifference(name, {}, f"is not in the {which} state")
            continue
        change = {
            quantity: new - old
            for quantity, old, new in zip(QUANTITIES, before, after, strict=True)
            if repr(old) != repr(new)
        }
        if any(not abs(value) <= tolerance for value in change.values()):
            yield BodyDifference(name, change)
