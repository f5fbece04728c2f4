# SPDX-License-Identifier: MIT
"""Foreign files with something wrong in them: an error of ours that names a place, or a scene."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path

import pytest
from rigid2d.core.errors import SceneError
from rigid2d.core.importers import import_data
from rigid2d.core.world import World

FILES = sorted((Path(__file__).parent / "files").iterdir())
TRIES = 50
STRANGE = (None, True, -1, 0, 0.5, 1e300, -1e9, 10**400, "", "x", "1;2", [], {}, [1, 2], {"X": 1})


def try_import(data, name):
    """Import what may be wrong; what comes of it is a world that can be built."""
    try:
        made = import_data(data, file=name)
    except SceneError as error:
        return error.problems
    World(made.scene())
    return []


def places(value, steps=()):
    """The steps to every value of a JSON document."""
    yield steps
    if isinstance(value, (dict, list)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(item, (*steps, key))


@pytest.mark.parametrize("file", [f for f in FILES if f.suffix != ".svg"], ids=lambda f: f.name)
def test_any_value_may_be_another(file):
    whole = json.loads(file.read_text())
    rng = random.Random(7)
    known = [steps for steps in places(whole) if steps]
    for _ in range(TRIES):
        changed = copy.deepcopy(whole)
        *way, last = rng.choice(known)
        owner = changed
        for step in way:
            owner = owner[step]
        if rng.random() < 0.2:
            del owner[last]
        else:
            owner[last] = rng.choice(STRANGE)
        for problem in try_import(json.dumps(changed), file.name):
            assert (problem.file, bool(problem.message)) == (file.name, True)


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.name)
def test_any_bytes_may_be_others(file):
    data = file.read_bytes()
    rng = random.Random(11)
    for _ in range(TRIES):
        changed = bytearray(data)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(changed))
            action = rng.random()
            if action < 0.4:
                changed[at] = rng.randrange(256)
            elif action < 0.7:
                del changed[at : at + rng.randint(1, 9)]
            else:
                changed[at:at] = bytes(rng.choices(b'0123456789.-eE"{}[],:<>/&', k=2))
        for problem in try_import(bytes(changed), file.name):
            assert (problem.file, bool(problem.message)) == (file.name, True)
