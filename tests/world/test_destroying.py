# SPDX-License-Identifier: MIT
"""Bodies that are broken into pieces: their areas, motion, names, pictures and bits."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rigid2d.core
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from rigid2d.core import _native
from rigid2d.core.errors import SimulationError, UnknownNameError, UsageError
from rigid2d.core.record import Recorder, frames_of_trace
from rigid2d.core.render import Renderer
from rigid2d.core.render.canvas.theme import LIGHT, shape_looks
from rigid2d.core.scene import expand, limits
from rigid2d.core.scene.model import Body, Camera
from rigid2d.core.scene.values.polygon import signed_area
from rigid2d.core.world import World, build, simulate
from rigid2d.core.world.building.polygons import convex_parts
from rigid2d.core.world.destroying.cutting import CutLine, cut
from rigid2d.core.world.destroying.pictures import seen_picture

from tests.rows import every_row

METHODS = ("boxes", "voronoi")
BOX = "{shape: {box: [2, 1]}}"
BALL = "{shape: {circle: 0.5}}"
HORSESHOE = "{shape: {polygon: [[0, 0], [3, 0], [3, 2], [2, 2], [2, 1], [1, 1], [1, 2], [0, 2]]}}"
LADLE = (
    "{shapes: [{box: [2, 0.2]}, {circle: 0.5, offset: [1.2, 0]}, {box: [0.4, 0.4], radius: 0.1, "
    "offset: [-1.2, 0]}, {capsule: [[0, -1], [0, 1]], radius: 0.1}]}"
)
FORMS = {"box": BOX, "ball": BALL, "horseshoe": HORSESHOE, "ladle": LADLE}


def world_of(form: str, more: str = "", bodies: str = "", **options: Any) -> World:
    """A world without gravity in which a body moves and turns."""
    motion = "position: [3, 4], angle: 30, velocity: [1.5, -2], angular_velocity: 3 rad/s"
    text = (
        "rigid: 1\nworld: {duration: 1, dt: 0.01, gravity: [0, 0], seed: 7}\nbodies:\n"
        f"  object: {form[:-1]}, {motion}{more}}}\n{bodies}"
    )
    return build(rigid2d.core.loads(text), **options)


def corners(world: World, name: str) -> list[list[tuple[float, float]]]:
    """The polygons of a piece, in the world."""
    body = world[name]
    return [[body.world_point(p) for p in shape.points] for shape in body.definition.shapes]


def area(body: Body) -> float:
    return sum(signed_area(shape.points) for shape in body.shapes)


def momentum(world: World, names: list[str]) -> tuple[float, float, float]:
    """The linear momentum of bodies, and the angular one about the origin."""
    x = y = turn = 0.0
    for name in names:
        body = world[name]
        (cx, cy), (vx, vy) = body.center_of_mass, body.velocity
        x, y = x + body.mass * vx, y + body.mass * vy
        turn += body.inertia * body.angular_velocity + body.mass * (cx * vy - cy * vx)
    return x, y, turn


@st.composite
def stars(draw: st.DrawFn) -> list[tuple[float, float]]:
    """Simple polygons, mostly concave, round the origin."""
    count = draw(st.integers(3, 14))
    radii = draw(st.lists(st.floats(0.2, 2.0), min_size=count, max_size=count))
    turns = [2 * math.pi * i / count for i in range(count)]
    return [(r * math.cos(t), r * math.sin(t)) for r, t in zip(radii, turns, strict=True)]


# ---------------------------------------------------------------- areas


@every_row("method", METHODS)
@every_row("count", [1, 2, 3, 7, 20])
@every_row(
    ("form", "whole"),
    [("box", 2.0), ("ball", math.pi / 4), ("horseshoe", 5.0)],
)
def test_the_pieces_have_the_area_of_the_body(
    form: str, whole: float, method: str, count: int
) -> None:
    world = world_of(FORMS[form])
    pieces = [world[name].definition for name in destroy(world, method, count)]
    assert sum(map(area, pieces)) == pytest.approx(whole, rel=1e-6)
    assert world.events.take_warnings() == []


def destroy(world: World, method: str, count: int, **more: Any) -> list[str]:
    chosen: Any = method
    return world.destroy("object", method=chosen, count=count, **more)


@pytest.mark.parametrize("method", METHODS)
@given(points=stars(), count=st.integers(1, 6))
def test_pieces_of_any_outline_have_its_area(
    method: str, points: list[tuple[float, float]], count: int
) -> None:
    world = world_of(f"{{shape: {{polygon: {json.dumps(points)}}}}}")
    whole = signed_area(world.scene.bodies["object"].shapes[0].points)
    pieces = [world[name].definition for name in destroy(world, method, count)]
    assert sum(map(area, pieces)) == pytest.approx(whole, rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_shapes_over_each_other_count_as_often_as_they_weigh(method: str) -> None:
    """The area of the bar and the disc, of the rounded box and of the capsule."""
    world = world_of(LADLE)
    whole = 2 * 0.2 + math.pi / 4 + (0.4 * 0.4 - (4 - math.pi) * 0.01) + (2 * 0.2 + math.pi * 0.01)
    pieces = [world[name].definition for name in destroy(world, method, 8)]
    assert sum(map(area, pieces)) == pytest.approx(whole, rel=1e-6)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("form", FORMS)
def test_pieces_do_not_lie_over_each_other(form: str, method: str) -> None:
    """Cut to the other's sides, any two have no area in common."""
    world = world_of(FORMS[form])
    names = destroy(world, method, 5)
    convex = {
        name: [part for points in corners(world, name) for part in convex_parts(tuple(points))]
        for name in names
    }
    for i, first in enumerate(names):
        for second in names[i + 1 :]:
            common = sum(shared(a, b) for a in convex[first] for b in convex[second])
            assert common == pytest.approx(0.0, abs=1e-9)


