# SPDX-License-Identifier: MIT
"""Scripts that run in the engine: with the bits, saved states and events of Python's."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rigid2d.core import Batch, World, _native, load, loads
from rigid2d.core.errors import SimulationError
from rigid2d.core.record.recorder import Recorder
from rigid2d.core.scene.values.expression import Expression
from rigid2d.core.scene.values.row_program import EXACT, instructions_of
from rigid2d.core.world import run
from rigid2d.core.world.script import player_of

from tests.scripts import alone, changed, go, program, step_alike, told, try_to_go

SCENES = Path(__file__).parents[2] / "scenes"

# Every stage, and in each of them something that Python does.
ALL = """
rigid: 1
world: {dt: 0.02, seed: 7, bounds: [[-20, -9], [20, 30]]}
state: {n: 0, sum: 0, held: 0}
prototypes: {drop: {bodies: {dot: {shape: {circle: 0.2}, tags: [drop]}}}}
bodies:
  ground: {type: static, shape: {box: [30, 1]}, position: [0, -0.5], tags: [ground]}
  gate: {type: static, shape: {box: [30, 0.3], sensor: true}, position: [0, 2]}
  ball: {repeat: {i: 4}, shape: {circle: 0.4}, position: ["=-4 + 2*i", "=3 + i"], tags: [ball]}
  lift: {type: kinematic, shape: {box: [1, 0.2]}, position: [-8, 2]}
  post: {type: static, shape: {circle: 0.1}, position: [9, 3]}
  arm: {shape: {box: [2, 0.2]}, position: [9, 3]}
joints:
  hinge: {type: revolute, bodies: [post, arm], anchor: [9, 3],
    motor: {speed: 10, max_torque: 50}, collide: false}
  rope: {type: distance, bodies: ['ball[0]', world], anchors: [[0, 0], [-4, 8]],
    min_length: 0.1, max_length: 6}
  coil: {type: distance, bodies: ['ball[3]', world], anchors: [[0, 0], [2, 9]],
    spring: {frequency: 2}}
actuators:
  jet: {type: thruster, body: arm, force: [0, 2], enabled: false}
  spin: {type: rotary_motor, body: 'ball[0]', speed: 90, max_torque: 3}
animations:
  ride: {type: loop, duration: 1, curve: cubic, tracks: {lift.position: [[0, [-8, 2]],
    [0.5, [-8, 3]], [1, [-8, 2]]], rope.max_length: [[0, 6],
    [0.6, 2.5], [1, 6]]}}
  lean: {type: manual, duration: 0.4, return_to: 0, tracks: {hinge.motor.speed: [[0, 10], [1, 40]]}}
events:
  - {when: time, at: 0.1, every: 0.13, do: [{add: {n: 1, sum: "=uniform(0, 2)",
      coil.spring.frequency: 0.5, rope.min_length: 0.1}}, {set: {coil.spring.damping_ratio: 0.3,
      'ball[3].type': kinematic, 'ball[3].visible': "=state.n > 3"}}]}
  - {when: collision, tags: [ball, ground], if: "=$a.vy < 3", do: [{add: {sum: =$impulse}},
      {impulse: {body: $a, impulse: ["=normal(0, 1)", 2], at: $point}}, {sound: tick}]}
  - {when: collision, tags: [ball, ball], once_per: pair, do: [{log: met}]}
  - {when: sensor_enter, bodies: [gate, 'ball[1]'], after: 0.1, do: [
      {set: {'ball[1].velocity.x': 2, spin.enabled: false, state.held: "=choice(1, 2, 3)"}}]}
  - {when: leave, tags: [ball], region: [[-9, -2], [9, 9]], do: [{log: left}]}
  - {when: "=state.n > 3 and ball[0].y < 5", do: [{set: {world.gravity: [1, -9]}}, {play: ride}]}
  - {when: "=state.n > 5", cooldown: 1, do: [{destroy: {body: 'ball[3]', count: 2}}, {log: broke}]}
spawners: {sky: {use: drop, every: 0.31, at: ["=uniform(-3, 3)", 6], lifetime: 0.5}}
controls:
  up: {hold: jet, do: [{add: {held: 1}}], every: 0.1}
  left: lean.forward
  right: {set: {hinge.motor.max_torque: 9}}
