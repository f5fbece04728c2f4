# SPDX-License-Identifier: MIT
"""Runs as pages: from the command, from a trace, in a notebook; and how large they are."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rigid2d.core
from rigid2d.core.errors import UsageError
from rigid2d.core.jobs.filming import Filmer
from rigid2d.core.jobs.produce import produce
from rigid2d.core.jobs.targets import Look, Target
from rigid2d.core.page.film import Cast
from rigid2d.core.page.replay import Told, pack
from rigid2d.core.record import Recorder
from rigid2d.core.world import frame_times, run

from tests.page.pages import FAST, SMALL, frames_of, style_of
from tests.page.test_codes import Unpacked, unpacked_from

HUNDRED = """
rigid: 1
world: {duration: 8}
bodies:
  ground: {type: static, shape: {box: [20, 0.5]}, position: [0, -0.25]}
  wall: {type: static, repeat: {i: [-1, 1]}, shape: {box: [0.5, 10]}, position: [=10*i, 5]}
  ball:
    repeat: {i: 10, j: 10}
    shape: {circle: =0.3 + 0.02*j}
    position: [=-6 + 1.3*i + 0.1*j, =1 + 1.2*j]
    velocity: [=i - 4, 0]
"""

BIRTHS = """
rigid: 1
world: {duration: 2, gravity: [0, 0]}
prototypes:
  bullet: {bodies: {shot: {shape: {circle: 0.1}}}}
bodies:
  gun: {type: static, shape: {box: [1, 1]}}
spawners:
  shots: {use: bullet, every: 0.5, from: 0.25, at: [1, 0], velocity: [1, 0], max: 3}
"""


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'id="rigid-data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def arrays_of(page: str) -> Unpacked:
    found = re.search(r'id="rigid-film">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return unpacked_from(found[1], data_of(page)["arrays"])


def run_to_page(text: str, path: Path, **options: Any) -> str:
    produce(rigid2d.core.loads(text), [Target("html", path)], **options)
    return path.read_text(encoding="utf-8")


def test_a_hundred_bodies_for_eight_seconds_take_less_than_a_megabyte(tmp_path: Path) -> None:
    page = run_to_page(HUNDRED, tmp_path / "a.html")
    assert len(data_of(page)["bodies"]) == 103
    assert len(page) < 1_000_000


def test_places_are_those_of_the_run_to_a_hundredth_of_a_pixel(tmp_path: Path) -> None:
    scene = rigid2d.core.loads(SMALL)
    frames = frames_of(scene)
    arrays = arrays_of(run_to_page(SMALL, tmp_path / "a.html"))
    data = data_of((tmp_path / "a.html").read_text())
    rows = np.searchsorted(arrays["moment.time"].reshape(-1), [frame.time for frame in frames])
    x = np.array([frame.pose[:, 0] for frame in frames])
    assert np.abs(arrays["place"][rows, :3] - x).max() * data["scale"] < 0.01
    angle = np.array([frame.pose[:, 2] for frame in frames])
    assert np.abs(arrays["angle"][rows] - angle).max() < 1e-4


def test_what_is_smaller_than_a_pixel_has_its_place_too(tmp_path: Path) -> None:
    text = """
rigid: 1
world: {duration: 0.5, gravity: [0, 0]}
bodies:
  far: {shape: {circle: 1}, position: [1000000, 0]}
  speck: {shape: {circle: 0.001}, position: [0, 3], velocity: [0, 0.5]}