def shared(first: Any, second: Any) -> float:
    """The area that two convex polygons have in common."""
    left = [tuple(first)]
    for (ax, ay), (bx, by) in zip(second, (*second[1:], second[0]), strict=True):
        x, y = by - ay, ax - bx
        long = math.hypot(x, y)
        line = CutLine(x / long, y / long, (x * ax + y * ay) / long)
        left = [part for points in left for part in cut(points, line, 5.0)]
    return sum(map(signed_area, left))


def test_a_line_through_a_corner_leaves_no_spike() -> None:
    corner = ((0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0))
    side = CutLine(1.0, 0.0, 1.0)
    (low,) = cut(corner, side, 3.0)
    (high,) = cut(corner, side.back, 3.0)
    assert sorted(low) == [(0, 0), (0, 2), (1, 0), (1, 2)]
    assert sorted(high) == [(1, 0), (1, 1), (2, 0), (2, 1)]


def test_the_legs_of_a_horseshoe_fall_apart() -> None:
    world = world_of(HORSESHOE)
    names = world.destroy("object", count=1)
    assert len(names) == 1
    world = world_of(HORSESHOE)
    # The upper of two rows of the box round it has both legs, which nothing holds together there.
    assert len(world.destroy("object", count=2)) == 4


def test_shapes_that_touch_within_a_cell_stay_one_piece() -> None:
    world = world_of("{shapes: [{box: [1, 1]}, {box: [1, 1], offset: [1, 0]}]}")
    (name,) = world.destroy("object", count=1)
    assert len(world[name].definition.shapes) == 2


def test_shapes_that_do_not_touch_fall_apart() -> None:
    world = world_of("{shapes: [{box: [1, 1]}, {box: [1, 1], offset: [1.5, 0]}]}")
    assert len(world.destroy("object", count=1)) == 2


def test_slivers_are_dropped_and_told() -> None:
    """An angle whose one leg reaches 1e-7 over the line between two boxes."""
    angle = "[[-1, -1], [1, -1], [1, 0], [1e-7, 0], [1e-7, 1], [-1, 1]]"
    world = world_of(f"{{shape: {{polygon: {angle}}}}}")
    assert len(world.destroy("object", count=2)) == 3
    (warning,) = world.events.take_warnings()
    assert "body 'object' was destroyed but for 1 sliver" in warning


