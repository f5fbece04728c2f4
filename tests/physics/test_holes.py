# SPDX-License-Identifier: MIT
"""Polygons with holes: mass, contacts, queries, pictures, pieces."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from rigid2d.core import build, loads
from rigid2d.core.errors import SceneError
from rigid2d.core.polygons import Polygon, difference, intersection
from rigid2d.core.record.frame import Frame
from rigid2d.core.render.masks import Masks
from rigid2d.core.render.renderer import Renderer
from rigid2d.core.scene import expand
from rigid2d.core.scene.model import Scene, Shape
from rigid2d.core.world import World

FRAME = "box: [4, 2], holes: [[[-1.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-1.5, 0.5]]]"
RING = (
    "regular_polygon: {sides: 40, radius: 1}, "
    "holes: [{arc: {center: [0, 0], radius: 0.8, from: 0, to: 360}}]"
)


def scene(bodies: str, gravity: str = "[0, 0]", more: str = "") -> Scene:
    return loads(f"""
rigid: 1
world: {{gravity: {gravity}}}
bodies: {{{bodies}}}
camera: {{mode: region, rect: [[-3, -3], [3, 3]]}}
{more}
""")


def frame_of(angle: float = 0.0, more: str = "") -> Scene:
    return scene(f"frame: {{shape: {{{FRAME}}}, angle: {angle}, {more}}}")


def area(shape: Shape) -> float:
    return Polygon(shape.points, shape.holes).area


def test_mass_centre_and_inertia_are_those_of_what_is_left() -> None:
    native = build(frame_of()).native
    # A box of 4 x 2 without one of 2 x 1, whose middle is 0.5 to the left.
    center = (0.0 * 8 + 0.5 * 2) / 6
    about_origin = 8 * (16 + 4) / 12 - 2 * ((4 + 1) / 12 + 0.25)
    assert native.mass[1] == pytest.approx(6)
    assert native.center_of_mass(1) == pytest.approx((center, 0))
    assert native.inertia[1] == pytest.approx(about_origin - 6 * center * center)


def test_a_body_in_a_hole_is_free_and_is_carried() -> None:
    given = scene(
        f"ring: {{shape: {{{RING}}}, velocity: [2, 0]}}, ball: {{shape: {{circle: 0.1}}}}"
    )
    world = build(given)
    world.step()
    assert world.query.contacts() == []
    world.step(100)
    x, y = (world["ball"].position[k] - world["ring"].position[k] for k in (0, 1))
    assert math.hypot(x, y) < 0.71
    assert world["ball"].velocity[0] > 0.1


@pytest.mark.parametrize("solver", ["soft_step", "sequential_impulse"])
def test_a_fast_body_does_not_leave_a_hole(solver: str) -> None:
    given = loads(f"""
rigid: 1
world: {{solver: {{type: {solver}}}, gravity: [0, 0]}}
bodies:
  ring: {{type: static, shape: {{{RING}}}}}
  ball: {{shape: {{circle: 0.1}}, velocity: [700, 400], restitution: 1}}
""")
    world = build(given)
    for _ in range(60):
        world.step()
        assert math.hypot(*world["ball"].position) < 0.8


@pytest.mark.parametrize("solver", ["iterative_impulse", "pgs_matrix", "pgs_jrow"])
def test_a_ring_hangs_on_a_peg_in_the_textbook_solvers(solver: str) -> None:
    given = loads(f"""
rigid: 1
world: {{solver: {{type: {solver}}}, dt: 0.01}}
bodies:
  peg: {{type: static, shape: {{circle: 0.1}}}}
  ring: {{shape: {{{RING}}}, position: [0, -0.69]}}
