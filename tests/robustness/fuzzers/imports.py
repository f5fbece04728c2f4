# SPDX-License-Identifier: MIT
"""Imports: files of other programs with something changed; an error with its place, or a scene."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from rigid2d.core import loads
from rigid2d.core.errors import SceneError, SimulationError, UsageError
from rigid2d.core.importers import FORMATS, import_data
from rigid2d.core.world import World

from .values import anything

FOLDER = Path(__file__).parents[2] / "importers" / "files"
TEXT = b'0123456789.-eE"{}[],:<>/&;#()% \nMLCAZmlcaz'
STEPS = 5
AUTO = "auto"


@cache
def foreign() -> dict[str, bytes]:
    """A good file of each program, by name."""
    return {path.name: path.read_bytes() for path in sorted(FOLDER.iterdir())}


def changed_file(choose: random.Random) -> bytes:
    """A line with the format, then a file with one to five changes."""
    name = choose.choice([*foreign()])
    data = foreign()[name]
    for _ in range(choose.choice([1, 1, 2, 5])):
        can_have_values = not name.endswith(".svg") and choose.random() < 0.6
        data = (_another_value if can_have_values else _other_bytes)(choose, data)
    how = AUTO if choose.random() < 0.9 else choose.choice(FORMATS)
    return how.encode() + b"\n" + data


def check_import(case: bytes) -> None:
    """Whatever is imported is a scene that can be read again, built and stepped."""
    how, _, data = case.partition(b"\n")
    try:
        made = import_data(data, how.decode(), file="foreign")
    except SceneError as error:
        _check_problems(error)
        return
    except UsageError:
        if how != b"pymunk":  # which has no files
            raise
        return
    scene = made.scene()
    assert loads(made.text).hash == scene.hash, "the text is another scene"
    with suppress(SimulationError):
        World(scene).step(STEPS)


def _check_problems(error: SceneError) -> None:
    assert error.problems, "an error without problems"
    for problem in error.problems:
        assert problem.file == "foreign", f"another file: {problem!r}"
        assert problem.message, f"no message: {problem!r}"


def _other_bytes(choose: random.Random, data: bytes) -> bytes:
    at = choose.randint(0, len(data))
    how = choose.random()
    if how < 0.4:
        return data[:at] + bytes([choose.randrange(256)]) + data[at + 1 :]
    if how < 0.7:
        return data[:at] + data[at + choose.randint(1, 9) :]
    return data[:at] + bytes(choose.choices(TEXT, k=2)) + data[at:]


def _another_value(choose: random.Random, data: bytes) -> bytes:
    """JSON with a value in another one's place; as it is where it is JSON no more."""
    try:
        tree = json.loads(data)
    except ValueError:
        return data
    places = _places(tree)
    if not places:
        return data
    owner, last = choose.choice(places)
    if choose.random() < 0.2:
        del owner[last]
    else:
        other, key = choose.choice(places)
        owner[last] = deepcopy(choose.choice([anything(choose), other[key]]))
    return json.dumps(tree).encode("utf-8", "surrogatepass")


def _places(value: Any) -> list[tuple[Any, Any]]:
    """The owners and keys of all values of a JSON document."""
    if not isinstance(value, (dict, list)):
        return []
    keys = [*value] if isinstance(value, dict) else [*range(len(value))]
    return [place for key in keys for place in [(value, key), *_places(value[key])]]