inputs:
  - {key: up, from: 0.2, to: 0.9}
  - {key: left, from: 0.3, to: 0.6}
  - {drag: 'ball[2]', from: 0.5, to: 0.8, path: [[0.5, 0, 5], [0.7, 2, 6]], max_force: 90}
  - {at: 1.1, set: {jet.force: [0, 9]}}
outcome: {win: "=state.n >= 12"}
"""


@pytest.mark.parametrize("stride", [1, 7, 90])
def test_a_native_script_has_the_bits_of_pythons(stored: Any, stride: int) -> None:
    scene = loads(ALL)
    here, there = stored(scene), World(scene)
    for world in (here, there):
        world.events.enable_births()
    while here.step_count < 90:
        for world in (here, there):
            world.step(min(stride, 90 - world.step_count))
        assert told(here) == told(there)
        assert (here.state, here.outcome) == (there.state, there.outcome)
    assert here.save() == there.save()
    assert there.statistics()["script_steps"] == there.step_count


def test_it_goes_on_from_a_saved_state_and_a_fork(stored: Any) -> None:
    scene = loads(ALL)
    whole = stored(scene)
    whole.step(80)
    for step in (13, 30, 41):
        half = World(scene)
        half.step(step)
        later, fork = World(scene), half.fork()
        later.restore(half.save())
        for world in (half, later, fork):
            world.step(80 - step)
            assert world.save() == whole.save()


def test_settings_and_keys_from_outside_count(stored: Any) -> None:
    scene = loads(ALL)
    here, there = stored(scene), World(scene)
    for world in (here, there):
        world.step(10)
        world.set("jet.force", (1, 3))
        world.set("hinge.motor.speed", 0.5)
        world.controls.press("left")
        world.step(10)
        world.controls.release("left")
        world.add_to("jet.force.x", 2)
        world.step(20)
    assert here.save() == there.save()


def test_what_a_player_does_now_counts(stored: Any) -> None:
    scene = loads(ALL)
    here, there = stored(scene), World(scene)
    for world in (here, there):
        world.step(11)
        player = player_of(world)
        player.press("right", 12)
        world.step(4)
        player.release("right", 16)
        grab = player.grab("ball[1]", (0.1, 0.0), (0.0, 4.0), 50.0, 20)
        world.step(9)
        player.let_go(grab, 25)
        world.step(20)
    assert here.save() == there.save()


def test_recorded_rows_are_those_that_are_stored(stored: Any) -> None:
    scene = loads(
        ALL + "record: {channels: ['ball[0]', state, hinge, tags.ball.count], every: 3}\n"
    )
    recorder = Recorder(scene, steps=90, trace=True, check=False)
    frames = list(run(scene, steps=90, times=[0.1, 0.533, 1.7], recorder=recorder))
    trace = recorder.trace
    stored.keep((trace.channels, trace.values.tolist(), [*trace.events]))
    stored.keep(([frame.pose.tolist() for frame in frames], recorder.state_hash))


def test_a_recorded_run_stops_at_its_end() -> None:
    scene = loads(
        "rigid: 1\nstate: {n: 0}\nbodies: {ball: {shape: {circle: 1}}}\nworld: {dt: 0.01}\n"
        "events: [{when: time, at: 0.1, every: 0.1, do: [{add: {n: 1}}]}]\n"
        "outcome: {win: =state.n >= 3}\nrecord: {channels: [state]}\n"
    )
    recorder = Recorder(scene, steps=200, trace=True, check=False)
    assert len(list(run(scene, steps=200, times=(), recorder=recorder))) == 0
    assert (recorder.ended, recorder.outcome) == (30, "win")
    assert recorder.trace.steps[-1] == 30


def test_worlds_of_a_batch_have_the_bits_of_one(stored: Any) -> None:
    scene = loads(ALL)
    whole = stored(scene)
    whole.step(60)
    batch = Batch(scene, 3, threads=2)
    batch.step(25)
    batch.reset(np.array([False, True, False]))
    batch.step(35)
    assert batch.world(0).save() == whole.save() == batch.world(2).save()
    batch.step(25)
    assert batch.world(1).save() == whole.save()
    assert batch.read(["state.n"])[1, 0] == whole.state["n"]


@pytest.mark.parametrize(
    "name",
    [
        *("games/pong", "games/motorbike", "living/kicks", "living/lock", "living/geyser"),
        *("living/coin_run", "figures/lever", "tutorial/10_game", "tasks/walker"),
        *("living/trapdoor",),
    ],
)
def test_scenes_have_the_bits_of_python(name: str, stored: Any) -> None:
    scene = load(SCENES / f"{name}.yaml")
    here, there = stored(scene), World(scene)
    for world in (here, there):
        world.step(80)
    assert here.save() == there.save()
    assert told(here) == told(there)


@pytest.mark.parametrize(
    ("source", "values"),
    [
        ("uniform(a, b) if a > 0 else uniform(b, a)", {"a": 1.0, "b": 4.0}),
        ("randint(a, 9) + choice(1, b, 3) * normal(0, 2)", {"a": -2.4, "b": 4.0}),
        ("randint(-1e15, 1e15)", {}),
        ("hypot(a, b, 2) + min(a, b, -1) // 0.3", {"a": 1.5, "b": 4.0}),
    ],
)
def test_an_expression_alone_has_the_bits_of_python(source: str, values: dict[str, float]) -> None:
    dt, seeds = "world: {dt: 0.1, seed: %d}\n", (0, 3, 123456789)
    for seed in seeds:
        variables = ", ".join(f"{name}: {value!r}" for name, value in values.items())
        renamed = Expression(source).renamed(lambda name: f"state.{name}")
        scene = loads(
            f"rigid: 1\n{dt % seed}state: {{result: 0{', ' + variables if variables else ''}}}\n"
            f"bodies: {{ball: {{shape: {{circle: 1}}}}}}\n"
            f"events: [{{when: time, every: 0.1, at: 0.1, do: [{{set: {{state.result: "
            f'"={renamed}"}}}}]}}]\n'
        )
        world = World(scene)
        for use in range(3):
            world.step()
            path = f"events[0].do[0].set.state.result#{use}"
            wanted = Expression(source).evaluate(values, seed=seed, path=path)
            assert world.state["result"] == wanted


def test_errors_are_those_of_python(stored: Any) -> None:
    scene = loads(
        "rigid: 1\nstate: {n: 2}\nbodies: {ball: {shape: {circle: 1}}}\n"
        "events: [{when: time, every: 0.5, do: [{add: {n: -1}}, {set: {ball.velocity: "
        "['=1 / state.n', 0]}}]}]\n"
    )
    found = []
    for world in (stored(scene), World(scene)):
        with pytest.raises(SimulationError) as error:
            world.step(200)
        found.append((str(error.value), error.value.step, world.state))
    assert found[0] == found[1]


# ------------------------------------------------------------ births and removals

# Every way to be born and to go; nothing of it needs Python.
BORN = """
rigid: 1
world: {dt: 0.02, seed: 3, bounds: [[-12, -4], [12, 20]]}
state: {n: 0, gone: 0, sum: 0}
prototypes:
  drop: {bodies: {dot: {shape: {circle: 0.2}, tags: [drop]}}}
  pair:
    bodies:
      left: {shape: {box: [0.4, 0.2]}, position: [-0.3, 0], angle: 10, velocity: [0, 1]}
      right: {shape: {box: [0.4, 0.2]}, position: [0.3, 0], tags: [drop], points: {tip: [0.2, 0]}}
    joints: {pin: {type: revolute, bodies: [left, right], anchor: [0, 0]}}