# ---------------------------------------------------------------- motion


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("form", FORMS)
def test_mass_and_momentum_stay(form: str, method: str) -> None:
    world = world_of(FORMS[form])
    mass, before = world["object"].mass, momentum(world, ["object"])
    names = destroy(world, method, 4)
    assert sum(world[name].mass for name in names) == pytest.approx(mass, rel=1e-6)
    after = momentum(world, names)
    assert after[:2] == pytest.approx(before[:2], rel=1e-6)
    assert after[2] == pytest.approx(before[2], rel=1e-6)


ROUND = (
    "circle: %(a)s",
    "box: [%(a)s, %(b)s], radius: %(r)s",
    "capsule: [[-%(a)s, 0], [%(a)s, %(b)s]], radius: %(r)s",
    "regular_polygon: {sides: 5, radius: %(a)s}, radius: %(r)s",
)


@given(
    forms=st.lists(st.sampled_from(ROUND), min_size=1, max_size=3),
    sizes=st.lists(st.floats(0.1, 3), min_size=3, max_size=3),
    method=st.sampled_from(METHODS),
    count=st.integers(1, 5),
    omega=st.floats(-50, 50),
)
@settings(max_examples=60, deadline=None)
def test_broken_round_shapes_keep_mass_and_both_momenta_and_gain_nothing(
    forms: list[str], sizes: list[float], method: str, count: int, omega: float
) -> None:
    a, b, _ = sizes
    lengths = {"a": a, "b": b, "r": 0.1 * min(sizes)}
    shapes = ", ".join(
        f"{{{form % lengths}, offset: [{1.1 * a * k}, {0.2 * k}]}}" for k, form in enumerate(forms)
    )
    world = world_of(f"{{shapes: [{shapes}]}}")
    world["object"].angular_velocity = omega
    mass, before = world["object"].mass, momentum(world, ["object"])
    energy = energy_of(world, ["object"])
    names = destroy(world, method, count)
    after = momentum(world, names)
    size = mass * (6 + abs(omega) * (a + b) ** 2)
    assert sum(world[name].mass for name in names) == pytest.approx(mass, rel=1e-6)
    assert after == pytest.approx(before, rel=2e-6, abs=2e-6 * size)
    assert energy_of(world, names) == pytest.approx(energy, rel=3e-4)


def energy_of(world: World, names: list[str]) -> float:
    """The kinetic energy of bodies."""
    return sum(
        0.5
        * (body.mass * math.hypot(*body.velocity) ** 2 + body.inertia * body.angular_velocity**2)
        for body in map(world.__getitem__, names)
    )


def test_an_inertia_that_the_scene_says_is_not_what_the_pieces_have() -> None:
    """Each moves on as its place did."""
    world = world_of(BALL, ", inertia: 9")
    names = world.destroy("object", count=3)
    assert {world[name].angular_velocity for name in names} == {3.0}


def test_the_mass_that_the_scene_says_is_shared_by_area() -> None:
    world = world_of(BOX, ", mass: 8")
    names = world.destroy("object", count=2)
    assert [world[name].mass for name in names] == pytest.approx([2, 2, 2, 2])


def test_denser_shapes_make_heavier_pieces() -> None:
    world = world_of("{shapes: [{box: [1, 1], density: 3}, {box: [1, 1], offset: [2, 0]}]}")
    names = world.destroy("object", count=1)
    assert [world[name].mass for name in names] == pytest.approx([3, 1])


def test_momentum_stays_with_another_centre_of_mass() -> None:
    world = world_of(BOX, ", center_of_mass: [0.5, 0]")
    before = momentum(world, ["object"])
    after = momentum(world, world.destroy("object", count=3))
    assert after[:2] == pytest.approx(before[:2], rel=1e-6)


