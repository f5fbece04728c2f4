# SPDX-License-Identifier: MIT
"""Animations, controls and inputs: what they set, and that a run stays a function of its text."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from rigid2d.core import Scene, World, load, loads, simulate
from rigid2d.core.errors import SceneError, UnknownNameError, UsageError

DT = 1 / 60


def scene(blocks: str, inputs: str = "", solver: str = "soft_step", duration: float = 4) -> Scene:
    return loads(f"""
rigid: 1
world: {{duration: {duration}, gravity: [0, 0], solver: {{type: {solver}}}}}
bodies:
  base: {{type: static, shape: {{box: [0.1, 0.1]}}}}
  arm: {{shape: {{box: [2, 0.2]}}, position: [1, 0]}}
  lift: {{type: kinematic, shape: {{box: [1, 0.2]}}, position: [5, 0]}}
  ship: {{shape: {{circle: 0.5}}, mass: 2, position: [0, 9]}}
joints:
  hinge: {{type: revolute, bodies: [base, arm], anchor: [0, 0], motor: {{position: 0}}}}
actuators:
  jet: {{type: thruster, body: ship, force: [0, 4]}}
{blocks}
{inputs}
""")


WAVE = """
animations:
  wave: {type: loop, duration: 2, tracks: {hinge.motor.position: [[0, 0], [0.5, 45], [1, 0]]}}
"""
MANUAL = """
animations:
  hoist: {type: manual, duration: 2, start: 0.5,
          tracks: {lift.position: [[0, [5, 0]], [1, [5, 4]]]}}
controls: {up: hoist.forward, down: hoist.backward}
"""
RETURNS = MANUAL.replace("start: 0.5,", "start: 0.5, return_to: 0.5,")


@pytest.mark.parametrize("solver", ["soft_step", "sequential_impulse"])
def test_a_loop_takes_a_joint_to_its_set_points(solver: str) -> None:
    world = World(scene(WAVE, solver=solver))
    for steps, angle in ((30, 22.5), (30, 45.0), (30, 22.5), (30, 0.0), (60, 45.0)):
        world.step(steps)
        assert world.joint("hinge").angle == pytest.approx(math.radians(angle), abs=2e-3)


def test_one_that_plays_once_stays_at_its_end() -> None:
    world = World(scene(WAVE.replace("loop", "once").replace(", [1, 0]", "")))
    world.step(60)
    assert world.joint("hinge").angle == pytest.approx(math.pi / 4, abs=2e-3)
    world.step(120)
    assert world.joint("hinge").angle == pytest.approx(math.pi / 4, abs=1e-4)


@pytest.mark.parametrize(
    ("easing", "wanted"), [("linear", 0.25), ("smooth", 0.15625), ("hold", 0.0)]
)
def test_easing_says_how_it_goes_from_key_to_key(easing: str, wanted: float) -> None:
    blocks = f"""
animations:
  rise: {{type: once, duration: 4, easing: {easing},
          tracks: {{lift.position: [[0, [5, 0]], [1, [5, 1]]]}}}}
"""
    world = World(scene(blocks))
    world.step(60)
    assert world["lift"].y == pytest.approx(wanted, abs=1e-6)


def test_switches_hold_their_value_until_the_next_key() -> None:
    blocks = """
animations:
  burn: {type: loop, duration: 2, tracks: {jet.enabled: [[0, false], [0.25, true], [0.75, false]]}}
"""
    world = World(scene(blocks))
    acts = []
    for _ in range(120):
        world.step()
        acts.append(world.actuator("jet").enabled)
    assert sum(acts) == 60
    # The step that ends at a quarter is the first with the switch on, and the last is before three.
    assert acts.index(True) == 29
    assert world["ship"].velocity[1] == pytest.approx(4 / 2 * 60 * DT, rel=1e-5)


def test_a_body_on_a_track_is_where_the_track_says_and_moves_with_its_velocity() -> None:
    blocks = """
animations:
  round: {type: loop, duration: 2, tracks: {
    lift.position: [[0, [5, 0]], [0.5, [7, 1]], [1, [5, 0]]],
    lift.angle: [[0, 0], [0.5, 90], [1, 0]]}}
