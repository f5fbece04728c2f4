# SPDX-License-Identifier: MIT
"""Scripts of scenes with textbook solvers: the native runner executes them, and stops for the steps
of the solver."""

from __future__ import annotations

import gc
from typing import Any
from weakref import ref

import pytest
from rigid2d.core import Scene, World, loads, simulate
from rigid2d.core.errors import RigidError, SimulationError
from rigid2d.core.world import Batch

ROOM = """
rigid: 1
world: {duration: 2, dt: 0.01, bounds: [[-30, -30], [30, 30]], solver: {type: KIND}}
bodies:
  floor: {type: static, shape: {box: [20, 1]}, position: [0, -1]}
  ball: {shape: {box: [0.5, 0.5]}, position: [0, 1], tags: [x]}
  crate: {shape: {box: [0.5, 0.5]}, position: [2, 0.5], tags: [x]}
  lift: {type: kinematic, shape: {box: [1, 0.2]}, position: [-5, 0]}
prototypes: {drop: {bodies: {one: {shape: {box: [0.2, 0.2]}, tags: [d]}}}}
state: {n: 0, m: 0}
"""
HINGE = """
joints:
  hinge: {type: revolute, bodies: [world, crate], anchor: [2, 1], motor: {speed: 1, max_torque: 5}}
actuators:
  jet: {type: thruster, body: ball, force: [1, 0]}
  late: {type: force, body: ball, force: [3, 0], start: 0.5, until: 0.7}
"""
SCRIPTS = {
    "touches": (
        "events:\n"
        "  - {when: collision, bodies: [ball, floor], do: [{add: {n: =$impulse, m: =$point.y}}, "
        "{log: hit}, {set: {ball.velocity: [2, 3]}}]}\n"
        "  - {when: touch_end, do: [{add: {m: 1}}]}\n"
        "  - {when: time, at: 0.2, every: 0.3, do: [{impulse: {body: crate, impulse: [0.1, 0.2]}}, "
        "{set: {world.gravity.y: =-9 - state.m % 2, crate.friction: 0.1}}]}\n"
    ),
    "births": (
        "spawners: {d: {use: drop, every: 0.2, at: [-1, 2], velocity: [1, 0], lifetime: 0.9}, "
        "e: {use: drop, every: 0.3, at: [3, 2]}}\n"
        "events:\n"
        "  - {when: collision, tags: [d, x], do: [{delete: $a}, {add: {n: 1}}]}\n"
        "  - {when: touch_end, tags: [d, x], do: [{log: gone}]}\n"
        "  - {when: deleted, tags: [d], do: [{add: {m: =$point.x}}]}\n"
    ),
    "pieces": (
        "spawners: {d: {use: drop, at: [-1, 2], every: 0.25}}\n"
        "events:\n"
        "  - {when: time, at: 0.25, do: [{destroy: {body: crate, count: 2, kick: {spin: 9}}}, "
        "{destroy: {body: ball, count: 2, tags: [d]}}, {add: {n: =tags.x.area}}]}\n"
        "  - {when: collision, tags: [d, x], do: [{destroy: {body: $a, count: 2, lifetime: 1}}]}\n"
    ),
    "readings": (
        "events:\n"
        "  - {when: =crate.contacts > 0, do: [{log: down}, {set: {state.n: =crate.force}}]}\n"
        "  - {when: time, at: 0, every: 0.05, "
        "do: [{set: {state.m: =world.contacts + tags.x.max.force + solver.iterations}}]}\n"
    ),
    "lost": (
        "events:\n"
        "  - {when: time, at: 0.8, do: [{set: {ball.velocity: [9000, 0]}}]}\n"
        "  - {when: deleted, body: ball, do: [{log: lost}, {move: {what: crate, by: [0, 1]}}]}\n"
    ),
    "animated": (
        "animations: {up: {duration: 1, type: loop, loop: ping_pong, "
        "tracks: {lift.position: [[0, [-5, 0]], [1, [-5, 2]]]}}}\n"
        "events: [{when: time, at: 1, do: [{stop: up}, "
        "{explode: {at: [0, 0], radius: 5, impulse: 1}}]}]\n"
    ),
    "joints": (
        f"{HINGE}controls: {{up: {{hold: jet, set: {{hinge.motor.speed: 3}}}}}}\n"
        "inputs: [{key: up, from: 0.2, to: 0.8}]\n"
        "events:\n"
        "  - {when: time, at: 0.3, do: [{set: {hinge.motor.max_torque: 7, jet.force.x: 3.3}}]}\n"
        "  - {when: time, at: 0.9, do: [{delete: hinge}, {delete: jet}, {attach: {name: g, joint: "
        "{type: distance, bodies: [ball, crate], spring: {frequency: 2, damping_ratio: 0.1}}}}]}\n"
        "  - {when: time, at: 0.5, do: [{attach: {name: o, joint: {type: custom, "
        "constraint: circle, bodies: [world, crate]}}}]}\n"
        "  - {when: deleted, joint: hinge, do: [{log: off}]}\n"
        "  - {when: actuator_start, actuator: late, do: [{log: on}]}\n"
        "  - {when: =hinge.torque > 2, do: [{log: strong}]}\n"
    ),
}
CASES = [
    *((name, "pgs_matrix") for name in SCRIPTS),
    *((name, "verlet") for name in SCRIPTS if name != "joints"),
    ("joints", "constraint_correction"),
    ("touches", "textbook_impulse"),
]


