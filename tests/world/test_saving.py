# SPDX-License-Identifier: MIT
"""Worlds that are saved, restored and forked go on bit for bit as if nothing had happened."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rigid2d.core import World, build, load, loads
from rigid2d.core.errors import UsageError

from tests.rows import every_row
from tests.search import tries

ROOT = Path(__file__).resolve().parents[2]
ON = 200

LIVELY = """
rigid: 1
world: {duration: 10}
bodies:
  ground: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}
  ball:
    repeat: {i: 12}
    shape: {circle: 0.2}
    position: [=0.3 * i, =1 + 0.5 * i]
  arm: {shape: {box: [1, 0.1]}, position: [-3, 2]}
  car: {shape: {box: [1, 0.5]}, position: [-6, 0.3]}
joints:
  hinge: {type: revolute, bodies: [world, arm], anchor: [-3.5, 2],
          motor: {speed: 90, max_torque: 9}}
  hand: {type: mouse, body: car, target: [-6, 1]}
actuators:
  spin: {type: rotary_motor, bodies: [car], speed: 30, max_torque: 4, start: 0.5, until: 1.5}
  jet: {type: thruster, bodies: [arm], force: [0, 3], start: 0.2}
"""


def goes_on_alike(world: World, other: World, steps: int = ON) -> bool:
    for _ in range(4):
        world.step(steps // 4)
        other.step(steps // 4)
        if world.state_hash() != other.state_hash():
            return False
    return True


@pytest.mark.parametrize("step", [0, 1, 29, 30, 31, 89, 90, 91, 400])
@pytest.mark.parametrize("solver", ["soft_step", "sequential_impulse"])
def test_from_any_step_the_future_is_the_same(step: int, solver: str) -> None:
    scene = loads(LIVELY, overrides=[f"world.solver.type={solver}"])
    world, other = World(scene), World(scene, lanes=1)
    world.step(step)
    other.restore(world.save())
    assert other.step_count == step
    assert goes_on_alike(world, other)
    assert world.save() == other.save()


TURNED = """\
rigid: 1
world: {duration: 5, sleep: false, solver: {joints: iterative, type: sequential_impulse}}
bodies:
  a: {angle: 144, position: [-4.94, 4.02], shape: {polygon: [[0, 0], [1, 0], [0.2, 1]]}}
  b: {position: [-4.79, 4.41], shape: {box: [0.97, 0.37]}}
  ground: {type: static, position: [0, -0.5], shape: {box: [30, 1]}}
joints:
  j: {type: wheel, bodies: [a, b], anchor: [-3.79, 1.51],
    spring: {damping_ratio: 0.5, frequency: 3}}
