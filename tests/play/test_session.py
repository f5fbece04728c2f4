"""A session: pacing, rewinding, playing another way, files that change."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from math import ceil, nan
from pathlib import Path

import pytest
from rigid.core import build, load
from rigid.core.errors import UnknownNameError, UsageError
from rigid.core.play.history import History
from rigid.core.play.recording import write_inputs
from rigid.core.play.requests import read_request
from rigid.core.play.session import Session
from rigid.core.play.status import status
from rigid.core.scene.script import Drag, KeyPress

from tests.play.conftest import SCENE


def rewrite(path: Path, text: str) -> None:
    """Change a file as an editor does: another one takes its place."""
    other = path.with_suffix(".new")
    other.write_text(text, encoding="utf-8")
    other.replace(path)


def run(session: Session, steps: int) -> int:
    """Play so many steps; the state."""
    session.play()
    session.advance((steps + 0.5) / 60)
    session.pause()
    return state(session)


def state(session: Session) -> int:
    assert session.world is not None
    return session.world.state_hash()


def replayed(path: Path, inputs: Path, steps: int) -> int:
    world = build(load(path, inputs=inputs))
    world.step(steps)
    return world.state_hash()


# ---------------------------------------------------------------- time


def test_real_time_does_the_steps_that_are_due(path: Path) -> None:
    session = Session(path)
    session.play()
    assert [session.advance(1 / 90) for _ in range(6)] == [0, 1, 1, 0, 1, 1]
    assert session.step == 4


def test_the_speed_is_that_of_the_scene_against_the_clock(path: Path) -> None:
    session = Session(path)
    session.set_speed(0.25)
    session.play()
    session.advance(2.0)
    assert session.time == pytest.approx(0.5, abs=1 / 60)


def test_what_there_is_no_time_for_goes_slower_and_is_not_made_up_for(path: Path) -> None:
    ticks = iter(range(1000))
    session = Session(path, clock=lambda: float(next(ticks)))
    session.play()
    assert session.advance(1.0, budget=9.5) == 10  # of 60, at one second a step
    assert session.advance(0.0, budget=9.5) == 0
    assert session.real < 1.0


def test_a_paused_session_stays_where_it_is_and_steps_by_one(path: Path) -> None:
    session = Session(path)
    assert session.advance(1.0) == 0
    session.step_once()
    assert (session.step, session.mode) == (1, "paused")


def test_the_outcome_of_a_run_pauses_it(path: Path) -> None:
    rewrite(path, SCENE + "outcome: {win: =world.time > 0.5}\n")
    session = Session(path)
    run(session, 200)
    assert (session.outcome, session.mode) == ("win", "paused")
    session.seek(10)
    session.arrive()
    assert (session.outcome, session.step) == ("", 10)


# ---------------------------------------------------------------- rewinding


@pytest.mark.parametrize("step", [0, 1, 29, 30, 31, 77, 199])
def test_every_moment_is_found_again_with_its_bits(path: Path, step: int) -> None:
    session = Session(path)
    session.press("a", "up")
    states = {0: state(session)}
    for _ in range(200):
        if session.step == 50:
            session.release("a", "up")
        if session.step == 60:
            session.grab("a", (0.2, 1.6))
        if session.step == 90:
            session.drag_to("a", (2.0, 4.0))
        after = run(session, 1)
        states[session.step] = after
    session.seek(step)
    session.arrive()
    assert (session.step, state(session)) == (step, states[step])
    session.seek(200)
    session.arrive()
    assert state(session) == states[200]


def test_time_that_goes_on_after_rewinding_is_as_it_was_until_somebody_acts(path: Path) -> None:
    session = Session(path)
    session.press("a", "up")
    run(session, 40)
    session.release("a", "up")
    first = run(session, 40)
    session.seek(20)
    session.arrive()
    assert run(session, 60) == first


def test_who_acts_after_rewinding_drops_what_came_later(path: Path) -> None:
    session = Session(path)
    run(session, 40)
    session.press("a", "up")
    run(session, 40)
    session.seek(20)
    session.arrive()
    session.grab("a", (0.0, 1.5))
    session.drag_to("a", (0.0, 3.0))
    run(session, 40)
    assert session.end == 60
    session.let_go("a")
    (drag,) = session.entries()
    assert isinstance(drag, Drag)
    assert drag.body == "top"


@pytest.mark.parametrize(("name", "value"), [("x", 2e9), ("y", -1.1e9), ("x", nan)])
def test_a_place_that_no_file_can_say_is_refused(name: str, value: float) -> None:
    asked = {"do": "drag", "x": 0, "y": 0, name: value}
    with pytest.raises(UsageError, match=f"`{name}` is a number of at most 1e"):
        read_request(json.dumps(asked))


def test_what_was_played_with_the_heaviest_body_can_be_read(path: Path, tmp_path: Path) -> None:
    rewrite(path, SCENE.replace("ship: {", "ship: {mass: 1.0e+15, "))
    session = Session(path)
    session.grab("a", (4.0, 0.5))
    run(session, 10)
    write_inputs(session, tmp_path / "played.yaml")
    (drag,) = load(path, inputs=tmp_path / "played.yaml").inputs
    assert isinstance(drag, Drag)
    assert drag.body == "ship"


def test_what_is_told_after_rewinding_had_happened_by_then_and_is_told_once(path: Path) -> None:
    rewrite(path, SCENE + "events: [{when: time, every: 0.5, do: [{log: half}]}]\n")
    session = Session(path)
    run(session, 100)
    told = [event.step for event in session.told]
    assert len(told) >= 3
    session.seek(70)
    session.arrive()
    assert [event.step for event in session.told] == [each for each in told if each <= 70]
    run(session, 30)
    assert [event.step for event in session.told] == told


def test_state_variables_are_told_in_their_order_also_after_rewinding(path: Path) -> None:
    rewrite(path, SCENE + "state: {score: 0, bonus: 1, apples: 2}\n")
    session = Session(path)
    run(session, 40)
    session.seek(10)
    session.arrive()
    assert [*status(session, 1)["state"]] == ["score", "bonus", "apples"]


def test_states_are_let_go_of_but_every_moment_stays_in_reach(path: Path) -> None:
    history = History(most=8)
    for step in range(0, 3000, 30):
        history.keep(step, b"x")
    assert len(history) == 8
    assert history.steps[0] == 0
    assert history.steps[-1] == 2970
    gaps = [b - a for a, b in zip(history.steps, history.steps[1:], strict=False)]
    assert gaps[-1] <= gaps[0]  # what was lately is nearer
    assert history.before(2969)[0] < 2969
    assert history.before(0) == (0, b"x")


def test_states_take_no_more_room_than_they_may() -> None:
    history = History(most_bytes=1000)
    for step in range(0, 3000, 30):
        history.keep(step, bytes(100))
    assert len(history) == 10


# ---------------------------------------------------------------- keys and hands


def test_a_key_of_two_players_is_held_until_both_let_it_go(path: Path) -> None:
    session = Session(path)
    session.press("a", "up")
    run(session, 10)
    session.press("b", "up")
    run(session, 10)
    session.release("a", "up")
    run(session, 10)
    session.release("b", "up")
    run(session, 10)
    assert session.entries() == (KeyPress("up", 0.0, 0.5),)


def test_who_leaves_lets_all_go(path: Path) -> None:
    session = Session(path)
    session.press("a", "up")
    session.grab("a", (0.0, 1.5))
    run(session, 30)
    session.leave("a")
    run(session, 30)
    assert [entry.until for entry in session.entries()] == [0.5, 0.5]  # type: ignore[union-attr]


def test_a_key_that_no_control_has_does_nothing(path: Path) -> None:
    session = Session(path)
    assert not session.press("a", "down")
    assert session.entries() == ()


def test_a_hand_takes_what_is_in_front_and_leaves_what_is_fixed(path: Path) -> None:
    rewrite(
        path,
        SCENE.replace("  ship:", "  front: {shape: {circle: 1}, position: [0, 1], z: 2}\n  ship:"),
    )
    session = Session(path)
    assert session.grab("a", (0.0, 1.5)) == "front"
    assert session.grab("a", (5.0, -0.5)) == ""
    assert session.grab("a", (4.7, 0.5), reach=0.3) == "ship"


def test_a_hand_pulls_the_point_that_it_holds(path: Path) -> None:
    session = Session(path)
    assert session.grab("a", (0.3, 1.7)) == "top"
    session.drag_to("a", (1.0, 4.0))
    run(session, 240)
    assert session.world is not None
    body = session.world["top"]
    x, y = body.world_point((0.3, 0.2))
    assert (x, y) == pytest.approx((1.0, 4.0), abs=0.05)  # it sags by 1 cm, and swings


def play_all(session: Session) -> None:
    """Keys and drags at odd moments, some of which are short."""
    session.press("a", "up")
    run(session, 13)
    session.release("a", "up")
    session.press("a", "up")
    session.release("a", "up")
    run(session, 20)
    session.grab("a", (0.31234567, 1.7))
    for i in range(40):
        session.drag_to("a", (0.3 + 0.061 * i, 1.7 + 0.0512345678 * i))
        run(session, 1)
    session.let_go("a")
    session.grab("b", (4.0, 0.6), reach=3)
    run(session, 25)
    session.press("b", "up")
    run(session, 10)


def test_what_was_played_replays_to_the_same_bits(path: Path, tmp_path: Path) -> None:
    session = Session(path)
    play_all(session)
    file = tmp_path / "inputs.yaml"
    write_inputs(session, file)
    assert replayed(path, file, session.step) == state(session)


def test_what_was_played_after_rewinding_replays_to_the_same_bits(
    path: Path, tmp_path: Path
) -> None:
    session = Session(path)
    play_all(session)
    session.seek(50)
    session.arrive()
    session.press("a", "up")
    run(session, 33)
    session.grab("a", (0.0, 0.5))
    run(session, 33)
    file = tmp_path / "inputs.yaml"
    write_inputs(session, file)
    assert replayed(path, file, session.step) == state(session)


def test_a_recorded_player_plays_until_somebody_acts(path: Path, tmp_path: Path) -> None:
    first = Session(path)
    play_all(first)
    file = tmp_path / "inputs.yaml"
    write_inputs(first, file)
    session = Session(path, inputs=file)
    assert run(session, first.step) == state(first)
    session.seek(20)
    session.arrive()
    session.press("a", "up")
    assert session.end == 20
    assert len(session.entries()) == 2


# ---------------------------------------------------------------- files


def test_a_file_that_changes_is_read_again_and_the_time_is_kept(path: Path) -> None:
    session = Session(path)
    session.press("a", "up")
    run(session, 60)
    rewrite(path, SCENE.replace("force: [0, 12]", "force: [0, 24]"))
    assert session.reload()
    session.arrive()
    assert session.step == 60
    fresh = Session(path)
    fresh.press("a", "up")
    assert run(fresh, 60) == state(session)


def test_nothing_is_read_again_while_nothing_changes(path: Path) -> None:
    session = Session(path)
    assert not session.reload()


def test_errors_of_a_file_are_told_and_the_last_good_scene_goes_on(path: Path) -> None:
    session = Session(path)
    before = run(session, 10)
    rewrite(path, SCENE.replace("shape: {circle", "shpe: {circle"))
    assert session.reload()
    assert session.trouble is not None
    assert session.trouble.problems[0].line == 10
    assert "did you mean `shape`?" in session.trouble.problems[0].message
    assert state(session) == before
    run(session, 10)
    assert session.step == 20
    rewrite(path, SCENE)
    session.reload()
    assert session.trouble is None
    assert session.scene is not None


def test_a_session_may_begin_with_errors(path: Path) -> None:
    rewrite(path, "rigid: 1\nbodies: {ball: {}}\n")
    session = Session(path)
    assert session.trouble is not None
    assert session.advance(1.0) == 0
    assert session.frame() is None
    assert session.grab("a", (0, 0)) == ""
    rewrite(path, SCENE)
    session.reload()
    assert session.scene is not None


def test_a_file_that_is_included_is_watched_too(path: Path) -> None:
    other = path.with_name("more.yaml")
    rewrite(path, SCENE + "include: [more.yaml]\n")
    session = Session(path)
    assert session.trouble is not None  # it is not there yet
    other.write_text("bodies: {more: {shape: {circle: 1}, position: [9, 9]}}\n", encoding="utf-8")
    assert session.reload()
    assert session.scene is not None
    rewrite(other, "bodies: {less: {shape: {circle: 1}, position: [9, 9]}}\n")
    assert session.reload()
    assert "less" in session.scene.bodies


def test_what_a_changed_scene_does_not_have_is_no_longer_played(path: Path) -> None:
    session = Session(path)
    session.press("a", "up")
    session.grab("a", (0.0, 1.5))
    run(session, 20)
    rewrite(path, SCENE.replace("controls: {up: jet}\n", "").replace("  top:", "  tip:"))
    session.reload()
    session.arrive()
    assert session.trouble is None
    assert session.entries() == ()


def test_a_run_that_stops_tells_why_and_can_be_rewound(path: Path) -> None:
    rewrite(
        path,
        SCENE.replace("position: [4, 0.5]}", "position: [4, 1.5]}")
        + "inputs: [{at: 1, set: {ship.velocity: [1e14, 0]}}]\n",
    )
    session = Session(path)
    run(session, 240)
    assert session.trouble is not None
    assert (session.trouble.kind, session.trouble.body) == ("simulation", "ship")
    assert session.mode == "paused"
    session.seek(30)
    session.arrive()
    assert (session.step, session.trouble) == (30, None)


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


def test_a_game_is_won_by_keys_and_what_was_played_wins_it_again(tmp_path: Path) -> None:
    path = Path(__file__).resolve().parents[2] / "scenes" / "games" / "asteroids.yaml"
    recorded = [each for each in load(path).inputs if isinstance(each, KeyPress)]
    nobody, record = tmp_path / "nobody.yaml", tmp_path / "record.yaml"
    nobody.write_text("inputs: []\n", encoding="utf-8")
    session = Session(path, inputs=nobody)
    while not session.outcome and session.step < 1000:
        for who, each in enumerate(recorded):
            if ceil(min(each.until, 999) * 60 - 1e-9) == session.step:
                session.release(str(who), each.key)
        for who, each in enumerate(recorded):
            if ceil(each.start * 60 - 1e-9) == session.step:
                session.press(str(who), each.key)
        run(session, 1)
    assert session.outcome == "win"
    write_inputs(session, record)
    again = build(load(path, inputs=record))
    again.step(session.step)
    assert (again.outcome, again.state_hash()) == ("win", state(session))


def test_what_is_wrong_with_the_file_is_told_after_a_restart_too(path: Path) -> None:
    session = Session(path)
    rewrite(path, SCENE.replace("shape", "shap"))
    session.reload()
    session.restart()
    assert session.trouble is not None
    rewrite(path, SCENE)
    session.reload()
    session.restart()
    assert session.trouble is None


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
