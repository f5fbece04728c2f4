# SPDX-License-Identifier: MIT
from __future__ import annotations

import csv
import math
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from rigid2d.core.errors import SimulationError, UsageError
from rigid2d.core.record import Recorder, read_npz, write_snapshot
from rigid2d.core.world import build, check_snapshot, frame_times, run, simulate, take_snapshot

BALL = """
world: {{gravity: [0, 0], {world}}}
bodies:
  ball: {{shape: {{circle: 0.5}}, velocity: [6, 0], angular_velocity: 60}}
{more}
"""


def ball(world: str = "duration: 1", more: str = "") -> str:
    return BALL.format(world=world, more=more)


def test_frames_come_at_the_scenes_rate_and_end_before_the_end(load):
    scene = load(ball())
    times = frame_times(scene)
    assert len(times) == 30
    np.testing.assert_allclose(times, np.arange(30) / 30)
    assert len(frame_times(scene, fps=25)) == 25
    assert len(frame_times(scene, steps=1, fps=1)) == 1
    with pytest.raises(UsageError, match="fps"):
        frame_times(scene, fps=0)


def test_more_frames_than_anybody_would_look_at_are_refused(load):
    scene = load(ball("dt: 1e9, steps: 2"))
    with pytest.raises(UsageError, match="limit is 1000000"):
        frame_times(scene)
    assert len(frame_times(scene, fps=1e-6)) == 2000


def test_on_a_screen_frames_are_counted_in_real_seconds(load):
    scene = load("units: screen\n" + ball("duration: 2000"))
    times = frame_times(scene)
    assert len(times) == 60
    assert times[1] == pytest.approx(1000 / 30)


@pytest.mark.parametrize("fps", [24, 30, 50, 60, 144, 1000])
def test_poses_between_steps_are_interpolated(load, fps):
    """A ball at constant speed is where its speed says in every frame, whatever the rate."""
    frames = list(run(load(ball()), fps=fps))
    t = np.array([frame.time for frame in frames])
    assert len(t) == fps
    np.testing.assert_allclose([frame.pose[0, 0] for frame in frames], 6 * t, atol=1e-5)
    angles = [frame.pose[0, 2] for frame in frames]
    np.testing.assert_allclose(angles, math.pi / 3 * t, atol=1e-5)


def test_a_frame_on_a_step_is_that_step_exactly(load):
    scene = load(ball())
    trace = simulate(scene)
    for frame in run(scene, fps=60):
        assert frame.pose[0, 0] == trace["ball"].x[frame.step]


def test_frames_at_given_times(load):
    frames = list(run(load(ball()), times=[0.0, 0.5, 1.0, 7.0]))
    assert [frame.step for frame in frames] == [0, 30, 60, 60]
    assert frames[2].pose[0, 0] == pytest.approx(6, abs=1e-4)


def test_how_frames_are_taken_does_not_change_the_motion(load):
    scene = load(ball(more="  wall: {type: static, shape: {box: [1, 9]}, position: [3, 0.2]}"))
    expected = simulate(scene)
    for fps in (7, 30, 111):
        recorder = Recorder(scene, trace=True)
        for _ in run(scene, fps=fps, recorder=recorder):
            pass
        assert recorder.trace.values.tobytes() == expected.values.tobytes()


def test_a_frame_tells_of_contacts_when_asked(load):
    scene = load(
        """
world: {duration: 1}
bodies:
  floor: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}
  box: {shape: {box: [1, 1]}, position: [0, 0.5], mass: 2}
"""
    )
    *_, last = run(scene, want_contacts=True)
    contacts = last.contacts
    assert contacts is not None
    assert set(contacts.bodies.ravel().tolist()) == {0, 1}
    assert contacts.normal_force.sum() == pytest.approx(2 * 9.81, rel=0.02)
    assert contacts.point.shape == contacts.normal.shape == (2, 2)
    *_, plain = run(scene)
    assert plain.contacts is None


def test_a_trace_has_the_start_and_every_step(load):
    trace = simulate(load(ball()))
    assert trace.steps.tolist() == list(range(61))
    assert trace.t[60] == pytest.approx(1)
    assert trace["ball"].x[0] == 0
    assert trace.channels[:3] == ("ball.x", "ball.y", "ball.angle")


def test_every_nth_step_is_recorded(load):
    text = ball(more="record: {every: 7, channels: [ball.x, world.time]}")
    trace = simulate(load(text))
    assert trace.steps.tolist() == list(range(0, 61, 7))
    np.testing.assert_allclose(trace.world.time, trace.t)
    full = simulate(load(ball()))
    assert trace["ball"].x.tolist() == full["ball"].x[::7].tolist()