actuators: {f: {type: force, body: a, force: [3, 1]}}
"""


def test_joints_whose_levers_have_changed_are_solved_as_before() -> None:
    scene = loads(TURNED)
    for step in range(7, 300, 41):
        world, other = build(scene), build(scene)
        world.step(step)
        other.restore(world.save())
        for _ in range(40):
            world.step()
            other.step()
            assert world.state_hash() == other.state_hash()


def test_what_was_set_while_running_is_restored() -> None:
    scene = loads(LIVELY)
    world = World(scene)
    world.step(40)
    world.joint("hinge").set_motor(speed=-1.0, max_torque=3.0)
    world.joint("hand").set_target((-5.0, 2.0))
    world.actuator("spin").set("speed", -2.0)
    world.actuator("jet").enabled = False
    world.remove("ball[3]")
    other = World(scene)
    other.restore(world.save())
    assert not other["ball[3]"].alive
    assert other.actuator("jet").enabled is False
    assert other.targets == world.targets
    assert goes_on_alike(world, other)
    world.joint("hinge").set_motor(max_torque=1.0)
    other.joint("hinge").set_motor(max_torque=1.0)
    assert goes_on_alike(world, other)


def test_events_that_were_not_fetched_are_saved_with_the_rest() -> None:
    scene = loads(LIVELY)
    world = World(scene)
    world.events.enable_contacts()
    world.step(60)
    other = World(scene)
    other.restore(world.save())
    assert (seen := world.events.take())
    assert other.events.take() == seen


def test_equal_states_have_equal_bytes_once_events_were_taken() -> None:
    one, two = World(loads(LIVELY)), World(loads(LIVELY))
    for world in (one, two):
        world.events.enable_contacts()
    for _ in range(60):
        one.step()
        one.events.take()
    two.step(60)
    assert len(two.save()) > len(one.save())
    fork = two.fork()
    assert (seen := two.events.take())
    assert two.save() == one.save()
    assert fork.events.take() == seen


def test_a_fork_goes_its_own_way() -> None:
    world = World(loads(LIVELY))
    world.step(50)
    left, right = world.fork(), world.fork()
    left["car"].apply_impulse((5.0, 0.0))
    left.remove("hinge")
    before = world.state_hash()
    left.step(50)
    assert world.state_hash() == before
    assert goes_on_alike(world, right)
    assert left.joint("hinge").broken
    assert not right.joint("hinge").broken


def test_arrays_taken_before_show_the_restored_state() -> None:
    world = World(loads(LIVELY))
    x = world.bodies.x
    state = world.save()
    first = x.copy()
    world.step(60)
    assert not np.array_equal(x, first)
    world.restore(state)
    assert np.array_equal(x, first)


def test_another_process_saves_the_same_bytes(tmp_path: Path) -> None:
    scene = ROOT / "scenes" / "basics" / "hello.yaml"
    code = (
        "import sys; from rigid2d.core import World, load; "
        "w = World(load(sys.argv[1]), threads=2); w.step(50); "
        "open(sys.argv[2], 'wb').write(w.save())"
    )
    target = tmp_path / "state"
    subprocess.run([sys.executable, "-c", code, scene, target], check=True, timeout=120)
    world = World(load(scene))
    world.step(50)
    assert world.save() == target.read_bytes()


def test_a_state_of_another_scene_is_refused() -> None:
    state = World(loads(LIVELY)).save()
    other = World(loads(LIVELY, overrides=["bodies.arm.mass=3"]))
    before = other.save()
    with pytest.raises(UsageError, match="not of this scene"):
        other.restore(state)
    assert other.save() == before


@every_row("cut", [0, 5, 14, 200, -1, -40])
def test_half_a_state_is_refused(cut: int) -> None:
    world = World(loads(LIVELY))
    with pytest.raises(UsageError, match=r"damaged|not the bytes"):
        world.restore(world.save()[:cut])


def test_a_state_with_one_bit_changed_is_refused() -> None:
    world = World(loads(LIVELY))
    state = bytearray(world.save())
    state[len(state) // 2] ^= 4
    with pytest.raises(UsageError, match="damaged"):
        world.restore(bytes(state))


def test_a_state_of_a_later_version_is_refused_as_such() -> None:
    world = World(loads(LIVELY))
    with pytest.raises(UsageError, match="another version"):
        world.restore(b"rigid state 10\n" + world.save()[14:])


@pytest.mark.parametrize("seed", range(tries(10, 40)))
def test_no_bytes_harm_the_engine(seed: int) -> None:
    """Without the digest: what the engine itself makes of bytes that nobody has saved."""
    random = np.random.default_rng(seed)
    scene = loads(LIVELY)
    world = World(scene)
    world.step(int(random.integers(0, 80)))
    state = np.frombuffer(world.native.save(), np.uint8)
    for _ in range(20):
        wrong = state.copy()
        at = random.integers(0, len(wrong), random.integers(1, 5))
        wrong[at] = random.integers(0, 256, len(at))
        try:
            world.native.restore(wrong.tobytes())
        except ValueError:
            assert np.array_equal(np.frombuffer(world.native.save(), np.uint8), state)
            continue
        world.native.step(2)
        world = World(scene)
        world.native.restore(state.tobytes())


def test_a_pair_that_is_apart_is_the_same_in_a_state_whether_it_was_looked_at_again_or_not() -> (
    None
):
    flake = "shape: {polygon: [[-0.03, -0.03], [0.03, -0.03], [0, 0.05]]}"
    scene = loads(f"""
