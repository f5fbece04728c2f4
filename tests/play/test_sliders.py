# SPDX-License-Identifier: MIT
"""Sliders: vars that are moved from the start of a run or from now on, and written back."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest
from rigid2d.core import build, load
from rigid2d.core.errors import UnknownNameError, UsageError
from rigid2d.core.play.recording import write_inputs
from rigid2d.core.play.session import Session

from tests.play.conftest import SCENE
from tests.play.sessions import replayed, rewrite, run, state

# ---------------------------------------------------------------- sliders


def test_a_slider_makes_the_run_what_it_had_been_with_that_value(path: Path) -> None:
    session = Session(path)
    run(session, 30)
    session.set_var("g", 3.7)
    session.arrive()
    world = build(load(path, ["vars.g=3.7"]))
    world.step(30)
    assert (session.step, state(session)) == (30, world.state_hash())


def test_a_slider_stays_in_its_range(path: Path) -> None:
    session = Session(path)
    session.set_var("g", 1e9)
    assert session.scene is not None
    assert session.scene.vars["g"] == 20.0


def test_a_var_without_a_range_has_no_slider(path: Path) -> None:
    with pytest.raises(UnknownNameError, match="var with a range"):
        Session(path).set_var("h", 1.0)


def test_a_value_is_written_back_and_nothing_else_changes(path: Path) -> None:
    session = Session(path)
    session.set_var("g", 1.62)
    session.write_var("g")
    assert path.read_text(encoding="utf-8") == SCENE.replace("value: 9.81", "value: 1.62")
    assert not session.reload()
    assert session.source.overrides == ()
    assert session.scene is not None
    assert session.scene.vars["g"] == 1.62


def test_a_value_is_not_written_over_what_somebody_else_wrote(path: Path) -> None:
    session = Session(path)
    session.set_var("g", 1.62)
    theirs = SCENE + "# mine\n"
    rewrite(path, theirs)
    with pytest.raises(UsageError, match="changed meanwhile"):
        session.write_var("g")
    assert path.read_text(encoding="utf-8") == theirs


@pytest.mark.parametrize("written", ["=3*2", "*number"])
def test_a_value_that_is_no_number_in_the_file_is_not_written(path: Path, written: str) -> None:
    rewrite(path, SCENE.replace("9.81", written).replace("vars:", "vars:\n  n: &number 3"))
    session = Session(path)
    session.set_var("g", 1.62)
    before = path.read_bytes()
    if written.startswith("="):
        with pytest.raises(UsageError, match="is an expression"):
            session.write_var("g")
    else:
        with pytest.raises(UsageError, match="alias"):
            session.write_var("g")
    assert path.read_bytes() == before


def test_a_value_of_an_included_file_is_not_written(path: Path) -> None:
    path.with_name("more.yaml").write_text("vars: {h: {value: 1, range: [0, 2]}}\n")
    rewrite(path, SCENE + "include: [more.yaml]\n")
    session = Session(path)
    session.set_var("h", 2)
    with pytest.raises(UsageError, match="includes"):
        session.write_var("h")


# ---------------------------------------------------------------- sliders that count from now on

MANY_VARS = """\
rigid: 1
vars:
  g: {value: 9.81, range: [0, 20]}
  mu: {value: 0.2, range: [0, 1]}
  turn: {value: 90, range: [-360, 360]}
  push: {value: 5, range: [0, 50]}
  wide: {value: 1, range: [0.5, 2]}
world: {gravity: [0, =-g], duration: 4}
materials: {slick: {friction: =mu}}
bodies:
  floor: {type: static, shape: {box: [40, 1]}, position: [0, -0.5]}
  box: {shape: {box: [=wide, 1]}, position: [0, 0.5], velocity: [6, 0], material: slick}
  high: {shape: {circle: 0.3}, position: [-8, 90]}
  wheel: {shape: {circle: 1}, position: [8, 20]}
  cart: {shape: {box: [1, 1]}, position: [-15, 0.5]}
joints:
  axle: {type: revolute, bodies: [world, wheel], anchor: [8, 20], motor: {speed: =turn}}
actuators:
  jet: {type: thruster, body: cart, force: [=push, 0]}