"""
    world = World(scene(blocks))
    for step in range(1, 240):
        world.step()
        phase = step / 120 % 1.0
        part = 2 * min(phase, 1 - phase)
        assert world["lift"].position == pytest.approx((5 + 2 * part, part), abs=1e-6)
        assert world["lift"].angle == pytest.approx(part * math.pi / 2, abs=1e-6)
    assert world["lift"].velocity == pytest.approx((-2, -1), abs=1e-4)


def test_a_body_is_put_where_its_track_begins() -> None:
    world = World(scene(MANUAL))
    assert world["lift"].position == (5, 2)
    world.step(10)
    assert world["lift"].position == (5, 2)
    assert world["lift"].velocity == (0, 0)


def test_a_lift_carries_what_stands_on_it_without_slip() -> None:
    told = loads("""
rigid: 1
bodies:
  lift: {type: kinematic, shape: {box: [2, 0.2]}}
  crate: {shape: {box: [0.5, 0.5]}, position: [0, 0.35]}
animations:
  ride: {type: once, duration: 4, easing: smooth,
         tracks: {lift.position: [[0, [0, 0]], [1, [3, 2]]]}}
""")
    world = World(told)
    world.step(300)
    assert world["lift"].position == pytest.approx((3, 2), abs=1e-6)
    assert world["crate"].position == pytest.approx((3, 2.35), abs=5e-3)


def test_a_held_key_moves_a_manual_animation_as_long_as_it_is_held() -> None:
    world = World(
        scene(MANUAL, "inputs: [{key: up, from: 0.5, to: 1}, {key: down, from: 2, to: 4}]")
    )
    world.step(30)
    assert world["lift"].y == 2
    world.step(30)
    assert world["lift"].y == pytest.approx(3, abs=1e-6)
    world.step(60)
    assert world["lift"].y == pytest.approx(3, abs=1e-6)
    world.step(120)  # 1.5 s would be enough: it stops at its end
    assert world["lift"].y == pytest.approx(0, abs=1e-6)


def test_one_that_returns_goes_back_as_fast_as_it_came() -> None:
    world = World(scene(RETURNS, "inputs: [{key: up, from: 0, to: 0.5}]"))
    world.step(30)
    assert world["lift"].y == pytest.approx(3, abs=1e-6)
    world.step(15)
    assert world["lift"].y == pytest.approx(2.5, abs=1e-6)
    world.step(60)
    assert world["lift"].y == pytest.approx(2, abs=1e-6)
    assert world["lift"].velocity == (0, 0)


def test_two_keys_of_opposite_ways_hold_it() -> None:
    world = World(scene(MANUAL, "inputs: [{key: up, from: 0, to: 2}, {key: down, from: 0, to: 2}]"))
    world.step(60)
    assert world["lift"].y == 2


def test_an_actuator_of_a_control_acts_only_while_its_key_is_held() -> None:
    world = World(scene("controls: {up: jet}", "inputs: [{key: up, from: 1, to: 1.5}]"))
    world.step(60)
    assert world["ship"].velocity == (0, 0)
    world.step(60)
    assert world["ship"].velocity[1] == pytest.approx(4 / 2 * 0.5, rel=1e-5)


def test_an_actuator_of_two_keys_acts_until_both_are_released() -> None:
    keys = "inputs: [{key: up, from: 0, to: 1}, {key: space, from: 0.5, to: 1.5}]"
    world = World(scene("controls: {up: jet, space: [jet]}", keys))
    world.step(180)
    assert world["ship"].velocity[1] == pytest.approx(4 / 2 * 1.5, rel=1e-5)


def test_spans_of_a_key_that_overlap_are_one() -> None:
    keys = "inputs: [{key: up, from: 0, to: 1}, {key: up, from: 0.5, to: 1.5}]"
    world = World(scene("controls: {up: jet}", keys))
    world.step(180)
    assert world["ship"].velocity[1] == pytest.approx(4 / 2 * 1.5, rel=1e-5)


def test_a_key_sets_objects_when_it_is_pressed_and_released() -> None:
    control = "controls: {b: {set: {jet.force: [0, 8]}, on_release: {jet.force: [0, -8]}}}"
    world = World(scene(control, "inputs: [{key: b, from: 1, to: 2}]"))
    for steps, force in ((60, 4.0), (60, 8.0), (60, -8.0)):
        world.step(steps)
        assert world.actuator("jet").now.force == (0.0, force)


def test_inputs_set_objects_at_their_time() -> None:
    world = World(scene("inputs: [{at: 1, set: {ship.velocity: [3, 0], world.gravity: [0, -2]}}]"))
    world.step(61)
    assert world["ship"].velocity[0] == pytest.approx(3)
    assert world["ship"].velocity[1] == pytest.approx((4 / 2 - 2) * DT, abs=1e-6)


def test_keys_can_be_pressed_by_a_program() -> None:
    world = World(scene(MANUAL))
    world.controls.press("up")
    world.controls.press("up")  # as a keyboard repeats it
    world.step(30)
    world.controls.release("up")
    world.step(30)
    assert world["lift"].y == pytest.approx(3, abs=1e-6)
    with pytest.raises(UnknownNameError, match="did you mean 'up'"):
        world.controls.press("upp")
    with pytest.raises(UsageError, match="no controls"):
        World(scene("")).controls.press("up")


def test_gravity_that_changes_wakes_what_sleeps() -> None:
    told = loads("""