""")
    world = build(given)
    world.step(100)
    assert world["ring"].position[1] == pytest.approx(-0.7, abs=0.05)


def test_queries_see_through_a_hole() -> None:
    query = build(frame_of()).query
    assert query.overlap_point((-0.5, 0)) == []
    assert query.overlap_point((-0.5, 0.7)) == ["frame"]
    assert query.overlap_circle((-0.5, 0), 0.49) == []
    assert query.overlap_circle((-0.5, 0), 0.51) == ["frame"]
    hit = query.ray_cast((-0.5, 0), (-0.5, 3))
    assert hit is not None
    assert hit.point == pytest.approx((-0.5, 0.5))
    assert hit.normal == pytest.approx((0, -1))


SIZE = (60, 60)


def drawn(given: Scene) -> tuple[np.ndarray, np.ndarray, Frame]:
    frame = build(given).frame()
    renderer = Renderer(given, size=SIZE, supersample=1)
    view = renderer.look(frame)
    mask = Masks(given, SIZE).draw(frame, view, dict.fromkeys(given.bodies, 1))
    return renderer.draw(frame, view), mask, frame


def test_pictures_and_masks_show_the_hole() -> None:
    picture, mask, _ = drawn(frame_of())
    assert mask.sum() == pytest.approx(6 * 100, abs=8)
    hole = mask[26:34, 16:34]
    assert not hole.any()
    assert (picture[27:33, 17:33] == picture[0, 0]).all()  # nothing of a cut or a bridge
    assert (picture[22, 12:48] == picture[22, 20]).all()  # nor in what is solid
    assert (picture[22, 20] != picture[0, 0]).any()
    edge = picture[30, 8:17].astype(int)  # from the left edge to that of the hole
    assert (edge[1] == edge[-2]).all()  # both have an outline


def test_a_picture_on_a_body_leaves_the_hole_free(tmp_path: Path) -> None:
    Image.new("RGB", (4, 4), (200, 30, 30)).save(tmp_path / "red.png")
    text = f"""
rigid: 1
bodies: {{frame: {{shape: {{{FRAME}}}, texture: {{file: red.png, tile: true}}}}}}
camera: {{mode: region, rect: [[-3, -3], [3, 3]]}}
"""
    picture, _, _ = drawn(loads(text, path=str(tmp_path / "s.yaml"), folder=tmp_path))
    assert (picture[27:33, 17:33] == picture[0, 0]).all()
    assert (picture[22, 20] == (200, 30, 30)).all()


def test_sensors_and_outlines_follow_the_holes() -> None:
    picture, _, _ = drawn(scene(f"frame: {{type: static, shape: {{{FRAME}, sensor: true}}}}"))
    assert (picture[28:32, 18:32] == picture[0, 0]).all()


@pytest.mark.parametrize("method", ["boxes", "voronoi"])
@pytest.mark.parametrize("angle", [0, 30])
def test_pieces_are_parts_of_what_was_there(method: str, angle: float) -> None:
    given = frame_of(angle, "velocity: [1, 2], angular_velocity: 60")
    world = build(given)
    before = world.energy()
    names = world.destroy("frame", method=method, count=4 if method == "boxes" else 9)  # type: ignore[arg-type]
    assert len(names) > 6
    shapes = [shape for name in names for shape in world[name].definition.shapes]
    assert sum(map(area, shapes)) == pytest.approx(6)
    assert sum(world[name].mass for name in names) == pytest.approx(6)
    assert world.energy() == pytest.approx(before, rel=1e-5)
    assert (
        world.query.overlap_point(
            (-0.5 * math.cos(math.radians(angle)), -0.5 * math.sin(math.radians(angle)))
        )
        == []
    )


def test_a_hole_within_one_piece_stays_a_hole() -> None:
    hole = "[[1.3, 0.3], [1.5, 0.3], [1.5, 0.5], [1.3, 0.5]]"
    world = build(scene(f"plate: {{shape: {{box: [4, 4], holes: [{hole}]}}}}"))
    before = world.native.inertia[1]
    names = world.destroy("plate", count=2)
    holed = [name for name in names if world[name].definition.shapes[0].holes]
    assert len(holed) == 1
    masses = {name: world[name].mass for name in names}
    assert masses.pop(holed[0]) == pytest.approx(3.96)
    assert list(masses.values()) == pytest.approx([4, 4, 4])
    assert before == pytest.approx(16 * 32 / 12 - 0.04 * (0.08 / 12 + 1.4**2 + 0.4**2), rel=1e-3)


@pytest.mark.parametrize("change", ["", "scale: 2", "mirror: x", "mirror: y, angle: 30"])
def test_copies_of_a_prototype_have_the_hole(change: str) -> None:
    given = loads(f"""
