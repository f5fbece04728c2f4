# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from rigid2d.core.errors import UsageError
from rigid2d.core.record import Trace, frames_of_trace
from rigid2d.core.scene import model


def test_a_channel_is_an_attribute_of_its_owner(trace: Trace) -> None:
    assert trace["ball"].x.tolist() == trace.values[:, 0].tolist()
    assert trace["ball"].x.dtype == np.float64
    assert trace["ball"]["x"].shape == trace.t.shape


def test_a_trace_iterates_over_its_owners(trace: Trace) -> None:
    assert list(trace) == ["ball", "box[0,1]"]
    assert "ball" in trace
    assert "cube" not in trace
    assert len(trace) == 3


def test_to_dict_has_the_time_and_every_channel(trace: Trace) -> None:
    table = trace.to_dict()
    assert list(table) == ["t", "ball.x", "box[0,1].y"]
    assert all(len(column) == 3 for column in table.values())


def test_an_unknown_owner_suggests_the_nearest(trace: Trace) -> None:
    with pytest.raises(UsageError, match="did you mean 'ball'"):
        trace["bal"]
    with pytest.raises(KeyError):
        trace["bal"]


def test_an_unknown_quantity_says_what_was_recorded(trace: Trace) -> None:
    with pytest.raises(AttributeError, match="known: x"):
        _ = trace["ball"].speed
    with pytest.raises(UsageError, match=r"ball\.speed"):
        trace.channel("ball.speed")


def state_trace(scene: model.Scene) -> Trace:
    """Both bodies move one unit in x a step, from 0 and from 10."""
    channels = tuple(f"{b}.{q}" for b in scene.bodies for q in ("x", "y", "angle", "vx"))
    steps = np.arange(5)
    values = np.zeros((5, 8))
    values[:, 0] = steps
    values[:, 4] = 10 + steps
    values[:, 3] = 2.0
    return Trace(
        channels,
        steps * 0.5,
        steps,
        values,
        scene_hash=scene.hash,
        dt=0.5,
        removed={"box[0,1]": 3},
        broken={"hinge": 2},
    )


def test_frames_of_a_trace_interpolate_poses(scene: model.Scene) -> None:
    frames = list(frames_of_trace(scene, state_trace(scene), times=[0.0, 0.75, 2.0]))
    assert [frame.pose[0, 0] for frame in frames] == [0.0, 1.5, 4.0]
    assert [frame.pose[1, 0] for frame in frames] == [10.0, 11.5, 14.0]
    assert frames[1].velocity[0].tolist() == [2.0, 0.0, 0.0]


def test_frames_of_a_trace_know_what_was_removed_and_broken(scene: model.Scene) -> None:
    frames = list(frames_of_trace(scene, state_trace(scene)))
    assert [bool(frame.alive[1]) for frame in frames] == [True, True, True, False, False]
    assert [bool(frame.joint_broken[0]) for frame in frames] == [False, False, True, True, True]


def test_frames_need_every_body_and_the_same_scene(scene: model.Scene, trace: Trace) -> None:
    with pytest.raises(UsageError, match=r"no ball\.x, \.y and \.angle"):
        next(frames_of_trace(scene, trace))
    trace.scene_hash = "other"
    with pytest.raises(UsageError, match="another scene"):
        next(frames_of_trace(scene, trace))


def test_the_name_of_a_channel_in_brackets_is_told_how_to_be_written(trace: Trace) -> None:
    with pytest.raises(UsageError, match=r"trace\['ball'\]\.x or trace\.channel\('ball\.x'\)"):
        trace["ball.x"]
