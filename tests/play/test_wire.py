# SPDX-License-Identifier: MIT
"""What goes to a page: rows of who comes, looks that stay, texts of annotations."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rigid2d.core import World, build, loads
from rigid2d.core.page.sights import RAY, SHAPE, sight_numbers
from rigid2d.core.play.session import Session
from rigid2d.core.play.wire import HEAD, Stage, as_text
from rigid2d.core.world.plotted import PlottedSteps

from tests.play.conftest import SCENE
from tests.play.sessions import run

NOTED = SCENE + 'annotations: [{text: "t {world.time:.1f}", at: [0, 4]}]\n'


def counts(moment: bytes) -> tuple[int, ...]:
    """How many bodies, joints and actuators a moment tells of."""
    return tuple(HEAD.unpack(moment[: HEAD.size])[8:11])


def heights(moment: bytes, bodies: int) -> list[float]:
    return np.frombuffer(moment, "<f8", 3 * bodies, HEAD.size)[1::3].tolist()


def world_of(text: str) -> tuple[World, Stage]:
    scene = loads(text)
    world = build(scene)
    return world, Stage(1, scene, world.frame())


def add(world: World, name: str, y: float) -> None:
    world.add({"bodies": {name: {"shape": {"circle": 0.1}, "position": [8, y]}}})


def test_who_comes_gets_a_row_behind_the_others_and_keeps_it() -> None:
    world, stage = world_of(SCENE)
    add(world, "drop[0]", 7)
    add(world, "drop[1]", 8)
    assert stage.take_in(2, world.frame())
    assert heights(stage.moment(world.frame()), 6) == [-0.5, 0.5, 1.5, 0.5, 7.0, 8.0]
    world.remove("drop[0]")
    assert not stage.take_in(3, world.frame())  # who leaves takes no looks along
    assert heights(stage.moment(world.frame()), 6)[5] == 8.0
    names = [each["name"] for each in stage.message["data"]["bodies"]]
    assert (stage.number, names[4:]) == (2, ["drop[0]", "drop[1]"])


def test_who_comes_while_looks_rest_is_told_of_later() -> None:
    world, stage = world_of(SCENE)
    add(world, "drop", 7)
    assert not stage.take_in(2, world.frame(), now=False)
    assert counts(stage.moment(world.frame(want_contacts=True))) == (4, 0, 1)
    assert stage.take_in(2, world.frame(), now=True)
    assert counts(stage.moment(world.frame())) == (5, 0, 1)


def test_a_hand_that_takes_a_body_is_told_at_once_and_all_looks_stay(path: Path) -> None:
    session = Session(path)
    assert session.scene is not None
    frame = session.frame()
    assert frame is not None
    stage = Stage(1, session.scene, frame)
    before = stage.message["arrays"]
    assert session.grab("me", (0.0, 1.5)) == "top"
    session.step_once()
    frame = session.frame()
    assert frame is not None
    assert stage.take_in(2, frame, now=False)
    assert stage.message["arrays"] is before
    assert len(stage.message["data"]["joints"]) == 1
    assert HEAD.unpack(stage.moment(frame)[: HEAD.size])[15] == 1  # what is pulled to a place


def test_rows_of_those_who_left_are_given_up_when_they_are_many() -> None:
    world, stage = world_of(SCENE)
    number = 1
    for first in range(0, 230, 23):
        some = [f"drop[{i}]" for i in range(first, first + 23)]
        for name in some:
            add(world, name, 7)
        number += stage.take_in(number + 1, world.frame())
        stage.moment(world.frame())
        for name in some:
            world.remove(name)
    stage.take_in(number + 1, world.frame())
    assert len(stage.message["data"]["bodies"]) < 230
    assert counts(stage.moment(world.frame()))[0] == len(stage.message["data"]["bodies"])


def stages(path: Path, *changes: Any) -> list[Stage]:
    """The stage of a session's scene, and that after a change of its text."""
    session = Session(path)
    found: list[Stage] = []
    for change in (lambda text: text, *changes):
        path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
        session.reload()
        frame = session.frame()
        assert session.scene is not None
        assert frame is not None
        found.append(
            Stage(len(found) + 1, session.scene, frame, None, found[-1] if found else None)
        )
    return found


def test_a_scene_that_looks_alike_takes_the_looks_over_and_has_its_own_text(path: Path) -> None:
    first, second = stages(path, lambda text: text.replace("9.81", "3"))
    assert second.message["arrays"] is first.message["arrays"]
    assert "value: 3" in second.message["data"]["text"]


def test_a_body_that_is_elsewhere_looks_as_before_and_a_pool_does_not(path: Path) -> None:
    camera = "camera: {mode: region, rect: [[-9, -9], [9, 9]]}\n"
    ball = "bodies: {ball: {shape: {circle: 0.5}, position: [0, 1]}}\n"
    pool = "world: {pools: {sea: {region: [[-4, -4], [4, 0]], density: 1}}}\n"
    path.write_text(f"rigid: 1\n{camera}{ball}{pool}", encoding="utf-8")
    first, second = stages(path, lambda text: text.replace("[0, 1]", "[2, 3]"))
    assert second.message["arrays"] is first.message["arrays"]
    first, second = stages(path, lambda text: text.replace("[4, 0]", "[4, -1]"))
    assert second.message["arrays"] != first.message["arrays"]


def test_a_scene_that_looks_otherwise_is_drawn_anew(path: Path) -> None:
    first, second = stages(path, lambda text: text.replace("circle: 0.5", "circle: 0.25"))
    assert second.message["arrays"] != first.message["arrays"]


