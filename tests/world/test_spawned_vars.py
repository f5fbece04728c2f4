# SPDX-License-Identifier: MIT
"""The vars, the scale and the mirror of what is born while a scene runs."""

from __future__ import annotations

import pytest
from rigid2d.core import World, loads
from rigid2d.core.errors import SceneError, SimulationError, UsageError
from rigid2d.core.scene import expand

from tests.rows import every_row

DROP = """
rigid: 1
world: {duration: 4, seed: 3, gravity: [0, 0]}
vars: {big: 0.4}
state: {n: 2}
prototypes:
  drop:
    vars: {r: 0.1, heavy: false}
    bodies: {ball: {shape: {circle: =r}, density: =9 if heavy else 1, points: {p: [=r, 0]}}}
bodies: {floor: {type: static, shape: {box: [60, 1]}, position: [0, -9]}}
spawners: {rain: {use: drop, every: 0.5, at: [=world.time, 0], %s}}
"""


def radii(world: World) -> list[float]:
    return [world[name].definition.shapes[0].radius for name in world if name != "floor"]


def test_what_is_born_has_the_vars_that_are_given() -> None:
    world = World(loads(DROP % "vars: {r: =big/2, heavy: true}"))
    world.step(40)
    assert radii(world) == [0.2, 0.2]
    assert world["rain[0].ball"].mass == pytest.approx(9 * 3.14159265 * 0.04, rel=1e-6)


def test_vars_that_are_known_before_are_built_once() -> None:
    scene = loads(DROP % "vars: {r: 0.2}")
    world = World(scene)
    world.step(70)
    shapes = [world[f"rain[{i}].ball"].definition.shapes for i in (0, 1, 2)]
    assert shapes[0] is shapes[1] is shapes[2]
    again = loads(expand(scene))
    assert again.hash == scene.hash


def test_vars_may_be_worked_out_when_it_is_born() -> None:
    world = World(loads(DROP % 'vars: {r: "=state.n + floor(world.time)"}'))
    world.step(150)
    assert radii(world) == [2.0, 2.0, 3.0, 3.0, 4.0, 4.0]


def test_random_vars_are_drawn_for_each_birth_and_are_the_same_again() -> None:
    text = DROP % 'vars: {r: "=uniform(0.1, 0.3)"}'
    first, second = World(loads(text)), World(loads(text))
    for world in (first, second):
        world.step(150)
    assert len(set(radii(first))) == 6
    assert radii(first) == radii(second)
    saved = World(loads(text))
    saved.step(60)
    late = World(loads(text))
    late.restore(saved.save())
    late.step(90)
    assert late.state_hash() == first.state_hash()


def test_what_is_born_may_be_scaled_and_mirrored() -> None:
    world = World(loads(DROP % "scale: 3, mirror: x"))
    world.step(1)
    assert radii(world) == pytest.approx([0.3])
    assert world["rain[0].ball"].definition.points["p"] == pytest.approx((-0.3, 0.0))


@every_row(
    ("given", "message"),
    [
        ("vars: {R: 1}", "spawners.rain.vars.R: the prototype `drop` has no var `R`; "),
        ("vars: {r: -1}", "must be greater than 0, but the expression gives -1 (in the instance"),
        ("vars: {r: =flor.y}", "there is no body or joint `flor`; did you mean `floor`"),
        ("vars: 3", "must be a mapping"),
        ("scale: 0", "must be greater than 0"),
        ("mirror: z", "must be one of x, y"),
    ],
)
def test_wrong_vars_are_told_when_the_scene_is_read(given: str, message: str) -> None:
    with pytest.raises(SceneError) as caught:
        loads(DROP % given)
    assert message in str(caught.value)


def test_vars_that_come_out_impossible_end_the_run() -> None:
    world = World(loads(DROP % "vars: {r: =1 - world.time}"))
    with pytest.raises(SimulationError, match=r"spawners\.rain: prototypes\.drop\.bodies\.ball"):
        world.step(150)


def test_what_is_worked_out_in_the_run_cannot_be_written_out() -> None:
    with pytest.raises(UsageError, match="`rain` has vars that are worked out"):
        expand(loads(DROP % "vars: {r: =floor.y + 10}"))
