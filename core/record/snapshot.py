"""Snapshots: the exact state of a run at a few steps, as text made to be read in a diff.

A snapshot is a regression test of the physics. Its file holds a header, then checkpoints:

    rigid snapshot 1
    engine 0.1.0
    scene 3f2a...
    name Hello
    dt 0.016666666666666666
    steps 480

    step 48 hash 9a3c...
    ball 0.0 3.1 0.0 0.0 -7.8 0.0

A body's line is its name, then x y angle vx vy omega in scene units and radians, each printed so
that it reads back as the same number. A removed body has no line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ..errors import UsageError
from .atomic import atomic_file

FORMAT = "rigid snapshot 1"
State = tuple[float, float, float, float, float, float]
QUANTITIES = ("x", "y", "angle", "vx", "vy", "omega")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state after ``step`` steps: the engine's hash of it, and each living body's numbers."""

    step: int
    hash: int
    bodies: Mapping[str, State]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a snapshot file holds. ``scene`` is the hash of what the scene's physics depends on."""

    engine: str
    scene: str
    name: str
    dt: float
    steps: int
    checkpoints: tuple[Checkpoint, ...]


@dataclass(frozen=True, slots=True)
class BodyDifference:
    """How far one body is from where it was: the signed difference, new minus old, by quantity.

    ``change`` is empty when the body is in only one of the two, which ``missing`` then tells.
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
class Difference:
    """Where two snapshots first go apart.

    Attributes:
        step: the first checkpoint that differs.
        time: its scene time.
        bodies: the bodies that differ by more than the tolerance, farthest first.
        notes: differences of the headers, which may explain it.
        old, new: the two checkpoints, for a picture; None where that step is missing.
    """

    step: int
    time: float
    bodies: tuple[BodyDifference, ...]
    notes: tuple[str, ...] = ()
    old: Checkpoint | None = field(default=None, repr=False)
    new: Checkpoint | None = field(default=None, repr=False)

    def __str__(self) -> str:
        lines = [f"the states go apart at step {self.step} (t = {self.time:g})"]
        if self.old is None or self.new is None:
            which = "old" if self.old is None else "new"
            lines = [f"the {which} snapshot has no checkpoint at step {self.step}"]
        elif not self.bodies:
            lines.append("  the state hashes differ, though every printed value is the same")
        lines += [f"  {body}" for body in self.bodies[:10]]
        if len(self.bodies) > 10:
            lines.append(f"  and {len(self.bodies) - 10} more bodies")
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])


def engine_version() -> str:
    """The version of the installed package."""
    try:
        return version("rigid")
    except PackageNotFoundError:
        return "unknown"


def checkpoint_steps(steps: int, count: int = 10) -> tuple[int, ...]:
    """The steps at which a run of ``steps`` is looked at: about ``count``, and the last."""
    every = max(1, -(-steps // count))
    return tuple(sorted({*range(every, steps, every), steps}))


# ---------------------------------------------------------------- files


def format_snapshot(snapshot: Snapshot) -> str:
    """The text of a snapshot file."""
    name = " ".join(snapshot.name.split())
    lines = [
        FORMAT,
        f"engine {snapshot.engine}",
        f"scene {snapshot.scene}",
        f"name {name}",
        f"dt {snapshot.dt!r}",
        f"steps {snapshot.steps}",
    ]
    for checkpoint in snapshot.checkpoints:
        lines += ["", f"step {checkpoint.step} hash {checkpoint.hash:016x}"]
        for body, state in checkpoint.bodies.items():
            lines.append(f"{_quoted(body)} {' '.join(map(repr, state))}")
    return "\n".join(lines) + "\n"


def _quoted(name: str) -> str:
    plain = name.isprintable() and not any(c.isspace() or c in '"\\' for c in name)
    return name if plain and name else json.dumps(name)


def write_snapshot(path: str | Path, snapshot: Snapshot) -> None:
    """Write a snapshot file, atomically."""
    with atomic_file(path) as file:
        file.write(format_snapshot(snapshot).encode())


def read_snapshot(path: str | Path) -> Snapshot:
    """Read a snapshot file. Raises UsageError with file and line when it is not one."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}:1: is not a snapshot: it is not UTF-8 text") from error
    lines = enumerate(text.split("\n"), start=1)
    number, line = next(lines)
    if line.strip() != FORMAT:
        raise UsageError(f"{path}:{number}: is not a snapshot: its first line should be {FORMAT!r}")
    header: dict[str, str] = {}
    for key in ("engine", "scene", "name", "dt", "steps"):
        number, line = next(lines, (number + 1, ""))
        word, _, header[key] = line.partition(" ")
        if word != key:
            raise UsageError(f"{path}:{number}: expected '{key} ...', found {line!r}")
        if key in ("dt", "steps"):
            _number(path, number, header[key], int if key == "steps" else float)
    return Snapshot(
        engine=header["engine"],
        scene=header["scene"],
        name=header["name"],
        dt=float(header["dt"]),
        steps=int(header["steps"]),
        checkpoints=tuple(_checkpoints(path, lines)),
    )


