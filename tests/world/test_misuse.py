# SPDX-License-Identifier: MIT
"""What a game's developer or a teacher may try that cannot be, and what is said then."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import rigid2d.core
from rigid2d.core.errors import SimulationError, UsageError
from rigid2d.core.record.peaks import PeakRecorder, unbreakable
from rigid2d.core.render import Renderer, Survey

TEXT = """
rigid: 1
world: {duration: 0.2}
bodies:
  floor: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}
  ball: {shape: {circle: 0.5}, position: [0, 3]}
joints: {rope: {type: distance, bodies: [world, ball], anchor: [0, 5], rope: true}}
expect: [{always: =ball.y > 0}]
"""
OTHER = TEXT.replace("floor:", "wall: {type: static, shape: {circle: 1}}\n  floor:")


@pytest.fixture
def scene():
    return rigid2d.core.loads(TEXT)


@pytest.fixture
def world(scene):
    return rigid2d.core.build(scene)


def test_a_recorder_takes_one_run(scene):
    recorder = rigid2d.core.Recorder(scene, trace=True)
    first = rigid2d.core.simulate(scene, recorder=recorder)
    with pytest.raises(UsageError, match="the recorder has had a run already; each run needs one"):
        rigid2d.core.simulate(scene, recorder=recorder)
    assert len(recorder.trace) == len(first) == 13


def test_a_recorder_in_use_is_not_disturbed_by_a_second_run(scene, tmp_path):
    recorder = rigid2d.core.Recorder(scene, csv=tmp_path / "a.csv")
    frames = rigid2d.core.run(scene, recorder=recorder, fps=10)
    next(frames)
    with pytest.raises(UsageError, match="has had a run already"):
        rigid2d.core.run(scene, recorder=recorder)
    list(frames)
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 14


def test_a_recorder_is_for_its_own_scene(scene, tmp_path):
    recorder = rigid2d.core.Recorder(rigid2d.core.loads(OTHER), csv=tmp_path / "a.csv")
    with pytest.raises(UsageError, match="the recorder is for another scene"):
        rigid2d.core.run(scene, recorder=recorder)
    assert list(tmp_path.iterdir()) == []


def test_peaks_are_recorded_of_scenes_that_hold(scene):
    recorder = PeakRecorder(unbreakable(scene))
    rigid2d.core.simulate(unbreakable(scene), recorder=recorder)
    assert [peak.joint for peak in recorder.peaks] == ["rope"]


@pytest.mark.parametrize(
    ("what", "options"),
    [("trace", {"trace": True}), ("results", {}), ("snapshot", {"checkpoints": True})],
)
def test_before_a_run_there_is_nothing_to_read(scene, what, options):
    recorder = rigid2d.core.Recorder(scene, **options)
    with pytest.raises(UsageError, match="yet: the recorder has had no run"):
        getattr(recorder, what)
    list(rigid2d.core.run(scene, recorder=recorder))
    assert getattr(recorder, what)


def test_a_snapshot_has_to_be_asked_for(scene):
    recorder = rigid2d.core.Recorder(scene)
    list(rigid2d.core.run(scene, recorder=recorder))
    with pytest.raises(UsageError, match="ask for one with Recorder"):
        _ = recorder.snapshot


def test_what_ran_before_a_failure_can_be_read():
    text = TEXT.replace("position: [0, 3]", "position: [0, 3], velocity: [1e8, 0]")
    scene = rigid2d.core.loads(text.replace("joints: ", "").replace("{rope: ", "# "))
    recorder = rigid2d.core.Recorder(scene, trace=True)
    with pytest.raises(SimulationError):
        rigid2d.core.simulate(scene, recorder=recorder)
    assert len(recorder.trace) == 2


def test_a_failure_is_told_in_the_same_words_whatever_is_set_afterwards(scene):
    text = TEXT.replace("position: [0, 3]", "position: [0, 3], velocity: [1e8, 0]")
    world = rigid2d.core.build(
        rigid2d.core.loads(text.replace("joints: ", "").replace("{rope: ", "#"))
    )
    told = []
    for _ in range(2):
        with pytest.raises(SimulationError) as caught:
            world.step()
        told.append(str(caught.value))
        world["ball"].velocity = (0, 0)
    assert told[0] == told[1]
    assert "it moves at 1e+08 m/s" in told[0]


def test_a_text_is_no_vector(world):
    with pytest.raises(UsageError, match=r"expected two numbers \(x, y\) for force, got 'up'"):
        world["ball"].apply_force("up")


def test_a_static_body_has_no_velocity(world):
    for name, value in (("velocity", (1, 0)), ("angular_velocity", 1.0)):
        with pytest.raises(UsageError, match="body 'floor' is static and has no velocity"):
            setattr(world["floor"], name, value)
    for push in ("apply_force", "apply_impulse", "apply_torque", "apply_angular_impulse"):
        with pytest.raises(UsageError, match="body 'floor' is static"):
            getattr(world["floor"], push)((1, 0) if push[6:] in ("force", "impulse") else 1)
    world["floor"].position = (0, -1)
    assert world["floor"].y == -1


@pytest.mark.parametrize("events", ["", "events: [{when: time, at: 9, do: [{log: x}]}]\n"])
def test_a_static_body_of_a_batch_has_no_velocity_until_it_has_another_type(events):
    floor = "floor: {type: static, shape: {box: [9, 1]}}"
    text = f"rigid: 1\nbodies: {{{floor}, ball: {{shape: {{circle: 1}}, position: [0, 5]}}}}\n"
    batch = rigid2d.core.Batch(rigid2d.core.loads(text + events), 2)
    for name, value in (("floor.velocity", [1, 0]), ("floor.vx", 1), ("floor.omega", 1)):
        with pytest.raises(UsageError, match="'floor' is static and has no velocity"):
            batch.set(name, value)
    batch.set("floor.type", 1)
    batch.set("floor.velocity", [1, 0])
    batch.step(60)
    assert batch.world(1)["floor"].x > 0.9


def test_a_field_of_a_batch_is_told_to_be_the_same_in_all_worlds():
    text = "rigid: 1\nbodies: {ball: {shape: {circle: 1}}}\nactuators: "
    scene = rigid2d.core.loads(text + "{wind: {type: field, body: ball, field: [1, 0]}}")
    with pytest.raises(UsageError, match="the field 'wind' is the same in all worlds of a batch"):
        rigid2d.core.Batch(scene, 2).set("wind.enabled", 0)


def test_a_world_knows_its_bodies_as_a_mapping_does(world):
    assert "ball" in world
    assert "rope" not in world
    assert 3 not in world
    assert list(world) == ["floor", "ball"]
    assert len(world) == 2


def test_a_body_is_no_joint(world):
    with pytest.raises(UsageError, match=r"'ball' is a body; use world\['ball'\]"):
        world.joint("ball")
    with pytest.raises(UsageError, match="no actuator named 'jet'; there are none"):
        world.actuator("jet")


def test_a_frame_of_another_scene_is_not_drawn(scene):
    frame = rigid2d.core.build(rigid2d.core.loads(OTHER)).frame()
    message = "the frame is of another scene: it has 3 bodies, the scene 2"
    with pytest.raises(UsageError, match=message):
        Renderer(scene, size=(64, 64)).draw(frame)
    with pytest.raises(UsageError, match=message):
        Survey(scene, [frame])


def test_a_text_is_no_name_of_a_file():
    with pytest.raises(rigid2d.core.SceneError, match="`loads` takes the text of a scene"):
        rigid2d.core.load(TEXT)


@pytest.mark.parametrize("value", ["90", b"90", True])
def test_the_text_of_a_number_is_no_number(world, value):
    ball = world["ball"]
    calls = (
        lambda: setattr(ball, "angle", value),
        lambda: setattr(ball, "position", (value, 0)),
        lambda: ball.apply_torque(value),
        lambda: ball.set("friction", value),
        lambda: world.set("ball.angular_velocity", value),
        lambda: world.add_to("ball.velocity.x", value),
    )
    for call in calls:
        with pytest.raises(UsageError, match=r"expected a number for .*, got "):
            call()


def test_bytes_are_no_vector(world):
    with pytest.raises(UsageError, match="expected two numbers"):
        world["ball"].position = b"12"


@pytest.mark.parametrize("values", ["12", ["1", "2"], [1, "2"], np.array(["1", 2], object)])
def test_a_batch_takes_no_texts_as_numbers(scene, values):
    with pytest.raises(UsageError, match="a value must be a number, not a text"):
        rigid2d.core.Batch(scene, 3).set("ball.velocity", values)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda w: w.set("world.dt", 1), "no setting of the world named 'dt'; known: gravity, poo"),
        (lambda w: w.set("materials.oak.friction", 1), "no material named 'oak'; known: ice"),
        (lambda w: w.set("materials.ice.mass", 1), "no setting of the material ice named 'mass'"),
        (lambda w: w.remove(w["ball"]), "the name of a body, a joint or an actuator: 'ball'"),
        (lambda w: w.step(1 / 60), "a whole number of steps, each of the scene's `world.dt`"),
        (copy.deepcopy, r"neither copied nor pickled: fork\(\) is a second world"),
        (pickle.dumps, r"save\(\) gives the state as bytes"),
        (
            lambda w: w.joint("rope").set_spring(frequency=3),
            r"give spring as Spring\(frequency=...\)",
        ),
    ],
)
def test_an_impossible_call_names_the_possible_one(call, words):
    pool = "world: {pools: {lake: {region: [[-5, -9], [5, -8]], density: 1}}, "
    text = TEXT.replace("world: {", pool) + "materials: {ice: {friction: 0}}\n"
    with pytest.raises(UsageError, match=words):
        call(rigid2d.core.build(rigid2d.core.loads(text)))