def test_a_piece_moves_as_its_place_in_the_body_did() -> None:
    """v + omega x r, at a quarter of a box of 2 by 1 that is turned by 30 degrees."""
    world = world_of(BOX)
    first = world.destroy("object", count=2)[0]
    c, s = math.cos(math.pi / 6), math.sin(math.pi / 6)
    x, y = c * -0.5 - s * -0.25, s * -0.5 + c * -0.25
    assert world[first].position == pytest.approx((3 + x, 4 + y))
    assert world[first].velocity == pytest.approx((1.5 - 3 * y, -2 + 3 * x), rel=1e-6)
    assert world[first].angular_velocity == pytest.approx(3.0)
    assert world[first].angle == pytest.approx(math.pi / 6)


def test_a_wall_breaks_into_bodies_that_fall() -> None:
    world = build(rigid2d.core.loads(f"rigid: 1\nbodies: {{wall: {BOX[:-1]}, type: static}}}}"))
    names = world.destroy("wall", count=2)
    world.step(10)
    assert [world[name].mass for name in names] == pytest.approx([0.5] * 4)
    assert all(world[name].velocity[1] < -1 for name in names)


def test_a_radial_kick_goes_away_from_the_middle() -> None:
    still, kicked = world_of(BOX), world_of(BOX)
    names = still.destroy("object", count=2)
    assert kicked.destroy("object", count=2, kick={"radial": 2}) == names
    for name in names:
        dx = kicked[name].velocity[0] - still[name].velocity[0]
        dy = kicked[name].velocity[1] - still[name].velocity[1]
        x, y = still[name].x - 3, still[name].y - 4
        assert math.hypot(dx, dy) == pytest.approx(2, rel=1e-5)
        assert dx * x + dy * y == pytest.approx(2 * math.hypot(x, y), rel=1e-5)


def test_a_random_kick_and_spin_stay_within_their_bounds() -> None:
    still, kicked = world_of(BOX), world_of(BOX)
    names = still.destroy("object", count=4)
    kicked.destroy("object", count=4, kick={"random": 0.5, "spin": 2})
    pushes = [math.dist(kicked[name].velocity, still[name].velocity) for name in names]
    spins = [kicked[name].angular_velocity - 3 for name in names]
    assert 0.1 < max(pushes) <= 0.5 + 1e-6
    assert len(set(pushes)) == len(names)
    assert min(spins) < 0 < max(spins) <= 2 + 1e-6


# ---------------------------------------------------------------- what pieces keep


def test_pieces_are_made_of_what_the_body_was_made_of() -> None:
    world = build(
        rigid2d.core.loads(
            """
rigid: 1
materials: {ice: {friction: 0.01, density: 0.9}}
bodies:
  berg: {shape: {box: [1, 1]}, material: ice, color: blue, tags: [cold], category: floes, z: 3}
"""
        )
    )
    for name in world.destroy("berg"):
        body = world[name].definition
        assert body.shapes[0].material.name == "ice"
        assert (body.color, body.tags, body.category, body.z) == ("blue", ("cold",), "floes", 3)


def test_pieces_may_have_other_tags() -> None:
    world = world_of(BOX, ", tags: [whole]")
    first, *_ = world.destroy("object", tags=["part"])
    assert world[first].definition.tags == ("part",)


def test_there_are_never_more_bodies_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BODIES", 9)
    world = world_of(BOX)
    with pytest.raises(UsageError, match="9 pieces there would be more than 9 bodies"):
        world.destroy("object")
    assert world["object"].alive


def test_pieces_have_the_colour_that_the_body_was_given_by_its_place() -> None:
    world = world_of(BOX, bodies="  other: {shape: {circle: 1}}\n")
    own = world.scene.bodies.keys()
    look = shape_looks(world.scene, LIGHT, own)[0]
    first, *_ = world.destroy("object", count=2)
    smaller = world.destroy(first, count=2)
    looks = dict(zip(world.scene.bodies, shape_looks(world.scene, LIGHT, own), strict=True))
    assert all(looks[name] == look for name in smaller)