"""
    arrays = arrays_of(run_to_page(text, tmp_path / "a.html"))
    assert arrays["place"][-1, 3] == pytest.approx(3.25, abs=0.01)
    assert arrays["velocity"][-1, 3] == pytest.approx(0.5, abs=0.01)


def test_the_same_run_gives_the_same_page(tmp_path: Path) -> None:
    assert run_to_page(SMALL, tmp_path / "a.html") == run_to_page(SMALL, tmp_path / "b.html")


def test_marks_tell_events_and_expectations(tmp_path: Path) -> None:
    marks = data_of(run_to_page(SMALL, tmp_path / "a.html"))["marks"]
    assert [(mark["kind"], mark["time"]) for mark in marks] == [
        ("failed", pytest.approx(1.0)),
        ("held", pytest.approx(2.0)),
    ]


def test_a_page_ends_with_the_runs_last_moment(tmp_path: Path) -> None:
    times = arrays_of(run_to_page(SMALL, tmp_path / "a.html"))["times"]
    assert times[-1, 0] == pytest.approx(2.0)
    assert len(times) == 61


def test_a_look_gives_a_page_its_size_and_rate(tmp_path: Path) -> None:
    look = Look(size=(320, 240), fps=10.0, overlays=("grid",), theme="dark")
    data = data_of(run_to_page(SMALL, tmp_path / "a.html", look=look))
    assert data["size"] == [320, 240]
    assert data["theme"] == "dark"
    assert data["overlays"] == ["grid"]
    assert data["fps"] == 10.0


def test_what_comes_while_the_scene_runs_is_in_the_page(tmp_path: Path) -> None:
    page = run_to_page(BIRTHS, tmp_path / "a.html")
    names = [body["name"] for body in data_of(page)["bodies"]]
    state = arrays_of(page)["state"]
    born = [name for name in names if name != "gun"]
    assert len(born) == 3
    for name in born:
        there = state[:, names.index(name)] > 0
        assert not there[0]
        assert there[-1]


def test_texts_with_values_are_in_the_page(tmp_path: Path) -> None:
    text = SMALL + 'annotations: [{text: "height {ball.y:.1f}", corner: top_left, until: 1}]\n'
    page = run_to_page(text, tmp_path / "a.html")
    data, shown = data_of(page), arrays_of(page)["note.text"][:, 0].astype(int)
    assert data["texts"][shown[0] - 1] == "height 2.0"
    assert data["texts"][shown[15] - 1] == "height 0.8"  # 2 - g/8 after half a second
    assert shown[31] == 0


def test_a_dimension_is_where_its_ends_are(tmp_path: Path) -> None:
    text = SMALL + "annotations: [{dimension: [ball, [0, 2]]}]\n"
    page = run_to_page(text, tmp_path / "a.html")
    assert arrays_of(page)["note.place"][0, :4].tolist() == pytest.approx([-2.0, 2.0, 0.0, 2.0])
    assert "2.00 m" in data_of(page)["texts"]


def test_recorded_channels_are_in_the_page(tmp_path: Path) -> None:
    text = SMALL + "record: {channels: [ball, world.energy]}\n"
    page = run_to_page(text, tmp_path / "a.html")
    assert data_of(page)["channels"] == ["world.energy"]
    assert arrays_of(page)["channels"].shape == (61, 1)


def test_a_run_without_its_contacts_says_so() -> None:
    scene = rigid2d.core.loads(SMALL)
    frames = frames_of(scene)
    for frame in frames:
        frame.contacts = None
    data, _ = pack(scene, frames, style_of(scene), Told())
    assert data["contacts"] is False


def test_all_who_were_ever_there_have_a_row() -> None:
    scene = rigid2d.core.loads(BIRTHS)
    frames = frames_of(scene, Recorder(scene))
    cast = Cast(scene, frames)
    assert len(cast.scene.bodies) == 4
    assert len(cast.bodies(frames[0])) == len(frames[0].pose)


# ---------------------------------------------------------------- traces


def test_a_trace_makes_a_page(tmp_path: Path) -> None:
    trace = rigid2d.core.simulate(rigid2d.core.loads(SMALL))
    page = trace.to_html(str(tmp_path / "a.html"))
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == page
    height = arrays_of(page)["place"][:, 4]  # after three x comes the ground's y, then the ball's
    assert height[0] == pytest.approx(2.0, abs=1e-3)
    assert data_of(page)["name"] == "Small run"


def test_a_loaded_trace_needs_its_scene(tmp_path: Path) -> None:
    scene = rigid2d.core.loads(SMALL)
    rigid2d.core.simulate(scene).save(str(tmp_path / "a.npz"))
    trace = rigid2d.core.Trace.load(str(tmp_path / "a.npz"))
    with pytest.raises(UsageError, match="needs its scene"):
        trace.to_html()
    assert "Small run" in trace.to_html(scene=scene)


def test_a_notebook_shows_the_run_to_play_and_else_a_table() -> None:
    trace = rigid2d.core.simulate(rigid2d.core.loads(SMALL))
    shown = trace._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert 'sandbox="allow-scripts"' in shown
    some = rigid2d.core.simulate(rigid2d.core.loads(SMALL + "record: {channels: [ball.y]}\n"))
    table = some._repr_html_()
    assert table.startswith("<table>")
    assert "<td>ball.y</td>" in table


SPARKS = """
rigid: 1
world: {duration: 2, gravity: [0, 0]}
bodies:
  ship: {shape: {box: [1, 1]}, velocity: [3, 0]}
particles:
  slow: {from: ship, rate: 10, life: 0.5}
  fast: {from: ship, rate: 100, life: 0.25, colors: [white, "#ff000080"]}
