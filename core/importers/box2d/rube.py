# SPDX-License-Identifier: MIT
"""Projects of the editor R.U.B.E.: the same bodies, fixtures and joints as in its exports.

They are under `metaworld`, joints refer to bodies by their id, and the points of all fixtures are
`vertices`, whose meaning depends on the fixture's `shapes`.
"""

from __future__ import annotations

from ..drafts import geometry
from ..drafts.draft import Draft, Entry
from ..drafts.finishing import finish
from ..drafts.places import Value
from ..drafts.result import Import
from .bodies import add_body, circle_at, read_world
from .images import add_images
from .joints import add_joints
from .values import number, points
from .world import Box2dWorld


def read(value: Value) -> Import:
    """The scene of a project."""
    meta = value.need("metaworld")
    world = Box2dWorld(Draft(value.source, "rube"), meta)
    read_world(world)
    for index, each in enumerate(meta.items("metabody")):
        add_body(world, each.whole("id", default=index), each, _outline)
    add_joints(world, meta.items("metajoint"))
    world.draft.collision = world.filters.finish(world.draft, meta)
    add_images(world, meta.items("metaimage"))
    if meta.items("metaobject"):
        world.draft.lose(meta.need("metaobject"), "objects of other files are not read")
    return finish(world.draft)


def _outline(fixture: Value) -> list[Entry]:
    given = points(fixture.need("vertices"))
    kinds = fixture.items("shapes")
    shape = kinds[0] if kinds else fixture
    kind = shape.text("type", default="polygon")
    if kind == "circle":
        center = given[0] if given else (0.0, 0.0)
        return [circle_at(number(shape, "radius"), center)]
    if kind == "polygon":
        return [geometry.polygon_shape(given)]
    if kind in ("line", "loop"):
        return [geometry.line_shape(given, closed=kind == "loop")]
    raise shape.fail("unknown-word", f"no shape is {kind!r}; known are circle, polygon, line, loop")