def test_the_picture_on_a_body_stays_where_it_was(tmp_path: Path) -> None:
    """Each piece has the middle of the whole picture where it was, and its size."""
    Image.new("RGB", (4, 2), "red").save(tmp_path / "red.png")
    text = (
        f"rigid: 1\nbodies: {{object: {BOX[:-1]}, position: [3, 4], angle: 30, texture: red.png}}}}"
    )
    world = build(rigid2d.core.loads(text, assets=str(tmp_path)))
    for name in world.destroy("object", method="voronoi", count=5):
        texture = world[name].definition.texture
        assert texture is not None
        assert texture.offset is not None
        assert world[name].world_point(texture.offset) == pytest.approx((3, 4))
        assert (texture.size, texture.angle, texture.tile) == ((2, 1), 0, True)


LOOKS = {
    "it sticks out": "{box: [2, 0.6]}, texture: {file: red.png, size: [3, 2.4], angle: 20}",
    "it leaves parts free": "{circle: 0.8}, texture: {file: red.png, size: [1, 0.5]}",
    "it lies beside": "{box: [1, 1]}, texture: {file: red.png, offset: [2, 0]}",
    "it is cut": "{box: [2, 1]}, texture: {file: red.png, clip: [[[0, 0], [0, 9], [-9, 0]]]}",
    "pieces fall apart": "{polygon: [[-1, -1], [1, -1], [1, 1], [0.6, 1], [0.6, -0.6], "
    "[-0.6, -0.6], [-0.6, 1], [-1, 1]]}, texture: {file: red.png, tile: false, size: [3, 3]}",
}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("how", [{"count": 3}, {"method": "voronoi", "count": 7}])
def test_pieces_show_what_was_seen_of_a_picture_once_and_nothing_else(
    tmp_path: Path, look: str, how: dict[str, Any]
) -> None:
    Image.new("RGB", (4, 4), "red").save(tmp_path / "red.png")
    scene = rigid2d.core.loads(
        "rigid: 1\nbodies: "
        f"{{object: {{type: static, angle: 30, position: [3, 4], shape: {LOOKS[look]}}}}}",
        assets=str(tmp_path),
    )
    item = scene.bodies["object"]
    world = build(scene)
    pieces = [world[name] for name in world.destroy("object", **how)]
    again = [world[name] for name in world.destroy(pieces[0].name, count=2)]
    seen = sum(sum(map(signed_area, seen_picture(each.definition))) for each in pieces[1:] + again)
    assert seen == pytest.approx(sum(map(signed_area, seen_picture(item))), rel=1e-9)
    renderer = Renderer(replace(scene, camera=Camera("region", rect=((0, 1), (6, 7)))))
    before = renderer.draw(build(scene).frame())
    after = renderer.draw(world.frame())
    edges = np.abs(before.astype(int) - after).max(axis=2) > 8  # where pieces meet
    assert edges.mean() < 0.02


def test_a_picture_along_two_bodies_breaks_where_it_is_seen(tmp_path: Path) -> None:
    Image.new("RGB", (4, 4), "red").save(tmp_path / "red.png")
    scene = rigid2d.core.loads(
        """
        rigid: 1
        bodies:
          rear: {type: static, shape: {circle: 0.1}, position: [3, 2], visible: false}
          front: {type: static, shape: {circle: 0.1}, position: [3, 6], visible: false}
          object: {type: static, shape: {circle: 0.5}, position: [3, 4],
            texture: {file: red.png, size: [2.4, 0.8], offset: [0, 0.5], along: [rear, front]}}
        """,
        assets=str(tmp_path),
    )
    world = build(scene)
    renderer = Renderer(replace(scene, camera=Camera("region", rect=((0, 1), (6, 7)))))
    before = renderer.draw(build(scene).frame())
    world.destroy("object", count=3)
    after = renderer.draw(world.frame())
    assert (np.abs(before.astype(int) - after).max(axis=2) > 8).mean() < 0.02


def test_the_joints_of_a_body_go_with_it() -> None:
    pin = "pin: {type: revolute, bodies: [object, other], anchor: [1, 1]}"
    world = world_of(BOX, bodies=f"  other: {BOX}\njoints: {{{pin}}}\n")
    world.destroy("object")
    assert world.joint("pin").broken