bodies:
  ground: {type: static, shape: {box: [30, 1]}, position: [0, -0.5], tags: [ground]}
  gate: {type: static, shape: {box: [4, 0.3], sensor: true}, position: [4, 2], tags: [gate]}
  wheel: {type: kinematic, shape: {circle: 0.5}, position: [-6, 5], angular_velocity: 90,
    velocity: [0.5, 0], points: {rim: [0.6, 0]}}
  ball: {repeat: {i: 6}, shape: {circle: 0.4}, position: ["=-5 + 2*i", "=3 + i"], tags: [ball]}
joints:
  rod: {type: distance, bodies: ['ball[0]', 'ball[1]']}
actuators:
  push: {type: force, bodies: ['ball[2]', 'ball[3]'], force: [0.5, 0]}
  roll: {type: rotary_motor, body: 'ball[4]', speed: 90, max_torque: 3}
spawners:
  rain: {use: drop, every: 0.011, until: 0.9, at: ["=uniform(-9, 9)", 9],
    velocity: ["=$at.x / 9", 0], lifetime: "=uniform(0.1, 0.6)"}
  twins: {use: pair, every: 0.17, at: [3, "=6 + state.n / 10"], angle: "=normal(0, 40)",
    scale: 1.5, mirror: x, alive: 3, lifetime: 0.8}
  off: {use: drop, every: 0.23, frame: wheel, at: [0.8, 0], velocity: [1, 0], angle: 5}
  tight: {use: drop, every: 0.09, at: ["=uniform(-4, 4)", "=uniform(0.3, 2)"], if_free: true,
    max_tries: 3, if: "=state.n < 40"}
