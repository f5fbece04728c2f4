# SPDX-License-Identifier: MIT
"""Expanding a scene: what is written loads to the same physics, bit for bit."""

from __future__ import annotations

from pathlib import Path

import pytest
from rigid2d.core.errors import UsageError
from rigid2d.core.scene import expand, loads

from tests.rows import every_row
from tests.scenes import SCENES, loaded
from tests.search import tries

UNWRITTEN = "hailstones"  # whose stones are of sizes that only the run knows

EVERYTHING = """
rigid: 1
name: "everything: at once"
description: |
  Two lines,
  with "quotes".
tags: [a, b c]
units: screen
vars: {n: 3, far: "2 m"}
world: {dt: 10, duration: 5000, seed: 3, bounds: [[-1e4, -1e4], [1e4, 1e4]], on_error: warn,
        air: {linear_damping: 0.0001, angular_damping: 0.0002}, sleep: false,
        solver: {type: sequential_impulse, iterations: 7, joints: direct, friction_limit: gravity}}
materials: {steel: {density: 7.8, color: slategray}, ice: {friction: 0}}
defaults: {material: steel, body: {linear_damping: 0.0003}}
collision: {categories: [limb], ignore: [[limb, limb]], pairs_ignore: [[box, hex]],
            restitution_mixing: mean}
bodies:
  ball: {repeat: {i: =n}, shape: {circle: "=uniform(5, 9)"}, position: [=i*far, "=normal(0, 9)"]}
  box: {shape: {box: [100, 50], radius: 5}, angle: 33.3, velocity: [0.1, 0.2], category: limb}
  hex: {shape: {regular_polygon: {sides: 6, radius: 30}, radius: 2, offset: [3, 4], angle: 10}}
  pair: {material: ice, shapes: [{circle: 5, offset: [7, 0], color: red}, {capsule: [[0, 0],
         [9, 1]], radius: 3, sensor: true, category: limb, material: steel}], inertia: 5, mass: 3,
         center_of_mass: [1, 0], points: {p: [1, 2]}, trail: {length: 300}, tags: [x], z: 2}
  hill: {type: static, shape: {chain: [[0, 90], [50, 80], [99, 90]], side: both}}
  wall: {type: static, shape: {segment: [[0, 0], [0, 90]]}, collide: false, visible: false}
  star: {shape: {polygon: [[0, 0], [40, 0], [40, 40], [20, 10], [0, 40]]}, awake: false}
  rod: {shape: {box: [90, 4]}, position: [3, 4]}
joints:
  a: {type: revolute, bodies: [box, hex], anchor: [10, 20], limits: [-33, 44],
      motor: {position: 0.3, relative: true, spring: {frequency: 3, damping_ratio: 0.7}}}
  b: {type: distance, bodies: [hex, world], anchor: [0, 0], spring: {frequency: 1.7},
      max_length: 999, break: {force: 3}, collide: true}
  c: {type: weld, bodies: [pair, "ball[1]"], spring: {stiffness: 0.1, damping: 0.2}, visible: false}
  d: {type: distance, bodies: [box, pair], rope: true}
  e: {type: prismatic, bodies: [box, hex], axis: [3, 4], limits: {lower: -3.3, upper: 9, spring:
      {frequency: 2.2}}, motor: {position: 0.3, relative: true, max_force: 3}}
  f: {type: wheel, bodies: [hex, "ball[0]"], axis: [1, 3], motor: {speed: 7, max_torque: 9},
      spring: {stiffness: 3, damping: 0.1}, break: {torque: 3}}
  g: {type: mouse, body: star, anchor: [3.3, 4.4], target: [90, 1.1], max_force: 33}
  h: {type: revolute, bodies: [star, rod], break: {push_pull: 0.3}, spring: {frequency: 3}}
actuators:
  jet: {repeat: {i: 2}, type: thruster, body: box, at: [=i, 3.3], force: [0, 0.1], torque: 2}
  off: {type: thruster, body: rod, torque: 2, enabled: false, visible: false}
  wind: {type: force, tags: [x], force: [0.1, 0], start: 30, until: 900}
  none: {type: force, bodies: [ball, rod], force: [0, 0]}
  turn: {type: torque, body: rod, torque: 0}
  hit: {type: impulse, body: ball, angular_impulse: 3.3, start: 100}
  fan: {type: rotary_motor, body: rod, speed: 0.33, max_torque: 7}
  push: {type: rotary_motor, body: rod, torque: 0}
  tyre: {type: axial_friction, body: rod, direction: [1, 3], friction: 0.3}
  oil: {type: axial_friction, body: rod, at: [1, 0], max_force: .inf}
camera: {mode: follow, target: box, zoom: 2, bounds: [[-500, -500], [500, 500]]}
render: {size: [320, 200], overlays: [time], theme: dark, background: {color: black},
  energy: {zero: start, range: [0, 5]}}
record: {every: 2, channels: [ball, a.force]}
expect: [{always: =ball[0].y < 1e9}, {at: 1000, body: box, position: [1, 2], angle: 3}]
""".replace("{always: =ball[0].y < 1e9}", '{always: "=ball[0].y < 1e9"}')


