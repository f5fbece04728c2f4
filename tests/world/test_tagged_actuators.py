# SPDX-License-Identifier: MIT
"""Actuators by tags act on what is born and what breaks off, from its birth."""

from __future__ import annotations

import pytest
from rigid2d.core import Batch, Scene, World, loads
from rigid2d.core.errors import SceneError
from rigid2d.core.scene import expand

from tests.rows import every_row

KINDS = {
    "thruster": "{type: thruster, WHO, force: [3, 1], at: [0, 0.05]}",
    "force": "{type: force, WHO, force: [3, 1]}",
    "torque": "{type: torque, WHO, torque: 2}",
    "field": '{type: field, WHO, field: ["=-2*x + vy", "=3 - y"]}',
    "motor": "{type: rotary_motor, WHO, speed: 180, max_torque: 0.5}",
    "turning": "{type: rotary_motor, WHO, torque: 0.3}",
    "friction": "{type: axial_friction, WHO, direction: [1, 0], max_force: 0.6}",
    "late": "{type: force, WHO, force: [3, 1], enabled: false}",
}
WHO = "WHO"
SOLVERS = ("soft_step", "sequential_impulse", "pgs_jrow")
LEAF = "b: {shape: {box: [0.3, 0.2]}, velocity: [1, 0.5], angular_velocity: 40, tags: [light]}"


def tagged(kind: str) -> str:
    """An actuator by a tag."""
    return f"actuators: {{all: {KINDS[kind].replace(WHO, 'tags: [light]')}}}"


def scene(of_scene: str, of_leaf: str = "", solver: str = "soft_step", more: str = "") -> Scene:
    return loads(f"""
rigid: 1
world: {{gravity: [0, 0], duration: 3, solver: {{type: {solver}}}}}
prototypes:
  leaf:
    bodies: {{{LEAF}}}
    {of_leaf}
bodies: {{rock: {{type: static, shape: {{circle: 0.1}}, position: [0, 99]}}}}
{of_scene}
spawners:
  s:
    {{use: leaf, every: 0.7, from: 0.3, at: ["=uniform(-30, 30)", "=uniform(-9, 9)"], max: 3}}
{more}
""")


def states(world: World) -> list[tuple[float, ...]]:
    bodies = (world[name] for name in world.bodies.added)
    return [(b.x, b.y, b.angle, *b.velocity, b.angular_velocity) for b in bodies]


@every_row("solver", SOLVERS)
@every_row("kind", KINDS)
def test_what_is_born_is_acted_on_as_by_an_actuator_of_its_own(kind: str, solver: str) -> None:
    by_tags = scene(tagged(kind), solver=solver)
    own = scene("", f"actuators: {{own: {KINDS[kind].replace(WHO, 'body: b')}}}", solver=solver)
    worlds = [World(by_tags), World(own), World(loads(expand(by_tags)))]
    for _ in range(6):
        for world in worlds:
            world.step(20)
        assert states(worlds[0]) == states(worlds[1]) == states(worlds[2])
    assert len(worlds[0].bodies.added) == 3


@pytest.mark.parametrize("kind", KINDS)
def test_saved_states_forks_and_batches_have_them_too(kind: str) -> None:
    events = "events: [{when: time, at: 1.2, do: [{delete: rock}, {set: {all.enabled: true}}]}]"
    given = scene(tagged(kind), more=events)
    world, batch = World(given), Batch(given, 2)
    for _ in range(8):
        world.step(17)
        batch.step(17)
        again = World(given)
        again.restore(world.save())
        assert again.save() == world.save()
        fork = world.fork()
        for other in (again, fork):
            other.step(40)
        assert again.save() == fork.save()
        ahead = World(given)
        ahead.step(world.step_count + 40)
        assert ahead.save() == fork.save()
        assert batch.world(1).save() == world.save()


def test_what_is_set_holds_for_those_who_come_later() -> None:
    events = """
events:
  - {when: time, at: 0.1, do: [{set: {all.force: [0, 8], all.enabled: true}}]}
  - {when: time, at: 2.5, do: [{set: {all.enabled: false}}]}
"""
    world = World(scene(tagged("late"), more=events))
    world.step(90)
    speeds = [world[name].velocity for name in world.bodies.added]
    assert len(speeds) == 2
    assert all(vx == 1 and vy > 0.5 for vx, vy in speeds)
    world.step(65)
    kept = [world[name].velocity for name in world.bodies.added]
    world.step(10)
    assert [world[name].velocity for name in world.bodies.added] == kept


def test_pieces_of_a_broken_body_are_still_pushed() -> None:
    text = """
rigid: 1
world: {gravity: [0, 0]}
bodies:
  plate: {shape: {box: [2, 2]}, mass: 4, tags: [iron]}
  slab: {type: static, shape: {box: [2, 2]}, position: [9, 0], tags: [iron]}
actuators: {magnet: {type: field, tags: [iron], field: [=2*mass, 0]}}
events: [{when: time, at: 1, do: [{destroy: {body: plate, count: 2}}, {destroy: {body: slab}}]}]
"""
    for source in (text, expand(loads(text))):
        world = World(loads(source))
        world.step(61)
        assert len(world.bodies.added) == 4 + 9
        plate = [world[name].velocity[0] for name in world.bodies.added if name.startswith("plate")]
        slab = [world[name].velocity[0] for name in world.bodies.added if name.startswith("slab")]
        assert plate == pytest.approx([2 * 61 / 60] * 4, rel=1e-5)
        assert slab == pytest.approx([2 / 60] * 9, rel=1e-5)


def test_a_blow_hits_those_who_are_there() -> None:
    blow = "actuators: {blow: {type: impulse, tags: [light], impulse: [0.6, 0], start: 1.2}}"
    world = World(scene(blow))
    world.step(150)
    assert [world[name].velocity[0] > 1.5 for name in world.bodies.added] == [True, True, False]


def test_an_actuator_stays_when_all_it_acted_on_is_gone() -> None:
    events = "events: [{when: time, at: 0.9, do: [{log: now}]}]"
    world = World(scene(tagged("force"), more=events))
    world.step(40)
    world.remove(*world.bodies.added)
    world.step(60)
    assert world[world.bodies.added[0]].velocity[0] > 1.1
    assert world.remove("all") == ["all"]
    world.step(80)
    assert world[world.bodies.added[-1]].velocity == (1, 0.5)


def test_a_tag_of_prototypes_is_known_and_another_is_not() -> None:
    with pytest.raises(SceneError, match="no body has the tag `ligth`; did you mean `light`"):
        scene("actuators: {all: {type: torque, tags: [ligth], torque: 1}}")


def test_actuators_of_instances_act_on_their_own() -> None:
    given = scene(
        "instances: {one: {use: leaf, at: [0, 50]}}",
        "actuators: {push: {type: force, tags: [light], force: [3, 0]}}",
    )
    world = World(given)
    world.step(150)
    assert world["one.b"].velocity[0] > 10
    assert given.actuators["one.push"].tags == ()
    # Each that is born has one of its own, and no other.
    own = World(scene("", "actuators: {push: {type: force, body: b, force: [3, 0]}}"))
    own.step(150)
    assert states(world) == states(own)