def test_annotations_are_told_with_their_texts_and_places() -> None:
    world, stage = world_of(NOTED)
    world.step(60)
    moment = stage.moment(world.frame())
    notes = json.loads(moment[moment.rindex(b"[[") :])
    assert notes[0][:2] == [0, "t 1.0"]
    assert len(notes[0][2]) == 2
    assert len(stage.message["data"]["notes"]) == 1


def test_annotations_are_told_only_while_they_are_shown() -> None:
    text = NOTED.replace("at: [0, 4]", 'at: [0, 4], while: "=world.time > 0.5"')
    world, stage = world_of(text)
    assert stage.moment(world.frame()).endswith(b"[]")
    world.step(60)
    assert stage.moment(world.frame()).endswith(b"false]]")


def test_numbers_that_json_cannot_hold_are_null() -> None:
    assert as_text({"a": [float("inf"), 1.0], "b": float("nan")}) == '{"a": [null, 1.0], "b": null}'


def test_particles_are_told_with_their_places_and_ages() -> None:
    text = SCENE + "particles: {sparks: {from: ship, rate: 60, life: 0.5, speed: 0}}\n"
    world, stage = world_of(text)
    for _ in range(6):
        world.step()
        moment = stage.moment(world.frame())
    head = HEAD.unpack(moment[: HEAD.size])
    assert head[13] == 7  # those of 0 to 6/60 s
    n, m, k = counts(moment)
    end = len(moment) - n - m - k
    sparks = np.frombuffer(moment[end - 16 * 7 : end], "<f4").reshape(7, 4)
    np.testing.assert_allclose(sparks[:, 3], np.arange(6, -1, -1) / 60 / 0.5, atol=1e-6)
    np.testing.assert_allclose(sparks[:, 1], 4.0, atol=1e-3)
    assert len(stage.message["data"]["emitters"]) == 1


def test_what_plots_in_the_picture_show_is_told() -> None:
    world, stage = world_of(SCENE + "annotations: [{plot: [ship.x, 2 * world.time]}]\n")
    world.step(30)
    moment = stage.moment(world.frame())
    assert HEAD.unpack(moment[: HEAD.size])[14] == 2
    at = HEAD.size + 8 * 3 * counts(moment)[0]
    assert np.frombuffer(moment, "<f8", 2, at).tolist() == [4.0, 2 * world.time]


def test_a_page_knows_whether_the_world_is_the_same(path: Path) -> None:
    first, second = stages(path, lambda text: text.replace("9.81", "3"))
    assert first.message["world"] != second.message["world"]
    world, stage = world_of(SCENE)
    add(world, "drop", 7)
    assert stage.take_in(2, world.frame())
    assert (stage.message["number"], stage.message["world"]) == (2, 1)


def test_findings_of_probes_are_told() -> None:
    scene = loads(
        "rigid: 1\nbodies: {ball: {shape: {circle: 0.5}, position: [0, 3]}, "
        "floor: {type: static, shape: {box: [9, 1]}}}\n"
        "probes: {down: {ray: [[0, 0], [0, -9]], frame: ball}, spot: {shape: {circle: 1}}}"
    )
    frame = build(scene).frame()
    moment = Stage(0, scene, frame).moment(frame)
    found = np.array(sight_numbers(frame.sights), "<f4")
    ray, shape = (RAY, 1, 0, 3, 0, -6, 0, 0.5, 0, 1), (SHAPE, 1, 1, 1, 1, 0, 0)
    assert found.tolist() == pytest.approx([*ray, *shape], abs=1e-6)
    assert np.array([len(found)], "<u4").tobytes() + found.tobytes() in moment


def test_trails_are_told_by_the_positions_that_are_kept() -> None:
    text = SCENE.replace("bodies:", "bodies:\n  bob: {shape: {circle: 0.1}, trail: {length: 1},"
                         " position: [20, 0], velocity: [0, 9]}", 1)  # fmt: skip
    world, stage = world_of(text)
    kept, plotted = [], PlottedSteps(world.scene)
    for _ in range(12):
        for _ in range(10):
            world.step()
            plotted.read(world)
        frame = replace(world.frame(), passed=plotted.take())
        bodies = counts(moment := stage.moment(frame))[0]
        at = HEAD.size + 8 * 3 * bodies
        (count,) = np.frombuffer(moment, "<f8", 1, at)
        kept += np.frombuffer(moment, "<f8", 4 * int(count), at + 8).reshape(-1, 4).tolist()
    names = [each["name"] for each in stage.message["data"]["bodies"]]
    assert {names[int(row)] for row, *_ in kept} == {"bob"}
    assert 8 < len(kept) < 60
    for _, time, x, y in kept:
        assert (x, y) == pytest.approx((20.0, 9.0 * time - 4.905 * time * time), abs=0.1)


def test_arrows_of_contacts_and_accelerations_are_told_with_their_texts(path: Path) -> None:
    path.write_text(
        SCENE
        + "annotations: [{vector: top.normal_force, show: both},"
        + " {vector: ship.acceleration, show: name}]\n",
        encoding="utf-8",
    )
    session = Session(path)
    session.reload()
    run(session, 30)
    frame = session.frame()
    assert session.scene is not None
    assert frame is not None
    moment = Stage(1, session.scene, frame).moment(frame)
    notes = json.loads(moment[moment.rindex(b"[[") :])
    row, text, places, tone, thin = notes[0]
    assert (row, text, tone, thin) == (0, "N = 9.81 N", "contact", False)
    assert places[:2] == pytest.approx([0.0, 1.0], abs=0.01)
    assert places[3] > places[1]
