# SPDX-License-Identifier: MIT
"""`Write` while the scene's file is damaged: a note with line and column, and the game goes on."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from rigid2d.core.edit.sliders import with_value
from rigid2d.core.errors import RigidError
from rigid2d.core.play.game import Game
from rigid2d.core.play.requests import Request
from rigid2d.core.play.session import Session
from rigid2d.core.play.status import status

from tests.play.conftest import SCENE
from tests.rows import every_row
from tests.search import tries

RAW = SCENE.encode()
DAMAGES = {
    "half typed": b"rigid: 1\nvars:\n  g: {value: 9.8",
    "half a key": RAW + b"mater",
    "an open quote": RAW.replace(b"duration: 4", b'duration: "4'),
    "an open list": RAW.replace(b"[0, =-g]", b"[0, =-g"),
    "brackets of two kinds": RAW.replace(b"[0, =-g]", b"[0, =-g}"),
    "not UTF-8": RAW.replace(b"the comment", b"the \xe4omment"),
    "half a character": RAW + "# ü".encode()[:-1],
    "UTF-16": SCENE.encode("utf-16"),
    "UTF-16 of the other end": b"\xfe\xff" + SCENE.encode("utf-16-be"),
    "UTF-32": SCENE.encode("utf-32"),
    "two documents": RAW + b"---\nrigid: 1\n",
    "an unknown alias": RAW.replace(b"value: 9.81", b"value: *number"),
    "an alias in its anchor": RAW.replace(b"{value: 9.81", b"&a {value: *a"),
    "a tag": RAW.replace(b"value: 9.81", b"value: !!python/name:os.system 9.81"),
    "a directive": b"%YAML 9.9\n---\n" + RAW,
    "a key twice": RAW + b"vars: {g: 1}\n",
    "a tab": RAW.replace(b"  g: {", b"\tg: {"),
    "a tab between": RAW.replace(b"g: {value", b"g:\t\t{\tvalue").replace(
        b"\nbodies", b"\n\tbodies"
    ),
    "deep nesting": RAW.replace(b"9.81", b"[" * 5000 + b"]" * 5000),
    "deep nesting that is open": RAW + b"x: " + b"[" * 200_000,
    "deep nesting of blocks": RAW + b"".join(b" " * i + b"a:\n" for i in range(2000)),
    "deep keys": RAW + b"? " * 3000,
    "NUL": RAW.replace(b"the comment", b"the\0comment"),
    "ESC": RAW.replace(b"the comment", b"the\x1b[2Jcomment"),
    "DEL": RAW.replace(b"9.81", b"9.8\x7f1"),
    "a character that is none": RAW.replace(b"the comment", "\ufffe".encode()),
    "a lone surrogate": RAW.replace(b"the comment", b"\xed\xa0\x80"),
    "nothing": b"",
    "a comment alone": b"# nothing\n",
    "a list": b"- 1\n- 2\n",
    "a word": b"rigid",
    "no vars": b"rigid: 1\n",
    "vars that are a list": b"rigid: 1\nvars: [1, 2]\n",
    "a var that is a list": b"rigid: 1\nvars: {g: [1]}\n",
    "a value that is a list": b"rigid: 1\nvars: {g: {value: [1]}}\n",
    "a value in a block": b"rigid: 1\nvars:\n  g: |\n    9.81\n",
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
}
WITHOUT_A_PLACE = {"no vars", "vars that are a list", "a list", "a word"}
"""What is whole YAML, and says nothing of the var: there is no line to name."""


class Watcher:
    """A page that keeps what it is told."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.moments = 0
        self.statuses: list[str] = []

    def tell_stage(self, text: str) -> None:
        json.loads(text)

    def tell_status(self, text: str) -> None:
        self.statuses.append(text)

    def tell_note(self, text: str) -> None:
        self.notes.append(json.loads(text)["text"])

    def tell_moment(self, moment: bytes) -> None:
        self.moments += 1


class Table:
    """A game that two pages watch, ticked by hand."""

    def __init__(self, path: Path) -> None:
        self.path, self.now = path, 0.0
        self.session = Session(path)
        self.session.play()
        self.game = Game(self.session, path.with_name("r.yaml"), clock=lambda: self.now)
        self.pages = {"a": Watcher(), "b": Watcher()}
        for name, page in self.pages.items():
            self.game.join(name, page)
        self.tick()

    def tick(self, seconds: float = 1 / 60) -> None:
        self.now += seconds
        self.game.tick()

    def ask(self, does: str, name: str, value: float = 0.0) -> None:
        self.game.ask("a", Request(does, {"value": value}, {"name": name}))
        self.tick()