events:
  - {when: collision, tags: [drop, ground], if: "=$a.vy < 0", do: [
      {delete: $a}, {add: {n: 1, sum: =$a.x}},
      {spawn: {use: drop, name: spark, at: $a, velocity: ["=uniform(-2, 2)", "=$a.vx + 3"],
        lifetime: 0.2}}]}
  - {when: collision, tags: [ball, ground], once_per: pair, after: 0.1, do: [
      {spawn: {use: pair, at: [0, 4], frame: $a, pivot: bottom_left}}, {log: fell}, {delete: $a}]}
  - {when: deleted, tags: [drop], do: [{add: {gone: 1, sum: =$point.y}}]}
  - {when: deleted, joint: rod, do: [{log: broke}]}
  - {when: leave, tags: [drop], region: [[-11, -2], [11, 12]], do: [{add: {gone: 100}}]}
  - {when: sensor_enter, tags: [gate, drop], cooldown: 0.3, do: [
      {spawn: {use: drop, name: jet, at: wheel.points.rim, frame: wheel}}]}
  - {when: "=state.n > 15", do: [{delete: tags.drop}, {delete: 'ball[5]'}, {detach: rod},
      {delete: push}, {delete: roll}, {set: {roll.speed: 5}}]}
"""


@pytest.mark.parametrize("stride", [1, 11, 120])
def test_births_and_removals_have_the_bits_of_python(stored: Any, stride: int) -> None:
    scene = loads(BORN)
    assert program(scene).is_whole
    here, there = stored(scene), World(scene)
    if stride == 11:
        for world in (here, there):
            world.events.enable_births()
    step_alike(here, there, stride)
    assert here.state["n"] > 15
    assert here.state["gone"] > 100


def test_births_go_on_from_a_saved_state_and_after_changes(stored: Any) -> None:
    scene = loads(BORN)
    here, there = stored(scene), World(scene)
    for step in (23, 37, 61, 90):
        for world in (here, there):
            world.step(step - world.step_count)
        if step == 37:
            for world in (here, there):
                world.remove("ball[2]")
                world.add({"bodies": {"late": {"shape": {"circle": 0.3}, "tags": ["drop"]}}})
        assert here.save() == there.save()
        later = World(scene)
        later.restore(there.save())
        there = later


def test_recorded_births_are_those_that_are_stored(stored: Any) -> None:
    scene = loads(BORN + "record: {channels: ['ball[0]', tags.drop.count, state], every: 2}\n")
    recorder = Recorder(scene, steps=90, trace=True, check=False)
    frames = list(run(scene, steps=90, times=[0.1, 0.533, 1.7], recorder=recorder))
    trace = recorder.trace
    stored.keep((trace.channels, np.nan_to_num(trace.values).tolist(), [*trace.events]))
    stored.keep(([frame.pose.tolist() for frame in frames], recorder.state_hash))


def test_births_of_a_batch_have_the_bits_of_one(stored: Any) -> None:
    scene = loads(BORN)
    whole = stored(scene)
    whole.step(70)
    batch = Batch(scene, 2, threads=2)
    batch.step(70)
    assert batch.world(1).save() == whole.save()


# ------------------------------------------------------------ without Python

# All that the runner does itself.
WHOLE = (
    ALL[: ALL.index("  - {when: leave")]
    + """
  - {when: "=state.n > 3 and ball[0].y < 5", do: [{set: {world.gravity: [1, -9]}}, {stop: ride}]}
  - {when: actuator_start, actuator: jet, do: [{add: {held: 10, 'ball[2].velocity': [0, 1]}}]}
controls:
  up: {hold: jet, do: [{add: {held: 1}}], every: 0.1}
  left: lean.forward
  right: {set: {hinge.motor.max_torque: 9}, on_release: {do: [{log: released}]}}