rigid: 1
prototypes: {{p: {{bodies: {{frame: {{shape: {{{FRAME}}}}}}}}}}}
instances: {{a: {{use: p, {change}}}}}
""")
    (shape,) = given.bodies["a.frame"].shapes
    assert area(shape) == pytest.approx(24 if "scale" in change else 6)
    assert build(given).native.mass[1] == pytest.approx(area(shape))
    assert loads(expand(given)).bodies == given.bodies


def test_a_scene_is_written_with_its_holes() -> None:
    given = scene(
        f"ring: {{shape: {{{RING}}}, angle: 12}}, "
        f"frame: {{shape: {{{FRAME}, offset: [1, 2], angle: 20}}}}"
    )
    again = loads(expand(given))
    for name, body in given.bodies.items():
        (one,), (two,) = body.shapes, again.bodies[name].shapes
        assert (one.points, one.holes) == (two.points, two.holes)
    assert build(again).state_hash() == build(given).state_hash()


def test_added_bodies_are_saved_with_their_holes() -> None:
    given = scene("ball: {shape: {circle: 0.2}, position: [-0.5, 0], velocity: [3, 1]}")
    world: World = build(given)
    world.add(f"bodies: {{frame: {{shape: {{{FRAME}}}}}}}")
    world.step(10)
    other = build(given)
    other.restore(world.save())
    world.step(50)
    other.step(50)
    assert world.state_hash() == other.state_hash()
    assert other["frame"].definition == world["frame"].definition


def test_the_parts_overlap_nowhere() -> None:
    given = scene(f"ring: {{shape: {{{RING}}}}}")
    (shape,) = given.bodies["ring"].shapes
    whole = Polygon(shape.points, shape.holes)
    half = [(-2, 0), (2, 0), (2, 2), (-2, 2)]
    assert sum(each.area for each in intersection(whole, half)) == pytest.approx(whole.area / 2)
    assert difference(whole, whole) == ()


@pytest.mark.parametrize(
    ("shape", "path", "words"),
    [
        (
            "box: [2, 2], holes: [[[0, 0], [3, 0], [0, 0.5]]]",
            "holes[0]",
            "crosses or touches the outline",
        ),
        ("box: [2, 2], holes: [[[3, 0], [4, 0], [3, 1]]]", "holes[0]", "is outside the polygon"),
        (
            "box: [4, 4], holes: [[[0, 0], [1, 0], [0, 1]], [[0.1, 0.1], [0.2, 0.1], [0.1, 0.2]]]",
            "holes[1]",
            "is inside hole 1",
        ),
        ("box: [4, 4], holes: [[[0, 0], [1, 1], [1, 0], [0, 1]]]", "holes[0]", "sides cross"),
        ("box: [4, 4], holes: [[[0, 0], [1, 1]]]", "holes[0]", "at least 3"),
        (
            "box: [4, 4], holes: [[0, 0], [1, 0], [0, 1]]",
            "holes",
            "for one write `[[[0, 0], ...]]`",
        ),
        ("box: [4, 4], holes: []", "holes", "at least 1"),
        (
            "box: [4, 4], radius: 0.1, holes: [[[0, 0], [1, 0], [0, 1]]]",
            "radius",
            "rounded corners",
        ),
        ("circle: 4, holes: [[[0, 0], [1, 0], [0, 1]]]", "holes", "does not belong to a circle"),
        (
            "box: [4, 4], one_way: up, holes: [[[0, 0], [1, 0], [0, 1]]]",
            "one_way",
            "a polygon with holes cannot be solid from one side",
        ),
        ("box: [2, 2], holes: [[[0, 0], [=q, 0], [0, 0.5]]]", "holes[0][1][0]", "q"),
    ],
)
def test_a_wrong_hole_is_reported_where_it_is(shape: str, path: str, words: str) -> None:
    with pytest.raises(SceneError) as error:
        scene(f"b: {{shape: {{{shape}}}}}")
    (problem,) = error.value.problems
    assert problem.path == f"bodies.b.shape.{path}"
    assert words in problem.message


@pytest.mark.parametrize(
    ("solver", "words"),
    [
        ("type: verlet", "no polygon with holes"),
        ("type: pgs_jrow, contacts: document", "circles and boxes alone"),
    ],
)
def test_textbook_solvers_say_what_they_do_not_know(solver: str, words: str) -> None:
    with pytest.raises(SceneError, match=words):
        loads(
            f"{{rigid: 1, world: {{solver: {{{solver}}}}}, bodies: {{f: {{shape: {{{FRAME}}}}}}}}}"
        )