rigid: 1
world: {{gravity: [0, 0]}}
bodies:
  still: {{{flake}, angle: 86}}
  comes: {{{flake}, angle: 242, position: [0.093, 0.079],
          velocity: [0.018, -0.018], angular_velocity: -60}}
""")
    world, other = World(scene), World(scene)
    for _ in range(24):
        other.restore(world.save())
        world.step()
        other.step()
        assert world.save() == other.save()


def changed(state: bytes, change: Callable[[dict[str, Any]], Any]) -> bytes:
    """The state with another header, and the digest of that."""
    magic, line, rest = state[:-32].split(b"\n", 2)
    header = json.loads(line)
    change(header)
    whole = b"\n".join([magic, json.dumps(header).encode(), rest])
    return whole + sha256(whole).digest()


@every_row(
    ("change", "says"),
    [
        (lambda header: header.pop("motors"), "header: 'motors' is missing"),
        (lambda header: header.update(more=1), "header: 'more' is not known there"),
        (lambda header: header.update(step=7), "step: is not the engine's"),
        (lambda header: header.update(step=True), "header.step: must be a whole number"),
        (
            lambda header: header["motors"].update(hinge=[1, "2", True]),
            r"hinge\[1\]: must be a num",
        ),
        (lambda header: header["motors"].update(hand=[1, 2, True]), "the joint has no motor"),
        (lambda header: header["targets"].update(hinge=[1, 2]), "targets.hinge: .* is no mouse"),
        (lambda header: header["targets"].update(nobody=[1, 2]), "there is no joint 'nobody'"),
        (lambda header: header["actuators"].pop("jet"), "actuators: 'jet' is missing"),
        (lambda header: header["actuators"]["jet"].insert(0, 1), "actuators.jet: .* list of 4"),
        (lambda header: header["actuators"]["jet"][2][0].__setitem__(0, 99), "nothing of it at 99"),
        (lambda header: header["actuators"]["jet"][0].update(kind="force"), "cannot be set"),
        (lambda header: header["actuators"]["jet"][0].update(force=[1, "x"]), "is no float"),
        (lambda header: header["added"]["bodies"].pop(), "are not those of the engine"),
        (lambda header: header["added"]["bodies"][0].__setitem__(1, 77), "has no body"),
        (lambda header: header["added"]["bodies"][0][0]["Body"].update(angle="x"), "is no float"),
        (lambda header: header["added"]["bodies"][0][0]["Body"].update(name="arm"), "scene's own"),
        (
            lambda header: header["added"]["bodies"][0][0]["Body"]["shapes"][0]["Shape"].update(
                kind="polygon"
            ),
            "a polygon of too few points",
        ),
        (lambda header: header.update(script={}), "script: the scene has none"),
    ],
)
def test_a_header_that_no_world_saves_is_refused_in_words_and_nothing_is_taken_over(
    change: Callable[[dict[str, Any]], Any], says: str
) -> None:
    scene = loads(LIVELY)
    saved, world = World(scene), World(scene)
    saved.add({"bodies": {"new": {"shape": {"circle": 0.2}, "position": [3, 3]}}})
    saved.joint("hinge").set_motor(speed=1.0)
    saved.step(20)
    world.step(5)
    world.actuator("jet").enabled = False
    before = world.save()
    with pytest.raises(UsageError, match=says):
        world.restore(changed(saved.save(), change))
    assert world.save() == before
    assert world.actuator("jet").enabled is False
    world.restore(changed(saved.save(), lambda header: None))
    assert goes_on_alike(saved, world, 20)