def test_pieces_are_named_after_the_body() -> None:
    world = world_of(BOX)
    assert world.destroy("object", count=2) == ["object.1", "object.2", "object.3", "object.4"]
    assert world.destroy("object.2", count=1) == ["object.2.1"]
    world.set("object.2.1.friction", 0.1)
    with pytest.raises(UnknownNameError, match="removed"):
        world.destroy("object.2")


# ---------------------------------------------------------------- refusals


@every_row(
    ("arguments", "message"),
    [
        ({"method": "dust"}, "method should be 'boxes' or 'voronoi'"),
        ({"count": 0}, "count must be at least 1"),
        ({"count": 33}, "count must be at most 32"),
        ({"method": "voronoi", "count": 1001}, "count must be at most 1000"),
        ({"kick": {"radail": 1}}, "did you mean 'radial'"),
        ({"kick": {"spin": -1}}, "spin must not be negative"),
        ({"kick": 3}, "kick should be a mapping of names and values"),
        ({"seed": -1}, "seed must not be negative"),
        ({"tags": "part"}, "tags should be a list of texts"),
    ],
)
def test_wrong_arguments_are_refused(arguments: Mapping[str, Any], message: str) -> None:
    world = world_of(BOX)
    before = world.save()
    with pytest.raises(UsageError, match=message):
        world.destroy("object", **arguments)
    assert world.save() == before


def test_what_has_no_area_cannot_be_broken() -> None:
    world = world_of("{shape: {segment: [[0, 0], [1, 0]]}, mass: 1, inertia: 1}")
    with pytest.raises(UsageError, match="none of its shapes has an area"):
        world.destroy("object")


# ---------------------------------------------------------------- bits


RAIN = "rigid: 1\nworld: {duration: 20, dt: 0.01, seed: 3}\nbodies:\n" + (
    "  floor: {type: static, shape: {box: [30, 1]}, position: [0, -0.5]}\n"
    "  row: {repeat: {i: 12}, shape: {box: [0.8, 0.8]}, position: [=i-6, =1+i/4]}\n"
    "  disc: {repeat: {i: 6}, shape: {circle: 0.4}, position: [=2*i-6, 5]}\n"
)


