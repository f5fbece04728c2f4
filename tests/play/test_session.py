# SPDX-License-Identifier: MIT
"""A session: pacing, rewinding, playing another way, files that change."""

from __future__ import annotations

import json
from math import ceil, nan
from pathlib import Path

import pytest
from rigid2d.core import build, load
from rigid2d.core.errors import UsageError
from rigid2d.core.play.history import History
from rigid2d.core.play.recording import write_inputs
from rigid2d.core.play.requests import read_request
from rigid2d.core.play.session import Session
from rigid2d.core.play.status import status
from rigid2d.core.scene.script import Drag, KeyPress

from tests.play.conftest import SCENE
from tests.play.sessions import replayed, rewrite, run, state

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


def test_events_of_a_step_with_a_saved_state_happen_once(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rigid2d.core.play.history.EVERY", 1)
    gate = "  gate: {type: static, shape: {box: [3, 1], sensor: true}, position: [4, 3]}\n"
    rewrite(path, SCENE.replace("  ship:", f"{gate}  ship:"))
    session = Session(path)
    session.press("a", "up")
    run(session, 100)
    (begin,) = [each for each in session.told if each.kind == "sensor_begin"]
    session.seek(begin.step)
    session.arrive()
    run(session, 100 - begin.step)
    assert [each for each in session.told if each.kind == "sensor_begin"] == [begin]


def test_arguments_of_a_session_are_checked(path: Path) -> None:
    session = Session(path)
    session.play()
    for seconds in (-1, "x", None):
        with pytest.raises(UsageError, match="seconds"):
            session.advance(seconds)  # type: ignore[arg-type]
    calls = (
        lambda: session.seek(1.5),  # type: ignore[arg-type]
        lambda: session.seek_time("1"),  # type: ignore[arg-type]
        lambda: session.set_speed("2"),  # type: ignore[arg-type]
        lambda: session.set_var("g", "3"),  # type: ignore[arg-type]
        lambda: session.set_var_now(3, 1.0),  # type: ignore[arg-type]
    )
    for call in calls:
        with pytest.raises(UsageError):
            call()
    run(session, 10)
    session.seek(-5)
    session.arrive()
    assert session.step == 0


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


def test_a_start_that_was_mended_begins_as_it_would_have(path: Path) -> None:
    path.write_text("rigid: 1\nbodies: {a: {}}\n", encoding="utf-8")
    plays, waits = Session(path), Session(path)
    plays.play()
    waits.play()
    waits.pause()
    rewrite(path, SCENE)
    assert (plays.reload(), waits.reload()) == (True, True)
    assert (plays.mode, waits.mode) == ("playing", "paused")