"""


def test_a_page_has_every_particle_once_with_its_start_and_its_velocity() -> None:
    scene = rigid2d.core.loads(SPARKS)
    frames = frames_of(scene)
    data, letters = pack(scene, frames, style_of(scene), Told())
    arrays = unpacked_from(letters, data["arrays"])
    assert arrays["spark.count"].reshape(-1).tolist() == [21, 201]
    assert arrays["spark.number"].reshape(-1).tolist() == [*range(21), *range(201)]
    starts = arrays["spark.place"]
    np.testing.assert_allclose(starts[:21, 0], 0.3 * np.arange(21), atol=0.01)  # 3 m/s, 10 a second
    assert [each["colors"][-1] for each in data["emitters"]] == ["#ff0000ff", "#ff000080"]


def test_a_page_leaves_out_particles_that_are_too_many_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("rigid2d.core.page.sparks.MOST_PARTICLES", 221)
    scene = rigid2d.core.loads(SPARKS)
    data, letters = pack(scene, frames_of(scene), style_of(scene), Told())
    assert data["emitters"] == []
    assert data["left"] == ["particles, of which there are too many"]
    assert "spark.place" not in unpacked_from(letters, data["arrays"])


def test_plots_in_the_picture_have_their_values_frame_by_frame() -> None:
    plotted = "annotations: [{text: a, corner: top}, {plot: [ship.x], seconds: 1}]"
    scene = rigid2d.core.loads(SPARKS + plotted)
    frames = frames_of(scene)
    data, letters = pack(scene, frames, style_of(scene), Told())
    values = unpacked_from(letters, data["arrays"])["note.value"].reshape(-1)
    np.testing.assert_allclose(values, [3.0 * frame.time for frame in frames], rtol=1e-5)
    assert data["notes"][1]["window"] == 1.0


def test_a_page_has_the_peaks_of_plots_and_of_loads_between_frames() -> None:
    text = """
        rigid: 1
        world: {duration: 1, dt: =1/480}
        bodies:
          floor: {type: static, shape: {box: [6, 0.4]}, position: [0, -0.2]}
          ball: {shape: {circle: 0.3}, position: [0, 2], restitution: 0.8}
          lid: {shape: {box: [1, 0.1]}, position: [0, 2.5]}
        joints: {pin: {type: weld, bodies: [ball, lid]}}
        annotations: [{plot: ball.force}]
        record: {channels: [ball.force, pin.force, world.kinetic_energy]}
    """
    scene = rigid2d.core.loads(text)
    trace = rigid2d.core.simulate(scene)
    filmer = Filmer(scene, style_of(scene), (), frozenset(frame_times(scene, fps=10)))
    recorder = Recorder(scene, trace=True)
    for frame in run(scene, fps=10, recorder=recorder, watched=filmer.watched):
        filmer.see(frame.time, (frame,))
    told = Told((), (), recorder.trace, "", filmer.runs[0].spans)
    data, letters = pack(scene, filmer.runs[0].frames, filmer.style, told)
    arrays = unpacked_from(letters, data["arrays"])
    most = pytest.approx([trace["ball"].force.max(), trace["pin"].force.max()], rel=1e-3)
    assert [arrays["peak.value"].max(), np.nanmax(arrays["joint.most"][:, 0])] == most
    assert np.nanmax(arrays["channel.most"], axis=0)[:2] == most
    kinetic = trace.world.kinetic_energy.max()
    assert np.nanmax(arrays["energy.most"][:, 0]) == pytest.approx(kinetic, rel=1e-3)
    assert arrays["energy"][:, 0].max() < 0.95 * kinetic
    assert arrays["note.value"].max() < 0.1 * trace["ball"].force.max()
    assert data["loads"] == 1
    poses = {f"{name}.{axis}" for name in ("ball", "lid") for axis in ("x", "y", "angle")}
    names = {frozenset(frame.passed.names) for frame in filmer.runs[0].frames}
    assert names == {frozenset({"ball.force", *poses})}


def test_a_page_follows_the_way_of_a_body_between_frames_that_are_far_apart(tmp_path: Path) -> None:
    page = run_to_page(FAST, tmp_path / "a.html")
    arrays, frames = arrays_of(page), len(arrays_of(page)["times"])
    times = arrays["moment.time"].reshape(-1)
    assert set(arrays["times"].reshape(-1)) < set(times)
    assert frames == 31
    assert len(times) < 8 * frames
    places = arrays["place"].reshape(len(times), 2, 2)
    middles = 0.5 * (places[1:, :, 0] + places[:-1, :, 0])
    off = np.abs(np.hypot(*middles.T) - 2.0) * data_of(page)["scale"]
    assert off.max() < 0.3
    assert arrays["note.place"].shape[0] == len(times)
    assert arrays["note.text"].shape[0] == frames


def test_a_page_has_no_moments_between_frames_where_bodies_fly_straight_on(tmp_path: Path) -> None:
    straight = FAST.replace("joints: {string", "# {")
    arrays = arrays_of(run_to_page(straight, tmp_path / "a.html"))
    assert "moment.time" not in arrays
    assert len(arrays["place"]) == 31
