# SPDX-License-Identifier: MIT
"""Snapshots: the inputs of a run, and its exact state at a few steps.

A snapshot is a regression test of the physics. Its file is text in which a change of the scene
changes the lines of the changed values, and one line for each checkpoint:

    rigid snapshot 2
    engine 0.1.0+6d0c1f9be3a2
    scene 3f2a...
    name Hello
    dt 0.016666666666666666
    steps 480

    world.gravity [0.0, -9.81]
    bodies.ball {type: dynamic, shape: {circle: 0.5}}

    step 48 hash 9a3c... ["ball"] AAAAAAAAAADNzMzMzMwIQAAAAAAAAAAAAAAAAAAAAAAzMzMzMzMfwAAAAAAAAAAA

The inputs are the values of the expanded scene that the physics depends on. A checkpoint
names its bodies if they differ from those of the previous one; removed bodies are left out.
Then follow, in Base64, x y angle vx vy omega of each as IEEE 754 doubles, little end first, in
scene units and radians.

In files of format 1, which can still be read, each body has a line of six numbers at each
checkpoint, and there are no inputs.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from math import inf
from pathlib import Path

import numpy as np

from ..arguments import checked, named, one_of
from ..errors import UsageError
from ..reading import read_bytes
from ..scene import limits
from .atomic import atomic_file

FORMAT = "rigid snapshot 2"
PLAIN_FORMAT = "rigid snapshot 1"
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
    """The content of a snapshot file. ``scene`` is the hash of all inputs of the scene's physics,
    ``inputs`` the texts of these values by their paths; None where they were not stored."""

    engine: str
    scene: str
    name: str
    dt: float
    steps: int
    checkpoints: tuple[Checkpoint, ...]
    inputs: Mapping[str, str] | None = None


def checkpoint_steps(steps: int, count: int = 10) -> tuple[int, ...]:
    """Steps of the checkpoints of a run of ``steps``: about ``count``, and the last."""
    every = max(1, -(-steps // count))
    return tuple(sorted({*range(every, steps, every), steps}))


# ---------------------------------------------------------------- files


def format_snapshot(snapshot: Snapshot) -> str:
    """Format a snapshot as text; a snapshot without inputs has format 1."""
    name = " ".join(snapshot.name.split())
    lines = [
        PLAIN_FORMAT if snapshot.inputs is None else FORMAT,
        f"engine {snapshot.engine}",
        f"scene {snapshot.scene}",
        f"name {name}",
        f"dt {snapshot.dt!r}",
        f"steps {snapshot.steps}",
    ]
    if snapshot.inputs is not None:
        lines += ["", *(f"{path} {text}" for path, text in snapshot.inputs.items()), ""]
    names: list[str] = []
    for checkpoint in snapshot.checkpoints:
        head = f"step {checkpoint.step} hash {checkpoint.hash:016x}"
        if snapshot.inputs is None:
            lines += ["", head]
            for body, state in checkpoint.bodies.items():
                lines.append(f"{_quoted(body)} {' '.join(map(repr, state))}")
            continue
        if names != list(checkpoint.bodies):
            names = list(checkpoint.bodies)
            head += f" {json.dumps(names, ensure_ascii=False)}"
        lines.append(f"{head} {_packed(checkpoint.bodies.values())}".rstrip())
    if sum(map(len, lines)) > limits.SNAPSHOT_BYTES or len(lines) > limits.SNAPSHOT_LINES:
        raise UsageError(
            f"a snapshot of {len(snapshot.checkpoints)} checkpoints is larger than the "
            f"{limits.SNAPSHOT_BYTES >> 20} MiB that are read again; store fewer"
        )
    return "\n".join(lines) + "\n"


def _packed(states: Iterable[State]) -> str:
    return b64encode(np.array(list(states), "<f8").tobytes()).decode()


def _quoted(name: str) -> str:
    plain = name.isprintable() and not any(c.isspace() or c in '"\\' for c in name)
    return name if plain and name else json.dumps(name)


@checked(path=named, snapshot=one_of(Snapshot))
def write_snapshot(path: str | Path, snapshot: Snapshot) -> None:
    """Write a snapshot file, atomically."""
    with atomic_file(path) as file:
        file.write(format_snapshot(snapshot).encode())


@checked(path=named)
def read_snapshot(path: str | Path) -> Snapshot:
    """Read a snapshot file. Raises UsageError with file and line when it is not one."""
    try:
        data = read_bytes(path, limits.SNAPSHOT_BYTES)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"{path}: cannot be read: {reason}") from error
    lines = _lines(path, data)
    number, line = next(lines, (1, ""))
    known = (PLAIN_FORMAT, FORMAT)
    if line.strip() not in known:
        formats = " or ".join(map(repr, known))
        raise UsageError(f"{path}:{number}: is not a snapshot: its first line should be {formats}")
    plain = line.strip() == PLAIN_FORMAT
    header: dict[str, str] = {}
    for key in ("engine", "scene", "name", "dt", "steps"):
        number, line = next(lines, (number + 1, ""))
        word, _, header[key] = line.partition(" ")
        if word != key:
            raise UsageError(f"{path}:{number}: expected '{key} ...', found {line[:40]!r}")
        if key == "dt" and not 0.0 < _number(path, number, header[key], float) < inf:
            raise UsageError(f"{path}:{number}: expected a length of time, found {header[key]!r}")
        if key == "steps" and not 1 <= _number(path, number, header[key], int) <= limits.STEPS:
            raise UsageError(
                f"{path}:{number}: expected 1 to {limits.STEPS} steps, found {header[key]!r}"
            )
    inputs: dict[str, str] | None = None if plain else {}
    checkpoints = tuple(
        _checkpoints(path, lines) if inputs is None else _packed_lines(path, lines, inputs)
    )
    if not checkpoints or not data.endswith(b"\n"):
        lacks = "its last line does not end" if checkpoints else "it has no 'step N hash H'"
        raise UsageError(f"{path}: is cut short: {lacks}; write it anew")
    return Snapshot(
        engine=header["engine"],
        scene=header["scene"],
        name=header["name"],
        dt=float(header["dt"]),
        steps=int(header["steps"]),
        checkpoints=checkpoints,
        inputs=inputs,
    )


def _lines(path: str | Path, data: bytes) -> Iterator[tuple[int, str]]:
    """The lines of a snapshot with their numbers, one at a time."""
    for number, line in enumerate(BytesIO(data), start=1):
        if number > limits.SNAPSHOT_LINES:
            raise UsageError(f"{path}:{number}: more lines than a snapshot may have")
        try:
            yield number, line.decode().removesuffix("\n").removesuffix("\r")
        except UnicodeDecodeError as error:
            raise UsageError(f"{path}:{number}: is not a snapshot: it is not UTF-8 text") from error


def _packed_lines(
    path: str | Path, lines: Iterator[tuple[int, str]], inputs: dict[str, str]
) -> Iterator[Checkpoint]:
    """The checkpoints of format 2; the inputs before them go into ``inputs``."""
    names: list[str] = []
    last = -1
    for number, line in lines:
        words = line.split(" ", 4)
        if not line.strip():
            continue
        if words[0] != "step" and last < 0:
            name, space, inputs[name] = line.partition(" ")
            if not space:
                raise UsageError(
                    f"{path}:{number}: expected an input and its value, found {line[:40]!r}"
                )
            continue
        if len(words) < 4 or words[0] != "step" or words[2] != "hash":
            raise UsageError(f"{path}:{number}: expected 'step N hash H ...', found {line[:40]!r}")
        step = int(_number(path, number, words[1], int))
        if step <= last:
            raise UsageError(f"{path}:{number}: step {step} follows step {last}")
        last = step
        packed = words[4] if len(words) > 4 else ""
        if packed.startswith("["):
            names, packed = _names(path, number, packed)
        states = _unpacked(path, number, packed, len(names))
        yield Checkpoint(step, _hash(path, number, words[3]), dict(zip(names, states, strict=True)))


def _names(path: str | Path, line: int, text: str) -> tuple[list[str], str]:
    """Return the list of names at the beginning of a text, and the rest."""
    try:
        names, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}:{line}: a list of bodies does not end") from error
    if not all(isinstance(name, str) for name in names) or len(set(names)) < len(names):
        raise UsageError(f"{path}:{line}: expected names of bodies, each once, found {text[:60]!r}")
    return names, text[end:].strip()


def _unpacked(path: str | Path, line: int, packed: str, count: int) -> list[State]:
    try:
        data = b64decode(packed, validate=True)
    except ValueError as error:
        raise UsageError(
            f"{path}:{line}: expected states in Base64, found {packed[:20]!r}"
        ) from error
    if len(data) != 8 * len(QUANTITIES) * count:
        wanted = 8 * len(QUANTITIES) * count
        raise UsageError(f"{path}:{line}: {count} bodies take {wanted} bytes, found {len(data)}")
    rows = np.frombuffer(data, "<f8").reshape(-1, len(QUANTITIES)).tolist()
    return [(x, y, angle, vx, vy, omega) for x, y, angle, vx, vy, omega in rows]


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
        raise UsageError(f"{path}:{line}: expected {what}, found {word[:40]!r}") from error


def _hash(path: str | Path, line: int, word: str) -> int:
    try:
        if len(word) > 16:
            raise ValueError(word)
        return int(word, 16)
    except ValueError as error:
        raise UsageError(
            f"{path}:{line}: expected a hash of 16 digits, found {word[:40]!r}"
        ) from error
