# SPDX-License-Identifier: MIT
"""Shapes that are solid from one side."""

from __future__ import annotations

import math
import random

import pytest
from rigid2d.core import Batch, SceneError, World, loads
from rigid2d.core.scene import expand

from tests.rows import every_row

SOLVERS = ["soft_step", "sequential_impulse"]


def world_of(text: str, solver: str = "soft_step", **how) -> World:
    return World(loads(f"rigid: 1\nworld: {{solver: {{type: {solver}}}}}\n{text}"), **how)


def platform(more: str, bodies: str, shape: str = "box: [4, 0.2]") -> str:
    return f"bodies:\n  p: {{shape: {{{shape}, one_way: up}}, {more}}}\n{bodies}"


STATIC = "type: static, position: [0, 0]"


@every_row("solver", SOLVERS)
@every_row("form", ["circle: 0.3", "box: [0.6, 0.6]", "capsule: [[0, 0], [0.4, 0]], radius: 0.3"])
@every_row("thin", ["box: [4, 0.2]", "segment: [[-2, 0.1], [2, 0.1]]"])
@every_row("speed", [0, 5, 8, 60, 400])
def test_what_comes_from_above_is_held_at_any_speed(
    solver: str, form: str, thin: str, speed: float
) -> None:
    motion = f"position: [0, {1 + speed / 5}], velocity: [0, {-speed}], fixed_rotation: true"
    body = f"  b: {{shape: {{{form}}}, {motion}}}\n"
    world = world_of(platform(STATIC, body, thin), solver)
    world.step(240)
    assert float(world["b"].y) == pytest.approx(0.4, abs=0.02)


@every_row("solver", SOLVERS)
@every_row("form", ["circle: 0.3", "box: [0.6, 0.6]"])
@every_row("speed", [5, 7, 9, 60, 400])
def test_what_comes_from_below_passes_without_losing_speed(
    solver: str, form: str, speed: float
) -> None:
    text = platform(
        STATIC, f"  b: {{shape: {{{form}}}, position: [0.3, -1], velocity: [0, {speed}]}}\n"
    )
    world, free = (
        world_of(text, solver),
        world_of(text.replace("p: {", "p: {collide: false, "), solver),
    )
    while float(free["b"].velocity[1]) > 0:
        world.step()
        free.step()
        assert float(world["b"].y) == float(free["b"].y)
    if float(free["b"].y) > 0.45:
        world.step(60 * 90 if speed > 50 else 240)
        assert float(world["b"].y) == pytest.approx(0.4, abs=0.02)


@pytest.mark.parametrize("solver", SOLVERS)
def test_who_turns_round_inside_falls_out_again(solver: str) -> None:
    text = platform(STATIC, "  b: {shape: {circle: 0.3}, position: [0, -1], velocity: [0, 4.5]}\n")
    world = world_of(text, solver)
    highest = -1.0
    for _ in range(120):
        world.step()
        highest = max(highest, float(world["b"].y))
    assert -0.3 < highest < 0.4  # it has been inside
    assert float(world["b"].y) < -1.0


@pytest.mark.parametrize("solver", SOLVERS)
def test_who_overlaps_at_the_start_falls_through(solver: str) -> None:
    world = world_of(
        platform(STATIC, "  b: {shape: {box: [0.4, 0.4]}, position: [0, 0.15]}\n"), solver
    )
    world.step(60)
    assert float(world["b"].y) < -1.0


@pytest.mark.parametrize("solver", SOLVERS)
def test_who_stands_exactly_on_it_at_the_start_stays(solver: str) -> None:
    stack = "  b: {repeat: {i: 5}, shape: {box: [0.4, 0.4]}, position: [0, =0.3+0.4*i]}\n"
    world = world_of(platform(STATIC, stack), solver)
    world.step(300)
    for i in range(5):
        assert float(world[f"b[{i}]"].y) == pytest.approx(0.3 + 0.4 * i, abs=0.02)
    assert not world.native.awake[1:].any() or solver == "sequential_impulse"


@every_row("solver", SOLVERS)
@every_row("angle", [0, 20, 180, 200])
def test_the_direction_turns_with_the_body(solver: str, angle: float) -> None:
    body = "  b: {shape: {circle: 0.3}, position: [0, 2]}\n"
    world = world_of(platform(f"type: static, angle: {angle}", body), solver)
    world.step(55)
    assert (float(world["b"].y) > 0.0) == (angle < 90)


