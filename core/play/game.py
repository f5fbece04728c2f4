# SPDX-License-Identifier: MIT
"""A session and its viewers: one thread steps, answers requests, and sends news.

The thread that owns the session calls ``run``; everything from elsewhere comes through its inbox.
So two pages see the same world, and none of them waits for another.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

from ..errors import RigidError, SceneError, UsageError
from ..render.sounds import MOST_AT_ONCE, encoded, heard
from ..view.boxes import Box
from .desk import Desk
from .inbox import MOST, Inbox
from .recording import Record
from .replays import OWN, Replays
from .requests import Request, carry_out
from .session import Session
from .status import status
from .survey import survey
from .trouble import Trouble
from .wire import Stage, as_text

TICK = 1 / 60
"""Seconds between two moments that are shown."""
BUDGET = 0.05
"""Seconds for stepping in a tick, at most: what is too much goes slower."""
ANSWER = 0.05
"""Seconds for answering in a tick, after which what is left waits for the next one."""
TOO_FAST = f"{MOST} requests of this page wait; what came after them is left out"
LOOK = 0.1
"""Seconds between two looks at the files."""
REST = 4.0
"""A new page waits for its looks this many times as long as the last looks took to make."""
TELL = 0.1
"""Seconds between two tellings of what changes all the time."""
HEAVY = 1 << 16
"""Bytes of a moment, of about 2000 bodies, from which on at most 30 are shown in a second: every
other tick, or all where they take longer."""
FROM_THE_START = (
    "{name} counts from the start: more depends on it than can be set while the run goes on, "
    "or the run does not go on"
)


class Watcher(Protocol):
    """A receiver of news; its methods never block."""

    def tell_stage(self, text: str) -> None: ...
    def tell_status(self, text: str) -> None: ...
    def tell_note(self, text: str) -> None: ...
    def tell_desk(self, text: str) -> None: ...
    def tell_moment(self, moment: bytes) -> None: ...


@dataclass(slots=True)
class _Watch:
    watcher: Watcher
    wants_contacts: bool = False
    wants_loads: bool = False
    wants_sounds: bool = False
    wants_desk: bool = False
    sounds: dict[str, int] = field(default_factory=dict)  # that it has, and of which version
    traces: frozenset[str] = frozenset()


class Game:
    """A session with its watchers.

    Args:
        session: what is played; from now on only the thread of ``run`` touches it.
        record: where what was played is written on request; a new file beside the scene for None.
        on_trouble: called with what is wrong when that changes.
        mute: no page hears a sound.
        desk: changes the scene's files for pages; without one they have no tools for that.
    """

    def __init__(
        self,
        session: Session,
        record: Path | None = None,
        on_trouble: Callable[[Trouble | None], None] = lambda trouble: None,
        clock: Callable[[], float] = perf_counter,
        mute: bool = False,
        desk: Desk | None = None,
    ) -> None:
        self.session = session
        self.mute = mute
        self.desk = desk
        self.record = Record(session, record)
        self.replays = Replays(session, record)
        self._on_trouble = on_trouble
        self._clock = clock
        self._inbox = Inbox(self._answer)
        self._watches: dict[str, _Watch] = {}
        self._met = False
        self._stage: Stage | None = None
        self._stages = 0
        self._version = 0
        self._seen: tuple[object, Box | None] | None = None
        self._shown: tuple[int, int, bool] | None = None
        self._rests_until = 0.0
        self._told: dict[str, Any] = {}
        self._next_looks = 0.0
        self._trouble: Trouble | None = None
        self._last = self._looked = self._told_at = clock()

    # ------------------------------------------------------------ from other threads

    def join(self, who: str, watcher: Watcher) -> None:
        """Add a viewer."""
        self._inbox.call(lambda: self._join(who, watcher))

    def leave(self, who: str) -> None:
        """Remove a viewer: release all that it holds and drop its pending requests."""
        self._inbox.drop(who, lambda: self._leave(who))

    def ask(self, who: str, request: Request) -> None:
        """Queue a request of a viewer. Raises UsageError where too much of it waits."""
        if not self._inbox.ask(who, request):
            raise UsageError(TOO_FAST)

    # ------------------------------------------------------------ the thread of the session

    def run(self) -> None:
        """Play until an exception, such as an interrupt, ends it."""
        while True:
            self.tick()
            self._wait(self._last + TICK)

    def tick(self) -> None:
        """Answer, look at the files, step as far as is due, and tell what is new.

        Time does not run before the first page is there.
        """
        self._answer_all()
        now = self._clock()
        if now - self._looked >= LOOK:
            self._looked = now
            self.session.reload()
            if self.desk is not None and self.desk.look():
                self._tell_desk()
        self.session.advance(now - self._last if self._met else 0.0, BUDGET)
        self._last = now
        self._tell(now)

    def _wait(self, until: float) -> None:
        """Wait for the next tick; what is asked for is done meanwhile."""
        while (left := until - self._clock()) > 0.0:
            if not self._inbox.take(left):
                return

    def _answer_all(self) -> None:
        until = self._clock() + ANSWER
        while self._inbox.take() and self._clock() < until:
            pass

    # ------------------------------------------------------------ requests

    def _join(self, who: str, watcher: Watcher) -> None:
        self._watches[who] = _Watch(watcher)
        self._met = True
        if self._stage is not None:
            watcher.tell_stage(as_text(self._stage.message))
        self._shown = None
        self._told = {}

    def _leave(self, who: str) -> None:
        self._watches.pop(who, None)
        self.session.leave(who)
        self._told = {}

    def _answer(self, who: str, request: Request) -> None:
        watch = self._watches.get(who)
        if watch is None:
            return
        try:
            if request.does == "save":
                self._note(watch, f"What was played is in {self.record.write()}")
            elif request.does == "want":
                watch.wants_contacts = bool(request.numbers["contacts"])
                watch.wants_loads = bool(request.numbers["loads"])
                watch.wants_sounds = bool(request.numbers["sounds"]) and not self.mute
                watch.traces = frozenset(filter(None, request.words["traces"].split("\n")))
                self._shown = None
            elif request.does == "replay":
                self._replay(watch, request.words["name"])
            elif request.does == "desk":
                self._ask_desk(watch, request.asked)
            else:
                done = carry_out(self.session, who, request)
                if request.does == "now" and not done:
                    self._note(watch, FROM_THE_START.format(**request.words))
                if request.does == "write":
                    self._note(watch, f"{request.words['name']} is written into the file")
        except RigidError as error:
            self._note(watch, str(error))
        self._told_at = 0.0

    def _ask_desk(self, watch: _Watch, asked: Mapping[str, Any]) -> None:
        """Answer what a page asks of the desk; files that it has changed are read at once."""
        if self.desk is None:
            raise UsageError("the files of this scene are not changed from its pages")
        is_new, watch.wants_desk = not watch.wants_desk, True
        try:
            answer = self.desk.answer(asked)
        except SceneError as error:
            answer = {"error": str(error), "problems": [asdict(each) for each in error.problems]}
        except RigidError as error:
            answer = {"error": str(error)}
        told = {"type": "answer", "id": asked.get("id"), **answer}
        watch.watcher.tell_note(as_text(told))
        if self.desk.look():
            self._looked = 0.0
            self._tell_desk()
        elif is_new:
            watch.watcher.tell_desk(as_text(self.desk.state()))

    def _tell_desk(self) -> None:
        assert self.desk is not None
        text = as_text(self.desk.state())
        for watch in self._watches.values():
            if watch.wants_desk:
                watch.watcher.tell_desk(text)

    def _replay(self, watch: _Watch, name: str) -> None:
        missing = self.replays.choose(name)
        if name != OWN and missing:
            settings = " ".join(f"--set {each}" for each in missing)
            self._note(watch, f"{name} was recorded with {settings}, which is not set now")

    @staticmethod
    def _note(watch: _Watch, text: str) -> None:
        watch.watcher.tell_note(as_text({"type": "note", "text": text}))

    # ------------------------------------------------------------ telling

    def _tell(self, now: float) -> None:
        session = self.session
        if session.trouble != self._trouble:
            self._trouble = session.trouble
            self._on_trouble(session.trouble)
            self._told_at = 0.0
        self._sound()
        self._show()
        if now - self._told_at >= TELL:
            self._told_at = now
            found = status(session, len(self._watches))
            found |= {"replays": [*self.replays.files()], "replay": self.replays.chosen}
            if found != self._told:
                self._told = found
                text = as_text(found)
                for watch in self._watches.values():
                    watch.watcher.tell_status(text)

    def _sound(self) -> None:
        """Send sounds to pages, with the bytes that a page does not have yet."""
        session, scene = self.session, self.session.scene
        sounds, session.sounded = heard(session.sounded)[-MOST_AT_ONCE:], []
        if not sounds or scene is None:
            return
        plays = [[each.name, each.volume] for each in sounds]
        names = {each.name for each in sounds}
        for watch in self._watches.values():
            if not watch.wants_sounds:
                continue
            new = [name for name in names if watch.sounds.get(name) != session.version]
            try:
                files = {name: b64encode(encoded(name, scene)).decode("ascii") for name in new}
            except RigidError as error:
                self._note(watch, str(error))
                continue
            watch.sounds |= dict.fromkeys(new, session.version)
            told = {"type": "sounds", "files": files, "plays": plays}
            watch.watcher.tell_note(as_text(told))

    def _show(self) -> None:
        """Tell what the world looks like, where that is new."""
        session = self.session
        contacts = any(watch.wants_contacts for watch in self._watches.values())
        session.loads.wanted = any(watch.wants_loads for watch in self._watches.values())
        wanted = [watch.traces for watch in self._watches.values()]
        session.traces.want(frozenset().union(*wanted))
        now = session.version, session.step, contacts
        if session.world is None or session.scene is None or now == self._shown:
            return
        if not self._watches and self._stage is not None:
            return
        if self._last < self._rests_until and session.mode == "playing":
            return
        frame = session.frame(contacts)
        assert frame is not None
        if self._stage is None or self._version != session.version:
            self._version = session.version
            self._stages += 1
            bare, box = self.desk is not None, self._box()
            number, before = self._stages, self._stage
            self._stage = Stage(number, session.scene, frame, box, before, bare=bare)
            self._tell_stage(self._stage)
        else:
            begun = self._clock()
            if self._stage.take_in(self._stages + 1, frame, now=begun >= self._next_looks):
                self._stages += 1
                self._tell_stage(self._stage)
                self._next_looks = begun + REST * (self._clock() - begun)
        self._shown = now
        loads, traces = session.loads.take(session.world), session.traces.take()
        moment = self._stage.moment(frame, loads, traces)
        self._rests_until = self._last + (1.5 * TICK if len(moment) > HEAVY else 0.0)
        for watch in self._watches.values():
            watch.watcher.tell_moment(moment)

    def _tell_stage(self, stage: Stage) -> None:
        text = as_text(stage.message)
        for watch in self._watches.values():
            watch.watcher.tell_stage(text)

    def _box(self) -> Box | None:
        """The camera's extent, found once for scenes that look alike."""
        scene = self.session.scene
        assert scene is not None
        alike = scene.camera, scene.units, tuple(scene.bodies)
        if self._seen is None or self._seen[0] != alike:
            self._seen = alike, survey(scene)
        return self._seen[1]