rigid: 1
bodies:
  floor: {type: static, shape: {box: [9, 1]}, position: [0, -0.5]}
  crate: {shape: {box: [1, 1]}, position: [0, 0.5]}
inputs: [{at: 3, set: {world.gravity: [0, 4.9]}}]
""")
    world = World(told)
    world.step(180)
    assert not world["crate"].awake
    world.step(60)
    assert world["crate"].y == pytest.approx(0.5 + 0.5 * 4.9, rel=2e-2)
    assert world.energy()[1] < 0  # it falls upwards


def test_surfaces_change_for_what_touches_already() -> None:
    told = loads("""
rigid: 1
materials: {ice: {friction: 0}}
bodies:
  floor: {type: static, shape: {box: [99, 1]}, position: [0, -0.5], friction: 0.5}
  puck: {shape: {box: [0.5, 0.5]}, position: [0, 0.25], velocity: [5, 0], material: ice}
inputs: [{at: 1, set: {materials.ice.friction: 0.5}}]
""")
    world = World(told)
    world.step(60)
    assert world["puck"].velocity[0] == pytest.approx(5, abs=1e-4)
    world.step(30)
    assert world["puck"].velocity[0] == pytest.approx(5 - 0.5 * 9.81 * 0.5, rel=1e-2)


def test_a_material_is_set_where_one_of_its_bodies_is_gone() -> None:
    told = loads("""
rigid: 1
materials: {ice: {friction: 0}}
bodies:
  floor: {type: static, shape: {box: [99, 1]}, position: [0, -0.5], friction: 0.5}
  first: {shape: {box: [0.5, 0.5]}, position: [9, 0.25], material: ice}
  puck: {shape: {box: [0.5, 0.5]}, position: [0, 0.25], velocity: [5, 0], material: ice}
events:
  - {when: time, at: 0.5, do: [{delete: first}]}
  - {when: time, at: 1, do: [{set: {materials.ice.friction: 0.5}}]}
""")
    world = World(told)
    world.step(90)
    assert world["puck"].velocity[0] == pytest.approx(5 - 0.5 * 9.81 * 0.5, rel=3e-2)


def test_a_category_that_changes_lets_a_body_fall_through() -> None:
    told = loads("""
rigid: 1
collision: {categories: [solid, ghost], ignore: [[solid, ghost]]}
bodies:
  floor: {type: static, shape: {box: [9, 1]}, position: [0, -0.5], category: solid}
  crate: {shape: {box: [1, 1]}, position: [0, 0.5], category: solid}
inputs: [{at: 3, set: {crate.category: ghost}}]
""")
    world = World(told)
    world.step(180)
    assert world["crate"].y == pytest.approx(0.5, abs=1e-2)
    world.step(60)
    assert world["crate"].y == pytest.approx(0.5 - 9.81 / 2, rel=2e-2)


LIVELY = """
animations:
  wave: {type: loop, duration: 0.7, tracks: {hinge.motor.position: [[0, 0], [0.5, 45], [1, 0]]}}
  hoist: {type: manual, duration: 2, start: 0.5, return_to: 0.2,
          tracks: {lift.position: [[0, [5, 0]], [1, [5, 4]]]}}