def _checkpoints(path: str | Path, lines: Iterator[tuple[int, str]]) -> Iterator[Checkpoint]:
    current: tuple[int, int, dict[str, State]] | None = None
    for number, line in lines:
        words = line.split()
        if not words:
            continue
        if len(words) == 4 and words[0] == "step" and words[2] == "hash":
            step = int(_number(path, number, words[1], int))
            if current is not None:
                if step <= current[0]:
                    raise UsageError(f"{path}:{number}: step {step} follows step {current[0]}")
                yield Checkpoint(*current)
            current = step, _hash(path, number, words[3]), {}
            continue
        name, state = _body(path, number, line)
        if current is None:
            raise UsageError(f"{path}:{number}: a body's line before the first 'step N hash H'")
        if name in current[2]:
            raise UsageError(f"{path}:{number}: body {name!r} is listed twice in step {current[0]}")
        current[2][name] = state
    if current is not None:
        yield Checkpoint(*current)


def _body(path: str | Path, number: int, line: str) -> tuple[str, State]:
    text = line.strip()
    if text.startswith('"'):
        try:
            name, end = json.JSONDecoder().raw_decode(text)
        except ValueError as error:
            raise UsageError(f"{path}:{number}: a quoted name does not end: {text!r}") from error
        words = text[end:].split()
    else:
        name, *words = text.split()
    if len(words) != 6:
        raise UsageError(
            f"{path}:{number}: expected a body's name and 6 numbers ({' '.join(QUANTITIES)}), "
            f"found {len(words)} after the name"
        )
    x, y, angle, vx, vy, omega = (float(_number(path, number, word, float)) for word in words)
    return str(name), (x, y, angle, vx, vy, omega)


def _number(path: str | Path, line: int, word: str, kind: type[int] | type[float]) -> float:
    try:
        return kind(word)
    except ValueError as error:
        what = "a whole number" if kind is int else "a number"
        raise UsageError(f"{path}:{line}: expected {what}, found {word!r}") from error


def _hash(path: str | Path, line: int, word: str) -> int:
    try:
        return int(word, 16)
    except ValueError as error:
        raise UsageError(f"{path}:{line}: expected a hash of 16 digits, found {word!r}") from error


# ---------------------------------------------------------------- comparing


def compare_snapshots(old: Snapshot, new: Snapshot, tolerance: float = 0.0) -> Difference | None:
    """The first checkpoint at which two snapshots differ, or None when they agree.

    Equal hashes agree. Where they differ, every number is compared: a body differs when any of
    its x y angle vx vy omega does by more than ``tolerance`` (scene units, radians). With
    tolerance 0 any difference counts, down to the last bit.
    """
    notes = tuple(_header_notes(old, new))
    before = {checkpoint.step: checkpoint for checkpoint in old.checkpoints}
    after = {checkpoint.step: checkpoint for checkpoint in new.checkpoints}
    for step in sorted({*before, *after}):
        a, b = before.get(step), after.get(step)
        if a is None or b is None:
            return Difference(step, step * old.dt, (), notes, a, b)
        if a.hash == b.hash:
            continue
        bodies = tuple(_body_differences(a, b, tolerance))
        if bodies or tolerance == 0:
            ordered = tuple(sorted(bodies, key=lambda body: -body.largest))
            return Difference(step, step * old.dt, ordered, notes, a, b)
    return None


def _header_notes(old: Snapshot, new: Snapshot) -> Iterator[str]:
    if old.scene != new.scene:
        yield "the scene's physics is not the same (scene hashes differ)"
    if old.engine != new.engine:
        yield f"engine {old.engine} made the old snapshot, {new.engine} the new one"
    if old.dt != new.dt:
        yield f"dt was {old.dt!r} and is {new.dt!r}"
    if old.steps != new.steps:
        yield f"there were {old.steps} steps and are {new.steps}"


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