@every_row("solver", SOLVERS)
@every_row("velocity", [-2, -0.5, 0.5, 2])
def test_a_lift_takes_along_what_stands_on_it(solver: str, velocity: float) -> None:
    text = platform(
        f"type: kinematic, velocity: [0, {velocity}]",
        "  b: {shape: {box: [0.5, 0.5]}, position: [0, 0.35]}\n"
        "  c: {shape: {box: [0.5, 0.5]}, position: [1, -0.6], gravity_scale: 0}\n",
    )
    world = world_of(text, solver)
    world.step(120)
    assert float(world["b"].y - world["p"].y) == pytest.approx(0.35, abs=0.03)
    if velocity > 0:  # it came through from above and is as it was, which passes
        assert float(world["c"].y) == pytest.approx(-0.6, abs=1e-6)


def test_what_a_dynamic_platform_falls_onto_from_its_underside_is_passed() -> None:
    text = platform("position: [0, 2], mass: 1", "  b: {type: static, shape: {circle: 0.3}}\n")
    world = world_of(text)
    world.step(60)
    assert float(world["p"].y) == pytest.approx(2 - 9.81 / 2, abs=0.1)


def test_what_hangs_over_an_edge_from_the_side_passes() -> None:
    body = (
        "  b: {shape: {box: [0.5, 0.5]}, position: [-4, 0], velocity: [8, 0], gravity_scale: 0}\n"
    )
    world = world_of(platform(STATIC, body))
    world.step(60)
    assert float(world["b"].x) == pytest.approx(4.0, abs=1e-4)


MANY = """
world: {{seed: {seed}, solver: {{type: {solver}}}}}
rigid: 1
bodies:
  floor: {{type: static, shape: {{box: [40, 1]}}, position: [0, -3]}}
  p: {{repeat: {{i: 4}}, type: kinematic, shape: {{box: [4, 0.2], one_way: up}},
      position: [=4*i-6, =i-1],
      velocity: ["=uniform(-1, 1)", "=uniform(-0.5, 0.5)"], angular_velocity: "=uniform(-20, 20)"}}
  b: {{repeat: {{i: 24}}, shape: {{box: [0.4, "=uniform(0.2, 0.6)"]}},
      position: ["=uniform(-8, 8)", "=uniform(-2, 5)"],
      velocity: ["=uniform(-3, 3)", "=uniform(-8, 8)"], angle: "=uniform(0, 90)"}}
"""


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", range(3))
def test_bits_are_the_same_restored_in_batches_threads_and_lanes(solver: str, seed: int) -> None:
    text = MANY.format(solver=solver, seed=seed)
    world = World(loads(text))
    world.step(150)
    wanted = world.state_hash()
    for how in ({"threads": 2}, {"lanes": 1}, {"lanes": 4}):
        other = World(loads(text), **how)
        for _ in range(5):
            other.step(30)
            other.restore(other.save())
        assert other.state_hash() == wanted
    fresh = World(loads(text))
    middle = World(loads(text))
    middle.step(70)
    fresh.restore(middle.save())
    fresh.step(80)
    assert fresh.state_hash() == wanted
    batch = Batch(loads(text), 2)
    batch.step(150)
    assert [batch.world(i).state_hash() for i in range(2)] == [wanted] * 2
    expanded = World(loads(expand(loads(text))))
    expanded.step(150)
    assert expanded.state_hash() == wanted


@every_row("seed", range(20))
def test_a_body_is_borne_from_above_or_not_touched_at_all(seed: int) -> None:
    """One body and a platform that does not move, without gravity: it bounces off the top, or it
    goes on as if nothing were there."""
    rng = random.Random(seed)
    angle, course = rng.uniform(-180, 180), rng.uniform(-180, 180)
    speed = rng.uniform(1, 300)
    x, y = math.cos(math.radians(course)), math.sin(math.radians(course))
    text = f"""
rigid: 1
world: {{gravity: [0, 0]}}
bodies:
  p: {{type: static, shape: {{box: [4, 0.2], one_way: up}}, angle: {angle}}}
  b: {{shape: {{circle: 0.3}}, position: [{-4 * x}, {-4 * y}],
      velocity: [{speed * x}, {speed * y}]}}
"""
    world, free = World(loads(text)), World(loads(text.replace("one_way: up", "sensor: true")))
    for each in (world, free):
        each.step(int(480 / speed) + 2)
    off = math.hypot(world["b"].x - free["b"].x, world["b"].y - free["b"].y)
    upward = math.sin(math.radians(course - angle))  # in the platform's axes
    if upward > 0.3:
        assert off == 0.0
    if upward < -0.3:
        assert off > 1.0


