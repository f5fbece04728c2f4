# SPDX-License-Identifier: MIT
"""A scene's files while they are edited: versions, undo and redo, and changes by other programs.

The files on the disk are the state. An edit is made on what they have now; what another program
wrote meanwhile is taken in first, and stays where an edit is undone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from time import perf_counter
from typing import Any

from ..errors import Problem, SceneError, UsageError
from ..scene.loading import loads
from ..scene.model import Scene
from ..scene.text.sources import unsaved
from .copies import fold, own_entry
from .files import ChangedError, Files
from .kinds import KINDS, ON_COPIES, absolute
from .messages import (
    Align,
    Distribute,
    Message,
    Move,
    Redo,
    ReplaceText,
    Scale,
    TakePose,
    Turn,
    Undo,
    read_message,
)
from .outlines import points_of
from .text.draft import Draft
from .text.nodes import Text
from .text.splices import Splice, applied, between, inverse, through
from .text.texts import Asked, Refused
from .unrolling import unroll

TRIES = 8
"""Number of times that an edit is made anew on a text that changes meanwhile."""
STEPS = 500
"""Number of edits that can be undone."""
PAST = 100
"""Number of versions whose later changes are known."""
RECENT = 4
"""Number of loaded scenes that are kept, for texts that are undone."""
QUICK = 0.05
"""Seconds in which a scene is loaded that is checked at every edit, also where a number moves."""

SAFE = (Move, Turn, Scale, TakePose, Align, Distribute)
"""Edits that make no scene wrong where they change nothing but plain numbers."""

Splices = Mapping[str, Sequence[Splice]]


@dataclass
class Step:
    """An edit that can be undone, or done again."""

    what: str
    forward: dict[str, list[Splice]]
    backward: dict[str, list[Splice]]
    gesture: str | None = None
    blocked: str = ""


@dataclass
class Past:
    """The texts of an earlier version."""

    texts: dict[str, str] = field(default_factory=dict)


class Document:
    """The files of one scene.

    Attributes:
        version: counts changes of the texts, also those by other programs.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        assets: str | Path | None = None,
        overrides: Sequence[str] = (),
    ) -> None:
        self.path = Path(path)
        self.files = Files(self.path, None if assets is None else Path(assets))
        self.assets = assets
        self.overrides = tuple(overrides)
        self.version = 1
        self._lock = RLock()
        self._texts: dict[str, Text] = {}
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._past: dict[int, dict[str, str]] = {}
        self._scene: Scene | None = None
        self._recent: dict[tuple[str, ...], Scene] = {}
        self._seconds = 0.0
        self._is_checked = False
        self._remember()

    # ------------------------------------------------------------ what there is

    @property
    def texts(self) -> dict[str, str]:
        """The texts of the files that are known, by name; the scene's own is the first."""
        return {name: file.text for name, file in self.files.known.items()}

    def scene(self) -> Scene:
        """The scene as the texts say it. Raises SceneError for what is wrong in them."""
        with self._lock:
            if self._scene is None:
                self._scene = self._load({})
                self._is_checked = True
                for name in self.files.known:
                    self._text(name)  # so that the first edit finds it read
            return self._scene

    def prepare(self) -> None:
        """Read the structure of the text now, so that the first edit is as quick as later ones.

        It takes about as long as loading the scene, which was not loaded here yet.
        """
        with self._lock, suppress(SceneError):
            begin = perf_counter()
            self._text(self.files.main)
            self._seconds = self._seconds or perf_counter() - begin

    def points(self, body: str) -> dict[int, list[tuple[float, float]]]:
        """The points of the polygons and chains of a body as the files say them, by the number of
        the shape; none of those that are no numbers, or are said elsewhere."""
        with self._lock:
            texts = {name: self._text(name) for name in self.files.known}
            everywhere = {"generated": "generator", "instance": "prototype", "included": "there"}
            self._draft = draft = Draft(texts, self.scene, everywhere, self._found)
            try:
                return points_of(draft, f"bodies.{body}")
            except (Refused, Asked, SceneError):
                return {}

    def take(self, scene: Scene) -> None:
        """Use a scene that was loaded elsewhere from the same text."""
        with self._lock:
            if scene.text == self.files.known[self.files.main].text and not self.overrides:
                self._scene = scene
                self._is_checked = True

    def _load(self, texts: Mapping[str, str]) -> Scene:
        """The scene with other texts in some files."""
        known = self.files.known
        contents = {
            file.path: file.bytes_of(texts.get(name, file.text)) for name, file in known.items()
        }
        main = texts.get(self.files.main, known[self.files.main].text)
        begin = perf_counter()
        with unsaved(contents):
            scene = loads(
                main,
                path=self.files.main,
                folder=self.files.folder,
                assets=self.assets,
                overrides=self.overrides,
            )
        self._seconds = perf_counter() - begin
        self._recent[self._key(texts)] = scene
        for old in [*self._recent][:-RECENT]:
            del self._recent[old]
        return scene

    def _key(self, texts: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(texts.get(name, file.text) for name, file in self.files.known.items())

    def _forget_scene(self) -> None:
        """The texts are others: their scene is known if they were the same a short while ago."""
        self._scene = self._recent.get(self._key({}))
        self._is_checked = self._scene is not None

    def _text(self, name: str) -> Text:
        text = self.files.known[name].text
        known = self._texts.get(name)
        if known is None or known.text != text:
            known = self._texts[name] = Text(text, name)
        return known

    def _remember(self) -> None:
        self._past[self.version] = self.texts
        for old in [each for each in self._past if each <= self.version - PAST]:
            del self._past[old]

    # ------------------------------------------------------------ what is done

    def look(self) -> dict[str, Any] | None:
        """Read the changes of other programs; return an answer if there are any.

        A file that cannot be read, such as a removed one, keeps the text that was read last; edits
        of it are refused until it can be read again.
        """
        with self._lock:
            before = self.texts
            try:
                if not self._take_in():
                    return None
            except (UsageError, SceneError):
                return None
            return self._answer("Changed outside", before)

    def do(self, message: Message | Mapping[str, Any]) -> dict[str, Any]:
        """Do an edit, or ask, or refuse; the answer as plain data, see `messages`."""
        with self._lock:
            try:
                given = message if isinstance(message, Message) else read_message(message)
                with self.files.locked():
                    return self._tried(given)
            except Asked as asked:
                return {"ask": [asked.plain()], "version": self.version}
            except Refused as error:
                return self._refusal(str(error), error.at, error.differs)
            except SceneError as error:
                return self._refusal(str(error), error.problems[0], [])
            except UsageError as error:
                return self._refusal(str(error), None, [])

    def _tried(self, message: Message) -> dict[str, Any]:
        """Do an edit; again on the new text if another program wrote it meanwhile."""
        for _ in range(TRIES):
            self._take_in()
            try:
                return self._do(message)
            except ChangedError:
                continue
        raise Refused("another program writes the file all the time; try again")

    def _refusal(self, why: str, at: Problem | None, differs: Sequence[str]) -> dict[str, Any]:
        place = None
        if at is not None:
            place = {
                "file": at.file, "line": at.line, "column": at.column, "path": at.path,
                "message": at.message,
            }  # fmt: skip
        return {"refused": why, "at": place, "differs": [*differs], "version": self.version}

    def _do(self, message: Message) -> dict[str, Any]:
        if isinstance(message, Undo):
            return self._undo()
        if isinstance(message, Redo):
            return self._redo()
        before = self.texts
        if isinstance(message, ReplaceText):
            return self._replace_text(message, before)
        self._check_trouble()
        self._check_seen(message)
        draft = Draft(
            {name: self._text(name) for name in self.files.known},
            self.scene,
            message.choices,
            self._found,
            self._load,
            self._seconds < 6 * QUICK,
            unroll,
            own_entry if isinstance(message, ON_COPIES) else None,
        )
        self._draft = draft
        what = KINDS[type(message)](draft, message)
        fold(draft)
        new = {
            name: each.text
            for name, each in draft.texts.items()
            if each.text != before.get(name, self.files.known[name].text)
        }
        before = self.texts  # also of files that were found to be included
        if not new:
            return self._answer(what, before, draft)
        scene = self._checked(message, draft, new)
        self.files.write(new)
        self._texts.update({name: draft.texts[name] for name in new})
        self._scene = scene
        self._push(what, before, message.gesture)
        return self._answer(what, before, draft)

    def _found(self, name: str, by: str) -> str | None:
        """A file that is included: its name; it is one of the draft's then."""
        found = self.files.find(name, by)
        if found is not None and found not in self._draft.texts:
            self._draft.texts[found] = self._draft.first[found] = self._text(found)
        return found

    def _checked(self, message: Message, draft: Draft, new: Mapping[str, str]) -> Scene | None:
        """The scene of new texts; None where it need not be loaded to know that it is one."""
        safe = isinstance(message, SAFE) and draft.only_numbers and self._is_checked
        if safe and self._seconds > QUICK:
            return None
        try:
            return self._load(new)
        except SceneError as error:
            first = error.problems[0]
            raise Refused(f"this would make the scene wrong: {first.message}", first) from None

    def _check_trouble(self) -> None:
        """Raise Refused while the texts are wrong, with the place."""
        if self._is_checked:
            return
        try:
            self.scene()
        except SceneError as error:
            first = error.problems[0]
            raise Refused(f"the text is wrong; mend it first: {first.message}", first) from None

    def _check_seen(self, message: Message) -> None:
        """Raise Refused if what a message sets has changed since the version that was seen."""
        seen = message.version
        if seen is None or seen == self.version:
            return
        old = self._past.get(seen)
        if old is None:
            if seen > self.version:
                raise Refused(f"there is no version {seen} yet; this is version {self.version}")
            raise Refused(f"version {seen} is too old; this is version {self.version}")
        differs = []
        for name, path in absolute(message):
            then = _said(old.get(name or self.files.main), name or self.files.main, path)
            now = _said(self.texts.get(name or self.files.main), name or self.files.main, path)
            if then != now:
                was = "it was not there" if then is None else f"it was {_short(then)}"
                differs.append(f"{path} is {_short(now)} now; {was}")
        if differs:
            raise Refused("it was changed meanwhile: " + "; ".join(differs), None, differs)

    def _replace_text(self, message: ReplaceText, before: dict[str, str]) -> dict[str, Any]:
        name = message.file
        if name not in self.files.known:
            raise Refused(f"{name} is no file of this scene; its files: {', '.join(before)}")
        if message.version is not None and message.version != self.version:
            then = self._past.get(message.version, {}).get(name)
            if then != before[name]:
                raise Refused(f"{name} was changed meanwhile", None, [f"the text of {name}"])
        if message.text != before[name]:
            self.files.write({name: message.text})
            self._forget_scene()
            self._push("Change the text", before, message.gesture)
        return self._answer("Change the text", before)

    # ------------------------------------------------------------ steps

    def _push(self, what: str, before: Mapping[str, str], gesture: str | None) -> None:
        now = self.texts
        last = self._done[-1] if self._done else None
        if gesture is not None and last is not None and last.gesture == gesture:
            start = {
                name: applied(before[name], last.backward[name]) if name in last.backward else text
                for name, text in before.items()
            }
            self._done[-1] = _step(what, start, now, gesture)
        else:
            self._done.append(_step(what, before, now, gesture))
            del self._done[:-STEPS]
        self._undone.clear()
        self._next()

    def _next(self) -> None:
        self.version += 1
        self._remember()

    def _undo(self) -> dict[str, Any]:
        if not self._done:
            raise Refused("there is nothing to undo")
        step = self._done[-1]
        before = self._apply(step, step.backward)
        self._undone.append(self._done.pop())
        return self._answer(f"Undo: {step.what}", before)

    def _redo(self) -> dict[str, Any]:
        if not self._undone:
            raise Refused("there is nothing to do again")
        step = self._undone[-1]
        before = self._apply(step, step.forward)
        self._done.append(self._undone.pop())
        return self._answer(f"Redo: {step.what}", before)

    def _apply(self, step: Step, splices: Splices) -> dict[str, str]:
        if step.blocked:
            raise Refused(step.blocked, None, [step.blocked])
        before = self.texts
        new = {name: applied(before[name], each) for name, each in splices.items()}
        self.files.write(new)
        self._forget_scene()
        self._next()
        return before

    def _take_in(self) -> bool:
        """Take in what other programs wrote; whether that was anything."""
        changed = self.files.changed_outside()
        if not changed:
            return False
        before = self.texts
        self.files.known.update(changed)
        outside = {name: between(before[name], file.text) for name, file in changed.items()}
        outside = {name: each for name, each in outside.items() if each}
        self._forget_scene()
        _rebase(self._done[::-1], outside, backward=True)
        _rebase(self._undone[::-1], outside, backward=False)
        self._next()
        return True

    def _answer(
        self, what: str, before: Mapping[str, str], draft: Draft | None = None
    ) -> dict[str, Any]:
        files = {}
        for name, text in self.texts.items():
            old = before.get(name, text)
            if old != text:
                changed = [list(each) for each in between(old, text)]
                files[name] = {"text": text, "changed": changed}
        return {
            "done": True,
            "version": self.version,
            "what": what,
            "undo": self._done[-1].what if self._done else None,
            "redo": self._undone[-1].what if self._undone else None,
            "files": files,
            "names": [] if draft is None else draft.names,
            "notes": [] if draft is None else [*dict.fromkeys(draft.notes)],
        }


def _step(
    what: str, before: Mapping[str, str], now: Mapping[str, str], gesture: str | None
) -> Step:
    forward = {
        name: between(before[name], text)
        for name, text in now.items()
        if name in before and before[name] != text
    }
    backward = {name: inverse(before[name], each) for name, each in forward.items()}
    return Step(what, forward, backward, gesture)


def _rebase(steps: Sequence[Step], outside: Splices, *, backward: bool) -> None:
    """Make steps, the next first, fit the texts with changes by other programs in them."""
    why = ""
    current = {name: list(each) for name, each in outside.items()}
    for step in steps:
        step.gesture = None
        if why or step.blocked:
            step.blocked = step.blocked or why
            why = step.blocked
            continue
        first, second = (step.backward, step.forward) if backward else (step.forward, step.backward)
        for name, others in current.items():
            if name not in first:
                continue
            here = first[name]
            moved, beyond = through(here, others), through(others, here)
            back = None if beyond is None else through(second[name], beyond)
            if moved is None or beyond is None or back is None:
                why = f"`{step.what}` cannot be undone: {name} was changed at the same place"
                step.blocked = why
                break
            first[name], second[name] = moved, back
            current[name] = beyond


def _said(text: str | None, name: str, path: str) -> str | None:
    """The characters of an object or a value at a path, as far as they can be found."""
    if text is None:
        return None
    try:
        node = Text(text, name).root
    except SceneError:
        return None
    from .places import keys_in

    found = node.at(keys_in(node, path))
    return None if found is None else found.source


def _short(text: str | None) -> str:
    if text is None:
        return "not there"
    return text if len(text) <= 60 else f"{text[:57]}..."
