# SPDX-License-Identifier: MIT
"""Requests that wait: bounded for each page, fair between pages, and gone with their page."""

from __future__ import annotations

from pathlib import Path

import pytest
from rigid2d.core.errors import UsageError
from rigid2d.core.play import game as game_module
from rigid2d.core.play import inbox as inbox_module
from rigid2d.core.play.game import Game
from rigid2d.core.play.inbox import MOST, Inbox
from rigid2d.core.play.requests import Request, read_request
from rigid2d.core.play.session import Session


class Kept:
    """An inbox whose answers are kept."""

    def __init__(self) -> None:
        self.done: list[tuple[str, Request]] = []
        self.inbox = Inbox(lambda who, request: self.done.append((who, request)))

    def all(self) -> list[tuple[str, Request]]:
        while self.inbox.take():
            pass
        return self.done


def var(name: str, value: float) -> Request:
    return Request("var", {"value": value}, {"name": name})


def press(key: str) -> Request:
    return Request("press", {}, {"key": key})


def test_pages_take_turns() -> None:
    kept = Kept()
    for i in range(3):
        assert kept.inbox.ask("hog", press(f"k{i}"))
    assert kept.inbox.ask("other", press("x"))
    assert [(who, each.words["key"]) for who, each in kept.all()] == [
        ("hog", "k0"),
        ("other", "x"),
        ("hog", "k1"),
        ("hog", "k2"),
    ]


def test_of_what_is_asked_for_again_the_last_one_counts() -> None:
    kept = Kept()
    for i in range(20_000):
        assert kept.inbox.ask("hog", var("g", i))
        assert kept.inbox.ask("hog", var("h", -i))
    assert kept.all() == [("hog", var("g", 19_999)), ("hog", var("h", -19_999))]


def test_what_comes_before_a_key_is_not_put_behind_it() -> None:
    kept = Kept()
    for each in (var("g", 1), press("up"), var("g", 2), Request("pause"), var("g", 3)):
        kept.inbox.ask("page", each)
    assert [each.does for _, each in kept.all()] == ["var", "press", "var", "pause", "var"]


def test_a_page_has_so_much_room_and_no_more_but_may_always_let_go() -> None:
    kept = Kept()
    asked = [kept.inbox.ask("hog", press(f"k{i}")) for i in range(MOST + 50)]
    assert asked == [True] * MOST + [False] * 50
    assert kept.inbox.ask("hog", Request("release", {}, {"key": "k0"}))
    assert kept.inbox.ask("other", press("x"))
    assert len(kept.all()) == MOST + 2


def test_what_a_page_asked_for_goes_with_it() -> None:
    kept = Kept()
    kept.inbox.ask("hog", press("up"))
    kept.inbox.ask("other", press("x"))
    kept.inbox.drop("hog", lambda: kept.done.append(("hog", Request("gone"))))
    assert [(who, each.does) for who, each in kept.all()] == [("hog", "gone"), ("other", "press")]


class Notes:
    """Somebody who watches, and keeps notes alone."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def tell_note(self, text: str) -> None:
        self.notes.append(text)

    def tell_stage(self, text: str) -> None: ...
    def tell_status(self, text: str) -> None: ...
    def tell_moment(self, moment: bytes) -> None: ...


@pytest.fixture
def played(path: Path) -> tuple[Game, list[float]]:
    """A game in which each value of a var takes a second."""
    now = [0.0]
    session = Session(path)
    game = Game(session, path.with_name("r.yaml"), clock=lambda: now[0])
    values: list[float] = []

    def set_var(name: str, value: float) -> None:
        now[0] += 1.0
        values.append(value)

    session.set_var = set_var  # type: ignore[method-assign]
    return game, values


def test_a_page_that_asks_for_much_starves_no_other_and_nothing_of_it_stays(
    played: tuple[Game, list[float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox_module, "_LATEST", ())  # as with other keys each time
    game, values = played
    game.join("hog", Notes())
    game.join("other", Notes())
    refused = 0
    for i in range(20_000):
        try:
            game.ask("hog", var("g", i))
        except UsageError:
            refused += 1
    with pytest.raises(UsageError, match="100 requests of this page wait"):
        game.ask("hog", var("g", 0))
    assert refused == 20_000 - MOST
    game.ask("other", Request("play"))
    for _ in range(3):
        game.tick()
    assert game.session.playing
    assert len(values) <= 3  # a tick ends where its time is over
    game.leave("hog")
    before = len(values)
    for _ in range(5):
        game.tick()
    assert len(values) == before


@pytest.mark.parametrize(("tick", "shown"), [(1 / 60, 30), (1 / 20, 60)])
def test_heavy_moments_are_shown_30_times_a_second_or_in_all_ticks_that_take_longer(
    tick: float, shown: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_module, "HEAVY", 0)
    now = [0.0]
    game = Game(Session(path), path.with_name("r.yaml"), clock=lambda: now[0])
    moments: list[bytes] = []
    watcher = Notes()
    watcher.tell_moment = moments.append  # type: ignore[method-assign]
    game.join("page", watcher)
    game.tick()
    game.ask("page", read_request('{"do": "play"}'))
    game.tick()
    del moments[:]
    for _ in range(60):
        now[0] += tick
        game.tick()
    assert abs(len(moments) - shown) <= 1