def scene_of(name: str, kind: str) -> Scene:
    return loads(ROOM.replace("KIND", kind) + SCRIPTS[name])


def told(world: World) -> list[tuple[int, str, str, str]]:
    return [(each.step, each.kind, each.a, each.b) for each in world.events.take()]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_the_bits_are_those_that_are_stored(name: str, kind: str, stored: Any) -> None:
    scene = scene_of(name, kind)
    here, there = stored(scene), World(scene)
    here.step(101)
    for steps in (7, 1, 50, 43):
        there.step(steps)
    assert told(here) == told(there)
    assert here.save() == there.save()


@pytest.mark.parametrize("name", ["births", "joints"])
def test_saved_worlds_and_batches_go_on_alike(name: str) -> None:
    scene = scene_of(name, "pgs_matrix")
    world, batch = World(scene), Batch(scene, 2)
    world.step(25)
    other = World(scene)
    other.restore(world.save())
    for each in (world, other):
        each.step(15)
    batch.step(40)
    batched = batch.world(1)
    assert batched.step_count == 40
    assert world.state_hash() == other.state_hash() == batched.state_hash()
    for each in (world, batched):
        each.step(10)
    assert world.state_hash() == batched.state_hash()


def test_a_recorded_run_reads_contacts_after_each_step() -> None:
    text = ROOM.replace("KIND", "pgs_matrix").replace("duration: 2", "duration: 0.6")
    rest = "record: {channels: [crate.contacts, state], every: 2}\n"
    trace = simulate(loads(f"{text}{SCRIPTS['readings']}{rest}"))
    assert len(trace.steps) == 31
    assert trace.channel("crate.contacts")[0] == 0.0
    assert trace.channel("crate.contacts")[-1] > 0.0


def test_settings_that_the_solver_does_not_know_are_refused() -> None:
    text = ROOM.replace("KIND", "pgs_matrix")
    world = World(
        loads(
            f"{text}events: [{{when: time, at: 0.3, do: [{{set: "
            "{ball.rolling_resistance: 0.4}}]}]\n"
        )
    )
    with pytest.raises(RigidError, match=r"^events\[0\]\.do\[0\]: .*no rolling resistance"):
        world.step(100)
    world = World(loads(f"{text}inputs: [{{at: 0.3, set: {{ball.tangent_speed: 2}}}}]\n"))
    with pytest.raises(RigidError, match="surfaces that move"):
        world.step(100)


@pytest.mark.parametrize("kind", ["pgs_matrix", "soft_step"])
def test_worlds_with_scripts_are_freed(kind: str) -> None:
    world = World(scene_of("births", kind))
    world.step(30)
    kept = ref(world)
    del world
    gc.collect()
    assert kept() is None


def test_a_joint_that_the_solver_does_not_take_is_refused(stored: Any) -> None:
    pulley = "{type: pulley, bodies: [ball, crate], ground_anchors: [[0, 9], [2, 9]]}"
    attached = (
        f"events: [{{when: time, at: 0.1, do: [{{attach: {{name: p, joint: {pulley}}}}}]}}]\n"
    )
    world = stored(loads(ROOM.replace("KIND", "pgs_matrix") + attached))
    with pytest.raises(SimulationError, match="knows no pulley joints"):
        world.step(20)