def test_everything_comes_back_the_same() -> None:
    scene = loads(EVERYTHING)
    text = expand(scene)
    again = loads(text)
    assert again.hash == scene.hash
    assert again.world == scene.world
    assert again.collision == scene.collision
    assert again.actuators == scene.actuators
    assert list(again.bodies) == list(scene.bodies)
    assert again.joints == scene.joints
    assert (again.camera, again.render, again.record) == (scene.camera, scene.render, scene.record)
    assert [e.values for e in again.expect] == [e.values for e in scene.expect]
    assert (again.name, again.description, again.tags) == (
        scene.name,
        scene.description,
        scene.tags,
    )
    assert expand(again) == text


def test_nothing_is_left_to_evaluate() -> None:
    text = expand(loads(EVERYTHING)).partition("expect:")[0]
    for word in ("repeat", "uniform", "=", "defaults", "include"):
        assert word not in text


def test_what_only_the_run_knows_cannot_be_written_out() -> None:
    (path,) = [path for path in SCENES if path.stem == UNWRITTEN]
    with pytest.raises(UsageError, match=r"born as `stone` has vars .* \(size\)"):
        expand(loaded(path))


@every_row(
    "path",
    [path for path in SCENES if path.stem != UNWRITTEN][:: tries(3, 1)],
    ids=lambda path: path.stem,
)
def test_an_example_scene_comes_back_the_same(path: Path) -> None:
    scene = loaded(path)
    assert loads(expand(scene), path=str(path), folder=path.parent).hash == scene.hash


def test_an_offset_of_minus_zero_comes_back_the_same() -> None:
    first = loads(
        "rigid: 1\nbodies: {a: {type: static, shape: {segment: [[0, 1], [-0.0, 2]],"
        " offset: [-0.0, -0.0]}}}"
    )
    assert loads(expand(first)).hash == first.hash


@pytest.mark.parametrize(
    "bearers",
    [
        "prototypes: {drop: {bodies: {dot: {shape: {circle: 1}, tags: [wet]}}}}\nbodies:\n",
        "bodies:\n  drop: {repeat: {i: 0}, shape: {circle: 1}, tags: [wet]}\n",
    ],
    ids=["never spawned", "repeated no times"],
)
def test_tags_that_no_body_has_yet_are_kept_for_formulas(bearers: str) -> None:
    scene = loads(
        f"rigid: 1\n{bearers}  unborn: {{shape: {{circle: 1}}}}\n"
        "annotations: [{text: '{tags.wet.count} drops', corner: top_left}]\n"
        'expect: [{always: "=tags.wet.count == 0"}]\n'
    )
    text = expand(scene)
    again = loads(text)
    assert again.hash == scene.hash
    assert again.body_tags == scene.body_tags == ("wet",)
    assert expand(again) == text