def test_long_runs_cross_blocks_without_a_seam(load):
    trace = simulate(load(ball("steps: 1000")))
    assert trace.steps.tolist() == list(range(1001))
    np.testing.assert_allclose(trace["ball"].x, 0.1 * np.arange(1001), atol=1e-3)


def test_steps_may_be_fewer_than_the_scene_says(load):
    assert simulate(load(ball()), steps=10).steps[-1] == 10
    assert len(simulate(load(ball()), steps=0)) == 1
    with pytest.raises(UsageError, match="negative"):
        simulate(load(ball()), steps=-1)


def test_channels_of_every_kind_are_sampled(load):
    scene = load(
        ball(
            more="""
  nose: {shape: {circle: 0.1}, position: [0, 5], points: {tip: [1, 2]}}
joints:
  hinge: {type: revolute, bodies: [world, nose], anchor: [0, 5]}
record:
  channels: [ball.speed, ball.kinetic_energy, nose.points.tip.x, nose.points.tip.y, hinge.force,
             hinge.broken, world.bodies, ball.asleep]
"""
        )
    )
    trace = simulate(scene)
    assert trace["ball"].speed[-1] == pytest.approx(6, rel=1e-5)
    assert trace["nose.points.tip"].x[-1] == pytest.approx(1, abs=1e-4)
    assert trace["nose.points.tip"].y[-1] == pytest.approx(7, abs=1e-4)
    assert trace.world.bodies[-1] == 2
    assert trace["hinge"].broken[-1] == 0


def test_csv_is_the_trace(load, tmp_path):
    scene = load(ball(more="record: {every: 5}"))
    path = tmp_path / "out.csv"
    recorder = Recorder(scene, trace=True, csv=path)
    trace = simulate(scene, recorder=recorder)
    with path.open(newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["t", *trace.channels]
    table = np.array(rows, dtype=np.float64)
    assert table[:, 0].tobytes() == trace.t.tobytes()
    assert np.ascontiguousarray(table[:, 1:]).tobytes() == trace.values.tobytes()


def test_a_run_that_is_broken_off_leaves_no_file(load, tmp_path):
    scene = load(ball())
    frames = run(scene, recorder=Recorder(scene, csv=tmp_path / "out.csv"))
    next(frames)
    frames.close()
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_fails_leaves_no_file(load, tmp_path):
    scene = load(ball().replace("[6, 0]", "[1e9, 0]"))
    recorder = Recorder(scene, csv=tmp_path / "out.csv")
    with pytest.raises(SimulationError):
        simulate(scene, recorder=Recorder(scene, trace=True, csv=tmp_path / "out.csv"))
    recorder.abort()
    assert list(tmp_path.iterdir()) == []


def test_progress_goes_up_to_the_end(load):
    seen = []
    simulate(load(ball("steps: 700")), on_progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (700, 700)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})


def test_expectations_see_every_step_whatever_is_recorded(load):
    scene = load(
        ball(
            more="""
record: {every: 50, channels: [ball.x]}
expect:
  - {at: end, that: "=abs(ball.x - 6) < 0.001"}
  - {always: =ball.x < 3}
  - {eventually: "=abs(ball.x - 1.7) < 0.001"}
  - {eventually: =ball.x > 100}
  - {at: 0.5, body: ball, position: [3, 0], velocity: [6, 0], tolerance: 0.001}
  - {at: 0.5, body: ball, position: [3, 0.1], tolerance: 0.001}
  - {at: 0, that: =ball.x == 0}
"""
        )
    )
    recorder = Recorder(scene)
    for _ in run(scene, recorder=recorder):
        pass
    results = recorder.results
    assert [result.passed for result in results] == [True, False, True, False, True, False, True]
    assert results[1].step == pytest.approx(31, abs=1)
    assert results[1].values["ball.x"] >= 3
    assert results[2].step == 17
    assert results[3].step == 60


def test_a_snapshot_is_reproduced_and_a_change_is_found(load, tmp_path):
    scene = load(ball(more="  wall: {type: static, shape: {box: [1, 9]}, position: [3, 0]}"))
    path = tmp_path / "s.snapshot"
    write_snapshot(path, take_snapshot(scene))
    assert check_snapshot(scene, path) is None
    changed = load(ball(more="  wall: {type: static, shape: {box: [1, 9]}, position: [3.1, 0]}"))
    difference = check_snapshot(changed, path)
    assert difference is not None
    assert difference.step in range(6, 37)
    assert {body.name for body in difference.bodies} >= {"wall"}
    assert "the scene's physics is not the same" in str(difference)