controls: {up: [hoist.forward, jet], down: hoist.backward, x: {set: {ship.gravity_scale: 0.5}}}
"""
PLAYER = """
inputs:
  - {key: up, from: 0.3, to: 1.4}
  - {key: down, from: 1.2, to: 2.1}
  - {key: x, from: 1.7, to: 1.9}
  - {at: 1.5, set: {world.gravity: [0, -1], ship.friction: 0.1}}
"""


@pytest.mark.parametrize("at", [0, 1, 17, 20, 84, 100, 126, 150])
def test_a_world_that_was_saved_or_forked_goes_on_alike(at: int) -> None:
    told = scene(LIVELY, PLAYER)
    world, other = World(told), World(told)
    world.step(at)
    other.restore(world.save())
    fork = world.fork()
    for each in (world, other, fork):
        each.step(200)
    assert world.state_hash() == other.state_hash() == fork.state_hash()
    assert world.save() == other.save() == fork.save()


def test_a_restored_world_forgets_its_own_keys() -> None:
    told = scene(LIVELY)
    world = World(told)
    state = world.save()
    world.controls.press("up")
    world.step(30)
    world.restore(state)
    world.step(60)
    fresh = World(told)
    fresh.step(60)
    assert world.state_hash() == fresh.state_hash()


def test_stepping_in_blocks_of_any_size_gives_the_same() -> None:
    told = scene(LIVELY, PLAYER)
    hashes = set()
    for block in (1, 7, 200):
        world = World(told)
        done = 0
        while done < 200:
            world.step(min(block, 200 - done))
            done += min(block, 200 - done)
        hashes.add(world.state_hash())
    assert len(hashes) == 1


@pytest.mark.parametrize(("threads", "lanes"), [(2, 0), (1, 1), (1, 4)])
def test_threads_and_lanes_change_no_bit(threads: int, lanes: int) -> None:
    told = scene(LIVELY, PLAYER)
    first, second = World(told), World(told, threads=threads, lanes=lanes)
    first.step(200)
    second.step(200)
    assert first.state_hash() == second.state_hash()


def test_a_trace_has_what_the_world_does() -> None:
    told = scene(LIVELY, PLAYER)
    world = World(told)
    trace = simulate(told)
    world.step(told.world.steps)
    assert trace["lift"].y[-1] == world["lift"].y
    assert np.ptp(trace["arm"].angle) > 0.7


def test_a_joint_that_broke_is_set_no_more() -> None:
    told = loads("""
rigid: 1
world: {gravity: [0, 0]}
bodies:
  base: {type: static, shape: {box: [0.1, 0.1]}}
  arm: {shape: {box: [2, 0.2]}, position: [1, 0]}
joints:
  hinge: {type: revolute, bodies: [base, arm], anchor: [0, 0], motor: {position: 0}}
animations:
  wave: {type: loop, duration: 2, tracks: {hinge.motor.position: [[0, 0], [0.5, 45], [1, 0]]}}
inputs: [{at: 2, set: {hinge.motor.position: 1}}]
""")
    world = World(told)
    world.step(30)
    world.remove("hinge")
    world.step(120)
    assert world["arm"].alive


@pytest.mark.parametrize("text", ["", "# nobody plays\n"])
def test_an_empty_file_of_inputs_is_told_what_it_should_be(tmp_path: Path, text: str) -> None:
    (tmp_path / "player.yaml").write_text(text)
    with pytest.raises(SceneError, match=r"the file is empty; a file of inputs is a list such as"):
        loads("rigid: 1\nbodies: {a: {shape: {circle: 1}}}", inputs=tmp_path / "player.yaml")


def test_inputs_of_a_file_replace_those_of_the_scene(tmp_path: Path) -> None:
    path, other = tmp_path / "lift.yaml", tmp_path / "run.yaml"
    path.write_text(scene(MANUAL, "inputs: [{key: up, from: 0, to: 1}]").text, encoding="utf-8")
    other.write_text("- {key: down, from: 0, to: 1}\n", encoding="utf-8")
    world = World(load(path, inputs=other))
    world.step(60)
    assert world["lift"].y == pytest.approx(0, abs=1e-6)
    other.write_text("inputs:\n  - {key: dwon, from: 0, to: 1}\n", encoding="utf-8")
    with pytest.raises(SceneError, match=r"run.yaml:2:11: inputs\[0\].key: .* did you mean `down`"):
        load(path, inputs=other)