def shatter(world: World) -> None:
    """Every fourth step something breaks, by turns."""
    step = world.step_count
    if step % 4 == 0 and step < 72:
        name = list(world.roster.scene.bodies)[1 + step // 4]
        world.destroy(name, method="voronoi" if step % 8 else "boxes", count=3, kick={"spin": 2})


@pytest.mark.parametrize(
    "options", [{"threads": 2}, *({"lanes": count} for count in _native.lanes_supported())]
)
def test_threads_and_lanes_break_to_the_same_bits(options: dict[str, int]) -> None:
    plain, other = build(rigid2d.core.loads(RAIN)), build(rigid2d.core.loads(RAIN), **options)
    for _ in range(90):
        for world in (plain, other):
            shatter(world)
            world.step()
    assert other.save() == plain.save()


def test_another_seed_breaks_elsewhere() -> None:
    first, second, third = (world_of(BOX) for _ in range(3))
    for world, seed in ((first, 7), (second, None), (third, 8)):
        world.destroy("object", method="voronoi", count=5, seed=seed)
    assert first.save() == second.save()
    assert first.save() != third.save()


def test_a_restored_world_goes_on_breaking_with_the_same_bits() -> None:
    world = build(rigid2d.core.loads(RAIN))
    for _ in range(30):
        shatter(world)
        world.step()
    twin = build(rigid2d.core.loads(RAIN))
    twin.restore(world.save())
    fork = world.fork()
    for _ in range(40):
        for each in (world, twin, fork):
            shatter(each)
            each.step()
    assert world.save() == twin.save() == fork.save()


def test_a_thousand_broken_bodies_leave_no_room_taken() -> None:
    """Bodies come, break and go; the engine has as many slots in the end as after the first."""
    world = world_of(BOX)
    slots = []
    for number in range(1000):
        name = f"crate[{number}]"
        world.add({"bodies": {name: {"shape": {"box": [1, 1]}, "position": [0, 0]}}})
        pieces = world.destroy(name, count=2)
        world.step()
        for piece in pieces:
            world.remove(piece)
        slots.append(world.native.body_count)
    assert slots[-1] == slots[2]
    assert len(world) == 1


def test_a_run_records_the_pieces_and_tells_them() -> None:
    scene = rigid2d.core.loads(RAIN.replace("duration: 20", "duration: 0.4"))
    recorder = Recorder(scene, trace=True)
    simulate(scene, recorder=recorder, before_step=shatter)
    assert next(event.a for event in recorder.events if event.kind == "body_removed") == "row[0]"
    assert "row[0].1" in [event.a for event in recorder.events if event.kind == "body_added"]
    last = [*frames_of_trace(scene, recorder.trace)][-1]
    assert last.scene is not None
    assert last.scene.bodies["row[0].1"].piece_of == "row[0]"


# ---------------------------------------------------------------- in events


FALL = """
rigid: 1
world: {duration: 1, dt: 0.01, seed: 4}
bodies:
  floor: {type: static, shape: {box: [9, 1]}, position: [0, -0.5], tags: [floor]}
  crate: {repeat: {i: 2}, shape: {box: [1, 1]}, position: [=3*i, 0.6], tags: [crate]}
events:
  - when: collision
    tags: [crate, floor]
    do: [{destroy: {body: $a, method: voronoi, count: 6, kick: {radial: 1, spin: 90}, tags: []}}]
"""


def test_an_event_breaks_its_body() -> None:
    world = build(rigid2d.core.loads(FALL))
    world.step(50)
    assert sorted(world) == sorted(
        ["floor", *(f"crate[{i}]" for i in (0, 1))]
        + [f"crate[{i}].{number}" for i in (0, 1) for number in range(1, 7)]
    )
    assert not world["crate[0]"].alive


def test_an_event_that_breaks_is_written_back() -> None:
    scene = rigid2d.core.loads(FALL)
    assert rigid2d.core.loads(expand(scene)).events == scene.events


def test_events_go_on_breaking_to_the_same_bits_after_a_state_is_restored() -> None:
    world, twin = build(rigid2d.core.loads(FALL)), build(rigid2d.core.loads(FALL), lanes=1)
    world.step(10)
    twin.restore(world.save())
    world.step(60)
    twin.step(60)
    assert world.save() == twin.save()


def test_a_body_that_an_event_cannot_break_ends_the_run_with_its_place() -> None:
    text = FALL.replace("box: [9, 1]", "chain: [[9, 0], [-9, 0]]").replace("body: $a", "body: $b")
    with pytest.raises(SimulationError, match=r"events.0..do.0.*none of its shapes has an area"):
        build(rigid2d.core.loads(text)).step(100)


ONLY_LOOK = FALL.replace("tags: []}", "tags: [], collide: false, lifetime: 0.6}")


def test_pieces_that_only_look_touch_nothing_and_are_gone_after_their_lifetime() -> None:
    scene = rigid2d.core.loads(ONLY_LOOK)
    world, twin = build(scene), build(scene)
    world.step(16)
    pieces = [name for name in world if name.startswith("crate[0].")]
    assert len(pieces) == 6
    assert not any(world[name].collide for name in pieces)
    twin.restore(world.save())
    for each in (world, twin):
        each.step(50)
        assert min(each[name].y for name in pieces) < -0.1  # on their way through the floor
        each.step(20)
        assert not any(name in each and each[name].alive for name in pieces)
    assert world.save() == twin.save()


def test_how_pieces_look_and_last_is_written_back_and_distinguishes_scenes() -> None:
    scene, other = rigid2d.core.loads(ONLY_LOOK), rigid2d.core.loads(FALL)
    again = rigid2d.core.loads(expand(scene))
    assert again.events == scene.events
    assert again.hash == scene.hash != other.hash
    how = scene.events[0].actions[0].destruction
    assert how is not None
    assert (how.collide, how.lifetime) == (False, 0.6)


def test_pieces_of_a_call_may_only_look() -> None:
    world = world_of(BOX)
    assert not any(world[name].collide for name in world.destroy("object", collide=False))