def test_a_snapshot_with_frames_is_the_snapshot_without(load):
    scene = load(ball())
    recorder = Recorder(scene, checkpoints=True)
    for _ in run(scene, fps=7, recorder=recorder):
        pass
    assert recorder.snapshot == take_snapshot(scene)


def test_a_saved_trace_draws_the_same_frames(load, tmp_path):
    from rigid2d.core.record import frames_of_trace

    scene = load(ball())
    simulate(scene).save(str(tmp_path / "t.npz"))
    times = frame_times(scene)
    saved = list(frames_of_trace(scene, read_npz(tmp_path / "t.npz"), times))
    for frame, again in zip(run(scene), saved, strict=True):
        np.testing.assert_allclose(frame.pose, again.pose, atol=1e-9)
        assert frame.center.tolist() == again.center.tolist()


def test_memory_does_not_grow_with_the_length_of_a_run(load, tmp_path):
    """Streaming a run that is ten times as long takes no more memory."""
    peaks = []
    for steps in (2000, 20000):
        scene = load(ball(f"steps: {steps}"))
        recorder = Recorder(scene, csv=tmp_path / "out.csv")
        tracemalloc.start()
        for _ in run(scene, recorder=recorder, times=[0.0, steps / 120]):
            pass
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] * 1.5 + 50_000


def test_the_recorder_keeps_a_trace_only_when_asked(load):
    scene = load(ball())
    recorder = Recorder(scene)
    for _ in run(scene, recorder=recorder):
        pass
    with pytest.raises(UsageError, match="no trace was kept"):
        _ = recorder.trace
    assert isinstance(recorder.results, list)


def test_simulate_refuses_a_recorder_without_a_trace_before_the_first_step(load):
    scene = load(ball())
    steps: list[float] = []
    with pytest.raises(UsageError, match=r"keeps no trace; .*trace=True"):
        simulate(scene, recorder=Recorder(scene), before_step=lambda w: steps.append(w.time))
    assert steps == []


def test_an_unknown_channel_is_named_before_the_run(load, tmp_path: Path):
    import dataclasses

    scene = load(ball())
    bad = dataclasses.replace(scene, record=dataclasses.replace(scene.record, channels=("bal.x",)))
    with pytest.raises(UsageError, match="did you mean 'ball'"):
        simulate(bad)


def test_expectations_of_constants_need_no_channel(load):
    scene = load(ball(more="expect: [{always: =1 < 2}, {at: end, that: =2 < 1}]"))
    recorder = Recorder(scene)
    for _ in run(scene, recorder=recorder):
        pass
    assert [result.passed for result in recorder.results] == [True, False]


def test_a_recorder_for_another_number_of_steps_is_refused(load, tmp_path):
    scene = load(ball())
    recorder = Recorder(scene, csv=tmp_path / "out.csv")
    with pytest.raises(UsageError, match="is for 60 steps and the run has 10"):
        run(scene, steps=10, recorder=recorder)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("tolerance", "passed"), [(1.1, True), (0.9, False)])
def test_the_tolerance_of_an_angle_is_in_degrees_where_angles_are(load, tolerance, passed):
    """After a second at 60 degrees a second, 61 is off by one degree."""
    more = f"expect: [{{at: end, body: ball, angle: 61, tolerance: {tolerance}}}]"
    recorder = Recorder(load(ball(more=more)))
    for _ in run(recorder.scene, recorder=recorder):
        pass
    assert [result.passed for result in recorder.results] == [passed]


@pytest.mark.parametrize("times", [[1.0, 0.5], [-0.1], [math.nan], [0.5, math.inf]])
def test_times_that_do_not_ascend_are_refused(load, times):
    with pytest.raises(UsageError, match="must be finite, not negative, and ascend"):
        run(load(ball()), times=times)


def test_an_interrupt_leaves_no_file(load, tmp_path):
    scene = load(ball())

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    recorder = Recorder(scene, csv=tmp_path / "out.csv", trace=True)
    with pytest.raises(KeyboardInterrupt):
        simulate(scene, recorder=recorder, on_progress=interrupt)
    assert list(tmp_path.iterdir()) == []


def test_a_world_stepped_by_hand_gives_a_frame_of_its_moment(load):
    mouse = "joints: {hand: {type: mouse, body: ball, target: [1, 0], max_force: 0}}"
    world = build(load(ball(more=mouse)))
    assert world.frame().targets == {}
    world.step(30)
    world.joint("hand").set_target((2, 3))
    frame = world.frame()
    assert (frame.time, frame.step) == (0.5, 30)
    assert frame.pose[0, 0] == pytest.approx(3.0)
    assert frame.targets == {0: (2.0, 3.0)}