@every_row(
    ("shape", "told"),
    [
        ("{box: [1, 1], one_way: upp}", "did you mean `up`?"),
        ("{box: [1, 1], one_way: true}", "must be one of up, down, left, right or a direction"),
        ("{box: [1, 1], one_way: [0, 0]}", "needs a direction, not"),
        ("{box: [1, 1], one_way: up, sensor: true}", "a sensor touches nothing"),
        ("{chain: [[0, 0], [1, 0]], one_way: up, side: left}", "`side` says already which side"),
        ("{chain: [[0, 0], [1, 0]], one_way: left}", "neither side of the chain faces there"),
        ("{chain: [[0, 0], [1, 0], [0, 1]], one_way: up, loop: true}", "has all directions"),
        (
            "{polygon: [[0, 0], [2, 1], [0, 2], [0.5, 1]], one_way: up}",
            "a concave polygon cannot be solid from one side",
        ),
    ],
)
def test_what_is_wrong_is_told(shape: str, told: str) -> None:
    with pytest.raises(SceneError) as caught:
        loads(f"rigid: 1\nbodies: {{p: {{type: static, shape: {shape}}}}}\n")
    assert told in str(caught.value)


def test_textbook_solvers_refuse_it() -> None:
    with pytest.raises(SceneError, match="has no shapes that are solid from one side"):
        world_of(platform(STATIC, ""), "pgs_matrix")


def test_an_instance_mirrors_it() -> None:
    text = """
rigid: 1
prototypes: {w: {bodies: {wall: {type: static, shape: {box: [0.2, 2], one_way: left}}}}}
instances: {a: {use: w, mirror: x}}
"""
    (wall,) = loads(text).bodies.values()
    assert wall.shapes[0].one_way == (1.0, 0.0)


def test_up_is_up_on_the_screen() -> None:
    text = (
        "rigid: 1\nunits: screen\nbodies: {p: {type: static, shape: {box: [99, 9], one_way: up}}}\n"
    )
    (body,) = loads(text).bodies.values()
    assert body.shapes[0].one_way == (0.0, -1.0)


@every_row("solver", SOLVERS)
@every_row("points", ["[-3, 0], [0, 0.2], [3, 0]", "[3, 0], [0, 0.2], [-3, 0]"])
def test_a_chain_is_jumped_onto_from_below(solver: str, points: str) -> None:
    floor = f"bodies:\n  p: {{type: static, shape: {{chain: [{points}], one_way: up}}}}\n"
    ball = "shape: {circle: 0.3}, position: [1, -1], velocity: [0, 7], fixed_rotation: true"
    rough = "materials: {m: {friction: 9}}\ndefaults: {material: m}"
    world = world_of(f"{floor}  b: {{{ball}}}\n{rough}", solver)
    heights = []
    for _ in range(240):
        world.step()
        heights.append(world["b"].y)
    assert max(heights) == pytest.approx(-1 + 7**2 / (2 * 9.81), abs=0.01)
    assert world["b"].y == pytest.approx(0.133 + 0.3, abs=0.03)


@every_row(
    ("head", "points", "towards", "side"),
    [
        ("", "[0, 0], [9, 1]", "up", "left"),
        ("", "[9, 1], [0, 0]", "up", "right"),
        ("", "[0, 0], [9, 1]", "[1, -3]", "right"),
        ("", "[0, 0], [0, 5]", "right", "right"),
        ("units: screen", "[0, 0], [9, 1]", "up", "left"),
        ("units: screen", "[0, 0], [0, 50]", "right", "left"),
    ],
)
def test_a_chain_has_the_side_that_faces_there(
    head: str, points: str, towards: str, side: str
) -> None:
    chain = f"{{chain: [{points}], one_way: {towards}}}"
    scene = loads(f"rigid: 1\n{head}\nbodies: {{p: {{type: static, shape: {chain}}}}}\n")
    (body,) = scene.bodies.values()
    assert (body.shapes[0].side, body.shapes[0].one_way) == (side, None)


def test_a_direction_is_the_same_when_it_is_expanded() -> None:
    shape = "{box: [1, 1], one_way: [1, 1]}"
    once = expand(loads(f"rigid: 1\nbodies: {{p: {{type: static, shape: {shape}}}}}\n"))
    assert expand(loads(once)) == once
