# SPDX-License-Identifier: MIT
"""What is born of a body moves on as it moved when it was fixed to that body."""

from __future__ import annotations

import math

import pytest
from rigid2d.core import Batch, Scene, World, loads
from rigid2d.core.scene import expand

from tests.rows import every_row

OMEGA = 2.0
SPEED = (0.5, -0.25)


def scene(spawn: str, kind: str = "dynamic", more: str = "", body: str = "") -> Scene:
    return loads(f"""
rigid: 1
world: {{duration: 3, gravity: [0, 0], sleep: false}}
prototypes:
  bar: {{bodies: {{one: {{shape: {{box: [1, 0.2], offset: [0.3, 0]}}, collide: false {body}}}}}}}
  chain:
    bodies:
      one: {{shape: {{circle: 0.2}}, position: [1, 0], collide: false}}
      two: {{shape: {{circle: 0.2}}, position: [2, 1], angular_velocity: 90, collide: false}}
      base: {{type: static, shape: {{circle: 0.2}}, position: [3, 3], collide: false}}
    joints: {{rod: {{type: weld, bodies: [one, two]}}}}
bodies:
  ship:
    type: {kind}
    shape: {{box: [2, 1], offset: [0.4, 0.1]}}
    position: [1, 2]
    angle: 30
    velocity: [{SPEED[0]}, {SPEED[1]}]
    angular_velocity: {math.degrees(OMEGA)}
    points: {{nose: [1.4, 0.1]}}
    collide: false
events: [{{when: time, at: 0.5, do: [{{spawn: {{{spawn}}}}}]}}]
{more}
""")


def expected(world: World, name: str) -> tuple[float, float]:
    """The velocity of the ship at the centre of mass of a body."""
    ship, (x, y) = world["ship"], world[name].center_of_mass
    cx, cy = ship.center_of_mass
    (vx, vy), omega = ship.velocity, ship.angular_velocity
    return vx - omega * (y - cy), vy + omega * (x - cx)


@every_row("kind", ["dynamic", "kinematic"])
@every_row("at", ["[3, 1]", "ship.points.nose", "ship"])
@every_row("more", ["", ", mirror: x, scale: 2", ", angle: 77"])
def test_it_takes_the_spin_and_the_velocity_of_its_own_place(kind: str, at: str, more: str) -> None:
    world = World(scene(f"use: bar, at: {at}, frame: ship{more}", kind))
    world.step(30)
    born = world["bar[0].one"]
    assert born.angular_velocity == pytest.approx(OMEGA, rel=1e-6)
    assert born.velocity == pytest.approx(expected(world, "bar[0].one"), abs=1e-5)


def test_each_body_of_a_copy_takes_that_of_its_own_place_beside_what_it_has_itself() -> None:
    world = World(scene("use: chain, at: [1, 1], frame: ship, velocity: [3, 0]"))
    world.step(30)
    c, s = math.cos(world["ship"].angle), math.sin(world["ship"].angle)
    for name, own in (("one", 0.0), ("two", math.pi / 2)):
        born = world[f"chain[0].{name}"]
        assert born.angular_velocity == pytest.approx(OMEGA + own, rel=1e-6)
        vx, vy = expected(world, f"chain[0].{name}")
        assert born.velocity == pytest.approx((vx + 3 * c, vy + 3 * s), abs=1e-5)
    assert world["chain[0].base"].velocity == (0.0, 0.0)
    assert world["chain[0].base"].angular_velocity == 0.0


def test_it_turns_on_with_the_body() -> None:
    world = World(scene("use: bar, at: [3, 1], frame: ship"))
    world.step(30)
    local = (world["bar[0].one"].x, world["bar[0].one"].y, world["bar[0].one"].angle)
    turned = local[2] - world["ship"].angle
    world.step(30)
    assert world["bar[0].one"].angle - world["ship"].angle == pytest.approx(turned, abs=1e-5)


def test_what_does_not_turn_takes_no_spin() -> None:
    world = World(scene("use: bar, at: [3, 1], frame: ship", body=", fixed_rotation: true"))
    world.step(40)
    born = world["bar[0].one"]
    assert born.angular_velocity == 0.0
    assert math.hypot(*born.velocity) > 2


def test_without_a_frame_it_takes_nothing() -> None:
    world = World(scene("use: bar, at: ship.points.nose"))
    world.step(40)
    assert world["bar[0].one"].velocity == (0.0, 0.0)
    assert world["bar[0].one"].angular_velocity == 0.0


def test_at_the_centre_of_mass_it_moves_as_the_body_does() -> None:
    """That of the bar is 0.3 along its axis, the place such that both centres coincide."""
    world = World(scene("use: bar, at: [0.1, 0.1], frame: ship"))
    world.step(31)
    ship, born = world["ship"], world["bar[0].one"]
    assert born.velocity == pytest.approx(ship.velocity, abs=1e-5)
    assert born.angular_velocity == ship.angular_velocity


def test_saved_copied_and_in_a_batch() -> None:
    given = scene(
        "use: bar, at: [3, 1], frame: ship",
        more="spawners: {rain: {use: chain, every: 0.2, frame: ship, lifetime: 1}}",
    )
    world, other, batch = World(given), World(given), Batch(given, 2)
    world.step(50)
    other.restore(world.save())
    for each in (world, other):
        each.step(70)
    batch.step(120)
    assert world.save() == other.save() == batch.world(1).save()
    written = World(loads(expand(given)))
    written.step(120)
    for name in world.roster.bodies:
        assert written[name].position == pytest.approx(world[name].position, abs=1e-6)