"""


@pytest.fixture
def vars_session(path: Path) -> Session:
    path.write_text(MANY_VARS, encoding="utf-8")
    session = Session(path)
    for _ in range(60):
        session.step_once()
    return session


def test_gravity_moved_at_once_leaves_what_was_as_it_was(vars_session: Session) -> None:
    """After a second of free fall at 9.81 and one at 0, a body is 9.81 m lower still."""
    session = vars_session
    assert session.world is not None
    before = session.world["high"].y
    assert session.set_var_now("g", 0.0)
    assert session.step == 60
    assert session.world["high"].y == before
    for _ in range(60):
        session.step_once()
    assert session.world["high"].y == pytest.approx(before - 9.81, abs=0.01)


def test_what_decides_on_materials_motors_and_forces_is_set_at_once(vars_session: Session) -> None:
    session = vars_session
    assert session.world is not None
    assert session.set_var_now("mu", 0.0)
    assert session.set_var_now("turn", -180.0)
    assert session.set_var_now("push", 0.0)
    for _ in range(2):
        session.step_once()
    world, dt = session.world, 1 / 60
    slides, cart = world["box"].velocity[0], world["cart"].velocity[0]
    for _ in range(30):
        session.step_once()
    assert world["box"].velocity[0] == pytest.approx(slides, abs=1e-6)
    assert world["wheel"].angular_velocity == pytest.approx(-math.pi, abs=1e-3)
    assert world["cart"].velocity[0] <= cart + 1e-9 * dt


def test_what_cannot_be_set_at_once_counts_from_the_start(vars_session: Session) -> None:
    session = vars_session
    assert not session.set_var_now("wide", 1.5)
    session.arrive()
    assert session.step == 60
    assert session.source.values == {"wide": 1.5}
    assert session.scene is not None
    assert session.scene.vars["wide"] == 1.5


def test_sliders_go_back_with_the_time_and_another_way_forgets_them(vars_session: Session) -> None:
    session = vars_session
    session.set_var_now("g", 3.0)
    session.step_once()
    assert session.var_values()["g"] == 3.0
    session.seek(30)
    session.arrive()
    assert session.var_values()["g"] == 9.81
    session.seek(61)
    session.arrive()
    assert session.var_values()["g"] == 3.0
    session.seek(30)
    session.arrive()
    session.set_var_now("turn", 0.0)
    assert (session.var_values()["g"], session.end) == (9.81, 30)
    assert len(session.entries()) == 1


def test_a_slider_that_moves_within_a_step_is_set_once(vars_session: Session) -> None:
    session = vars_session
    for value in (9.0, 8.0, 7.0):
        assert session.set_var_now("g", value)
    assert [entry.sets for entry in session.entries()] == [{"world.gravity": (0.0, -7.0)}]


def test_a_slider_from_the_start_takes_back_what_it_set_and_leaves_the_others(
    vars_session: Session,
) -> None:
    session = vars_session
    session.set_var_now("g", 3.0)
    session.set_var_now("push", 20.0)
    session.set_var("g", 5.0)
    session.arrive()
    assert [entry.sets for entry in session.entries()] == [{"jet.force": (20.0, 0.0)}]
    assert session.var_values()["g"] == 5.0
    assert session.var_values()["push"] == 20.0


def test_a_value_that_counts_from_now_is_written_into_the_file(vars_session: Session) -> None:
    session = vars_session
    session.set_var_now("g", 3.5)
    assert session.write_var("g") == 3.5
    assert session.source.path.read_text(encoding="utf-8") == MANY_VARS.replace("9.81", "3.5")
    session.arrive()
    assert session.entries() == ()


def test_what_sliders_set_is_replayed_from_the_record_to_the_same_bits(
    vars_session: Session, tmp_path: Path
) -> None:
    session = vars_session
    session.set_var_now("g", 3.0)
    session.set_var_now("turn", -77.7)
    for _ in range(20):
        session.step_once()
    session.set_var_now("mu", 0.9)
    for _ in range(20):
        session.step_once()
    record = tmp_path / "record.yaml"
    write_inputs(session, record)
    world = build(load(session.source.path, inputs=record))
    world.step(100)
    assert session.world is not None
    assert world.state_hash() == session.world.state_hash()


def test_angles_that_a_scene_sets_are_recorded_in_its_degrees(path: Path, tmp_path: Path) -> None:
    settings = (
        "inputs: [{at: 0.1, set: {axle.motor.speed: 33.3}}, {at: 0.2, set: {high.angle: 20}}]\n"
    )
    path.write_text(MANY_VARS + settings, encoding="utf-8")
    session = Session(path)
    run(session, 30)
    record = tmp_path / "record.yaml"
    write_inputs(session, record)
    text = record.read_text(encoding="utf-8")
    assert "axle.motor.speed: 33.3}" in text
    assert "high.angle: 20" in text
    assert replayed(path, record, 30) == state(session)


@pytest.mark.parametrize("move", [Session.set_var, Session.set_var_now])
def test_sliders_move_nothing_while_the_file_has_mistakes(
    move: Callable[[Session, str, float], object], vars_session: Session
) -> None:
    session = vars_session
    rewrite(session.source.path, MANY_VARS.replace("circle: 0.3", "circle: x"))
    session.reload()
    with pytest.raises(UsageError, match="mend these first"):
        move(session, "g", 3.0)
    assert session.source.values == {}
    rewrite(session.source.path, MANY_VARS)
    session.reload()
    session.arrive()
    assert session.set_var_now("g", 3.0)
