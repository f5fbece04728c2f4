# SPDX-License-Identifier: MIT
"""Playing: what pages send over the wire, files that change meanwhile, and time that goes back.

A case is the scene's text, a line ``---``, then a deed a line as JSON: ``[who, what, ...]``.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from rigid2d.core import load
from rigid2d.core.errors import RigidError, SceneError, SimulationError
from rigid2d.core.play.game import Game
from rigid2d.core.play.requests import KNOWN, read_request
from rigid2d.core.play.session import Session
from rigid2d.core.play.wire import HEAD
from rigid2d.core.world import World

from .parts_grammar import lay_picture
from .scene_check import BORN, born, said
from .scene_grammar import a_tree, written
from .sessions import SEPARATOR
from .values import WORDS, anything, number

SCENE = """\
rigid: 1
vars: {g: {value: 9.81, range: [0, 20]}, size: {value: 0.5, range: [0.1, 0.9]}}
world: {gravity: [0, =-g], duration: 1}
bodies:
  floor: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}
  low: {shape: {box: [1, 1]}, position: [0, 0.5]}
  ship: {shape: {circle: =size}, position: [4, 0.5]}
actuators: {jet: {type: thruster, body: ship, force: [0, 12]}}
controls: {up: jet, down: {set: {ship.gravity_scale: 2}}}
annotations: [{text: "{ship.y:.2f}", corner: top_left}]
"""
FILE = "play.yaml"
RECORD = "record.yaml"
MOST_BODIES = 60
MOST_STEPS = 1000
STEPS_A_SECOND = 60
PLAYERS = ["a", "b"]
SWAPS = [("shape", "shap"), ("9.81", "3"), ("[0, 20]", "[1, 2]"), ("bodies", "bodies: 1\n#")]


class Page:
    """A page that looks at all that it is told."""

    def __init__(self) -> None:
        self.stage: dict[str, Any] = {}

    def tell_stage(self, text: str) -> None:
        self.stage = json.loads(text, parse_constant=_no_number)
        assert self.stage["type"] == "stage", "another message"

    def tell_status(self, text: str) -> None:
        assert json.loads(text, parse_constant=_no_number)["type"] == "status", "another message"

    def tell_note(self, text: str) -> None:
        assert json.loads(text, parse_constant=_no_number)["text"], "a note without words"

    def tell_moment(self, moment: bytes) -> None:
        assert self.stage, "a moment of no stage"
        counts = HEAD.unpack(moment[: HEAD.size])[6:]
        number, _, bodies, joints, actuators, _, sprites, sparks, values, targets, loads, _ = counts
        assert number == self.stage["number"], "a moment of another stage"
        wide = 8 * (3 * bodies + 3 * targets + values)
        wide += 4 * (3 * bodies + 3 * joints + 2 * sprites + sparks + 4 * loads)
        least = HEAD.size + wide + bodies + joints + actuators
        assert len(moment) >= least, "a moment is shorter than it says"


def _no_number(word: str) -> None:
    raise AssertionError(f"{word} is no JSON")


def played(choose: random.Random) -> bytes:
    """A scene and what is done to it."""
    text = SCENE.encode() if choose.random() < 0.6 else written(a_tree(choose))
    deeds = [_deed(choose) for _ in range(choose.choice([4, 12, 30]))]
    return text + SEPARATOR + b"".join(json.dumps(deed).encode() + b"\n" for deed in deeds)


def check_played(case: bytes) -> None:
    """Do it; afterwards what was recorded replays to the same bits."""
    text, _, lines = case.partition(SEPARATOR)
    lay_picture()
    Path(FILE).write_bytes(text)
    Path(RECORD).unlink(missing_ok=True)
    try:
        scene = load(FILE)
        if len(scene.bodies) > MOST_BODIES or born(scene, STEPS_A_SECOND) > BORN:
            return
    except SceneError:
        pass  # a session waits until the scene is mended
    now = [0.0]

    def clock() -> float:
        now[0] += 1e-4
        return now[0]

    session = Session(FILE, clock=clock)
    game = Game(session, Path(RECORD), clock=clock)
    for who in PLAYERS:
        game.join(who, Page())
    for line in lines.decode().splitlines():
        who, what, *given = json.loads(line)
        _do(game, text, who, what, given, now)
        game.tick()
    _check_replay(session, game)


def _do(game: Game, text: bytes, who: str, what: str, given: list[Any], now: list[float]) -> None:
    if what == "wait":
        now[0] += given[0]
    elif what == "send":
        try:
            game.ask(who, read_request(given[0]))
        except RigidError as error:
            said(error)
    elif what == "change":
        old, new = given
        Path(FILE).write_bytes(text.replace(old.encode(), new.encode()))
        now[0] += 1.0
    elif what == "again":
        game.leave(who)
        game.join(who, Page())


def _check_replay(session: Session, game: Game) -> None:
    if session.goal - session.step > MOST_STEPS:
        return
    session.arrive()
    world = session.world
    if world is None or session.trouble is not None or session.outcome or session.source.values:
        return
    game.ask("a", read_request('{"do": "save"}'))
    game.tick()
    if not Path(RECORD).exists() or not _is_as_read(session):
        return
    world = session.world
    assert world is not None
    scene = load(FILE, inputs=RECORD)
    again = World(scene)
    try:
        again.step(world.step_count)
    except SimulationError as error:
        raise AssertionError(f"what was played replays to an error: {error}") from error
    assert again.state_hash() == world.state_hash(), "what was played replays to other bits"


def _is_as_read(session: Session) -> bool:
    """Whether the file is what the session plays."""
    return not session.source.has_changed and session.trouble is None


def _deed(choose: random.Random) -> list[Any]:
    who, how = choose.choice(PLAYERS), choose.random()
    if how < 0.35:
        return [who, "wait", choose.choice([0.02, 0.05, 0.2, 1.0, 30.0])]
    if how < 0.4:
        return [who, "change", *choose.choice([*SWAPS, ("", "")])]
    if how < 0.43:
        return [who, "again"]
    return [who, "send", a_request(choose)]


def a_request(choose: random.Random) -> str:
    """A request as a page may send it, or one that none would."""
    does = choose.choice(sorted(KNOWN))
    point = [choose.choice([0.0, 0.5, 4.0, number(choose)]) for _ in range(2)]
    asked: dict[str, Any] = {
        "do": does,
        "time": choose.choice([0, 0.5, 0.1, number(choose)]),
        "speed": choose.choice([1, 4, number(choose)]),
        "key": choose.choice(["up", "down", "space", *WORDS]),
        "name": choose.choice(["g", "size", "n", *WORDS]),
        "value": choose.choice([3, 0.5, number(choose)]),
        "contacts": choose.choice([0, 1, True]),
        "reach": choose.choice([0, 1, number(choose)]),
        "x": point[0],
        "y": point[1],
    }
    if choose.random() < 0.15:
        asked[choose.choice([*asked])] = anything(choose)
    text = json.dumps(asked)
    if choose.random() < 0.05:
        at = choose.randrange(len(text))
        text = choose.choice([text[:at], text[:at] + "\x00" + text[at:], "[" * 5000, "9" * 5000])
    return text