inputs:
  - {key: up, from: 0.2, to: 0.9}
  - {key: left, from: 0.3, to: 0.6}
  - {key: right, from: 0.4, to: 0.7}
  - {at: 0.5, set: {jet.force: [0, 9], 'ball[0].velocity.x': 2}, do: [{log: pushed}]}
  - {at: 1.1, do: [{add: {sum: 5}}]}
outcome: {win: "=state.n >= 12"}
"""
)


def test_births_without_python_have_its_bits(stored: Any) -> None:
    scene = loads(BORN)
    engine, runner = alone(scene)
    world = stored(scene)
    for step in (1, 40, 100):
        world.step(step - world.step_count)
        go(engine, runner, step)
        assert engine.state_hash() == world.state_hash()
        assert runner.variables == [*world.state.values()]


def test_a_whole_program_needs_no_python(stored: Any) -> None:
    scene = loads(WHOLE)
    engine, runner = alone(scene)
    world = stored(scene)
    for step in (1, 15, 40, 90):
        world.step(step - world.step_count)
        go(engine, runner, step)
        assert engine.state_hash() == world.state_hash()
        assert runner.variables == [*world.state.values()]
    assert runner.ending[0] >= 0
    assert world.outcome == "win"


@pytest.mark.parametrize("scene", [WHOLE, BORN])
def test_a_run_without_python_goes_on_from_a_saved_state(scene: str) -> None:
    given = loads(scene)
    engine, runner = alone(given)
    go(engine, runner, 37)
    state, script = engine.save(), runner.save()
    go(engine, runner, 90)
    again, other = alone(given)
    go(again, other, 5)
    again.restore(state)
    other.restore(script)
    assert other.save() == script
    go(again, other, 90)
    assert again.save() == engine.save()
    assert other.save() == runner.save()


@pytest.mark.parametrize("scene", [WHOLE, BORN])
def test_changed_states_of_scripts_are_refused_or_run(scene: str) -> None:
    engine, runner = alone(loads(scene))
    go(engine, runner, 37)
    state, drawn, refused = runner.save(), random.Random(3), 0
    for _ in range(200):
        try:
            runner.restore(changed(state, 0, drawn))
            try_to_go(engine, runner, engine.step_count + 1)  # which may stop at a huge number
        except ValueError:
            refused += 1
        runner.restore(state)
    assert refused > 20
    for wrong in (b"", state[:-1], state + b"\0"):
        with pytest.raises(ValueError, match="damaged"):
            runner.restore(wrong)


def test_a_program_that_needs_python_does_not_begin_without_it() -> None:
    scene = loads(ALL.replace("{log: broke}", "{copy: {what: 'ball[0]', name: twin, by: [0, 1]}}"))
    found = program(scene)
    assert not found.is_whole
    runner = _native.ScriptRunner(_native.ScriptProgram(found.data), EXACT)
    with pytest.raises(ValueError, match="needs a host"):
        runner.begin(World(scene).native)


# ------------------------------------------------------------ bytes


def test_bytes_that_are_no_program_are_refused() -> None:
    data = program(loads(ALL)).data
    _native.ScriptProgram(data)
    for wrong in (b"", data[:-1], data + b"\0", b"other" + data, data[:40]):
        with pytest.raises(ValueError, match="program of the script"):
            _native.ScriptProgram(wrong)


@pytest.mark.parametrize("scene", [ALL, BORN])
def test_changed_bytes_end_in_an_error_or_run(scene: str) -> None:
    data, drawn, refused = program(loads(scene)).data, random.Random(5), 0
    for _ in range(400):
        try:
            _native.ScriptProgram(changed(data, 15, drawn))
        except ValueError:
            refused += 1
    assert refused > 100


def test_a_program_of_another_world_is_refused() -> None:
    code = _native.ScriptProgram(program(loads(ALL)).data)
    runner = _native.ScriptRunner(code, EXACT)
    other = World(loads("rigid: 1\nbodies: {ball: {shape: {circle: 1}}}\n"))
    nothing = np.empty((0, 2), np.int32)
    with pytest.raises(ValueError, match="of another world"):
        runner.run(other.native, 5, 0, nothing, np.empty((0, 0)), nothing)


def test_draws_need_an_expression_of_their_own() -> None:
    instructions, _ = instructions_of(Expression("uniform(a, 2)"), {"a": 0}, {})
    names = {code: name for name, code in _native.OPERATIONS.items()}
    assert [names[row[0]] for row in instructions] == ["load", "constant", "uniform", "result"]