@pytest.mark.parametrize(
    ("damage", "slider", "read_again"),
    [
        (damage, *ways[(number // 2 + turn) % 4])
        for ways in [[("var", True), ("now", False), ("now", True), ("var", False)]]
        for number, damage in enumerate(DAMAGES)
        for turn in range(tries(number % 2, 4))
    ],
)
def test_a_damaged_file_is_a_note_and_the_game_goes_on(
    path: Path, damage: str, slider: str, read_again: bool
) -> None:
    table = Table(path)
    table.ask(slider, "g", 3.0)
    path.write_bytes(DAMAGES[damage])
    if read_again:
        table.tick(0.2)
    step = table.session.step
    table.ask("write", "g")
    (note,) = table.pages["a"].notes
    if not read_again:
        assert "changed meanwhile" in note
    elif damage not in WITHOUT_A_PLACE:
        assert re.search(r"scene\.yaml:\d+:\d+: ", note), note
    assert "Traceback" not in note
    assert path.read_bytes() == DAMAGES[damage]
    assert table.session.var_values() == {"g": 3.0}, "the slider is where it was"
    table.tick(0.2)
    table.tick(0.2)
    assert table.session.step > step
    assert table.pages["b"].notes == []
    assert table.pages["b"].moments > 2
    path.write_bytes(RAW)
    table.tick(0.2)
    table.ask("write", "g")
    assert path.read_bytes() == RAW.replace(b"9.81", b"3")
    assert table.session.trouble is None


PIECES = [
    b"\t",
    b"\0",
    b"\x1b",
    b"\x85",
    b"\xc2\x85",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"[",
    b"]",
    b"{",
]
PIECES += [
    b"}",
    b"*a",
    b"&a ",
    b"- ",
    b"? ",
    b": ",
    b"'",
    b'"',
    b"|\n",
    b">\n",
    b"\n---\n",
    b"\n...\n",
]
PIECES += [b"!!int ", b"! ", b"%", b"@", b"`", b"<<: ", b"#", b",", b"\r", b"\r\n", b"\xe2\x80\xa8"]
PIECES += ["é".encode(), "😀".encode(), b"\n  ", b"vars: ", b"g: 1", b"=", b"\\"]


def damaged(seed: int) -> bytes:
    """The scene with some pieces put in, taken out or written over."""
    choose = random.Random(seed)
    data = bytearray(RAW)
    for _ in range(choose.choice((1, 1, 2, 3, 8))):
        # Half of the time in or near the value that is written.
        place = choose.choice((choose.randrange(len(data) + 1), 60 + choose.randrange(45)))
        data[place : place + choose.choice((0, 0, 1, 5))] = choose.choice(PIECES)
    return bytes(data)


G = ("vars", "g")


@pytest.mark.parametrize("seed", range(0, tries(2_000, 20_000), 1000))
def test_whatever_the_damage_is_a_value_is_written_alone_or_not_at_all(seed: int) -> None:
    for each in range(seed, seed + 1000):
        data = damaged(each)
        try:
            changed = with_value(data, G, "3.25", "scene.yaml")
        except RigidError:
            continue
        same = next(
            (i for i, (a, b) in enumerate(zip(data, changed, strict=False)) if a != b), len(data)
        )
        rest = changed[same:].partition(b"25")[2] or changed[same:]
        assert data.endswith(rest[-20:]), each
        assert changed.count(b"3.25") == data.count(b"3.25") + 1, each


@pytest.mark.parametrize("seed", range(tries(8, 30)))
def test_a_game_outlives_any_damage(path: Path, seed: int) -> None:
    table = Table(path)
    table.ask("var", "g", 3.0)
    for each in range(8):
        path.write_bytes(damaged(30_000 + 8 * seed + each))
        table.tick(0.2)
        table.ask("write", "g")
        assert json.loads(json.dumps(status(table.session, 2)))["type"] == "status"
    path.write_bytes(RAW)
    table.tick(0.2)
    step = table.session.step
    table.tick(0.2)
    assert table.session.trouble is None
    assert table.session.step > step


@every_row("form", ["9.81", "'9.81'", '"9.81"', "9.81 ", "+9.81e0", "\n    9.81"])
def test_the_number_is_found_in_any_form(form: str) -> None:
    text = SCENE.replace("value: 9.81", f"value: {form}").replace("range", "😀: é, range")
    changed = with_value(text.encode(), G, "2", "s.yaml")
    assert changed.decode() == text.replace(form.strip(), "2")
    with_mark = with_value(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(), G, "2", "s.yaml")
    assert with_mark == b"\xef\xbb\xbf" + changed.replace(b"\n", b"\r\n")


def test_who_begins_with_errors_is_not_told_that_a_good_scene_goes_on(path: Path) -> None:
    path.write_text("rigid: [", encoding="utf-8")
    session = Session(path)
    assert status(session, 1)["trouble"]["goes_on"] is False
    path.write_text(SCENE, encoding="utf-8")
    session.reload()
    path.write_text("rigid: [", encoding="utf-8")
    session.reload()
    assert status(session, 1)["trouble"]["goes_on"] is True
