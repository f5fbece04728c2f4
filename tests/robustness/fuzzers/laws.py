# SPDX-License-Identifier: MIT
"""Random passive worlds before a judge of the laws of physics (``tests.robustness.laws``)."""

from __future__ import annotations

import random

from rigid2d.core import SceneError, loads

from ..laws.judge import LAWS, judge_scene
from ..laws.start import is_well_posed
from ..laws.worlds import a_world
from .scene_grammar import written

BROKEN = {law: type(f"{law.capitalize()}Broken", (AssertionError,), {}) for law in LAWS}
"""An error for each law, so that failures are told apart by what they break."""


def passive_world(choose: random.Random) -> bytes:
    """The text of a world, an entry a line."""
    return written(a_world(choose))


def check_laws(case: bytes) -> None:
    """Run it, and raise where it breaks a law; what is no world any more breaks none."""
    try:
        scene = loads(case, path="world.yaml")
    except SceneError:
        return
    moves = any(body.kind == "dynamic" for body in scene.bodies.values())
    if not moves or not is_well_posed(scene):
        return
    for each in judge_scene(scene):
        if each.broken:
            raise BROKEN[each.law](f"{each.share:.3g} times what is allowed: {each.said}")
