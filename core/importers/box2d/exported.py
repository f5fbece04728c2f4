# SPDX-License-Identifier: MIT
"""Worlds of Box2D as JSON, in the form of b2dJson, which R.U.B.E. exports.

Metres, seconds and radians, y up; bodies are referred to by their index.
"""

from __future__ import annotations

from ..drafts.draft import Draft
from ..drafts.finishing import finish
from ..drafts.places import Value
from ..drafts.result import Import
from .bodies import add_body, fixture_outline, read_world
from .images import add_images
from .joints import add_joints
from .world import Box2dWorld


def read(value: Value) -> Import:
    """The scene of an exported world."""
    world = Box2dWorld(Draft(value.source, "box2d-json"), value)
    read_world(world)
    for index, each in enumerate(value.items("body")):
        add_body(world, index, each, fixture_outline)
    add_joints(world, value.items("joint"))
    world.draft.collision = world.filters.finish(world.draft, value)
    add_images(world, value.items("image"))
    return finish(world.draft)
