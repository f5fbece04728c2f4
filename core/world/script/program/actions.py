# SPDX-License-Identifier: MIT
"""The actions and inputs of a script, as its native program has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ....scene.event_model import Action, Selector
from ....scene.model import Scene
from ....scene.script import TimedSetting, Value
from ..event_conditions import EVENT_BODIES, needed_of
from ..player import Player
from .attaching import ProgramAttaching
from .births import NOBODY, Members, ProgramBirths
from .breaking import ProgramBreaking
from .own import FIRST
from .values import ProgramValues, SetTarget
from .writer import HOST, NONE, Writer

INPUTS = ("press", "release", "do", "set", "host")
"""As ``InputKind`` of ``native/script/program.h``."""
_DEEDS = (
    *("host", "set", "add", "impulse", "play", "stop", "log", "sound", "end"),
    *("spawn", "remove", "destroy", "attach", "move", "reach", "explode", "copy"),
)
_NATIVE = {
    **{deed: deed for deed in _DEEDS[1:] if deed != "remove"},
    "delete": "remove",
    "detach": "remove",
}
"""The native deed of each kind of action."""
_OF_SCENE = ("copy",)
"""Deeds that are not native in the scripts of copies."""


@dataclass(frozen=True, slots=True)
class _WrittenAction:
    """An action as it is written: what is done to what, and where."""

    deed: str
    what: int
    spot: bytes
    amount: list[tuple[int, float]]
    target: SetTarget
    given: list[tuple[int, float]]
    members: Members
    is_native: bool


@dataclass(slots=True)
class ProgramActions:
    """Writes actions.

    Attributes:
        tag_of: a function that finds the bit of a tag.
        deeds: by the path of an event, or of what a key asks for, the action and the setting
            behind each of its actions.
        needs_host: whether any of them is left to Python.
        copies: whether any of them copies bodies, which Python does.
    """

    scene: Scene
    values: ProgramValues
    births: ProgramBirths
    breaking: ProgramBreaking
    attaching: ProgramAttaching
    tag_of: Callable[[str], int]
    deeds: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    needs_host: bool = False
    copies: bool = False
    moves: list[bytes] = field(default_factory=list)
    reaches: list[bytes] = field(default_factory=list)

    def put(
        self, to: Writer, path: str, actions: Iterable[Action], who: Sequence[Selector] = ()
    ) -> None:
        """The actions of a path; each setting of one is an action of its own. ``who`` are the
        bodies of the event."""
        actions = [*actions]
        written = [
            [self._written(part, who) for part in each] for each in map(self._parts_of, actions)
        ]
        natively = [all(each.is_native for each in every) for every in written]
        keeps = keeping(actions, natively)
        singles: list[tuple[_WrittenAction, bool | None, Action]] = []
        behind: list[tuple[int, int]] = []
        for i, every in enumerate(written):
            singles += [(each, keeps[i], actions[i]) for each in every]
            behind += [(i, k) for k in range(len(every))]
        if behind or path not in self.deeds:  # which the rules of some copies leave out
            self.deeds[path] = behind
        to.each(singles, lambda each: self._put_action(to, *each))

    def _parts_of(self, action: Action) -> list[Action]:
        """An action, or one for each of its settings."""
        if action.kind not in ("set", "add") or len(action.values) < 2:
            return [action]
        return [replace(action, values={key: value}) for key, value in action.values.items()]

    def _put_action(
        self, to: Writer, each: _WrittenAction, keeps: bool | None, whole: Action
    ) -> None:
        changed, read = needed_of(whole)
        deed = "host" if keeps is None else each.deed
        self.needs_host |= deed == "host" or not each.is_native
        to.byte(_DEEDS.index(deed))
        to.whole(each.what)
        for text in (changed, read):
            to.byte(("$a" in text) + 2 * ("$b" in text))
        to.byte(bool(keeps))
        each.members.put(to)
        to.raw(each.spot)
        to.value(each.amount)
        self.values.put_target(to, each.target)
        to.value(each.given)

    def _written(self, action: Action, who: Sequence[Selector]) -> _WrittenAction:
        """The deed and the numbers of an action, or of one of its settings."""
        values, what = self.values, NONE
        deed = _NATIVE.get(action.kind, "host")
        if values.own is not None and deed in _OF_SCENE:
            deed = "host"
        amount, spot = [(NONE, 0.0)], self.births.spot("")
        target, given = SetTarget(), [(NONE, 0.0)]
        members: Members | None = NOBODY
        if deed in ("set", "add"):
            target, given = self._assigned(action)
            deed = "host" if target.name == "host" else deed
        elif deed == "impulse":
            blown, amount = self._blow(action)
            spot = self.births.spot(action.at)
            deed, what = ("host", NONE) if blown is None else (deed, blown)
        elif deed == "explode":
            values.forms.needed = True
            amount = [*values.value(action.amount), (NONE, action.radius)]
            spot = self.births.spot(action.at)
        elif deed in ("move", "copy", "reach"):
            what = self._reached(action) if deed == "reach" else self._moved(action)
            spot = self.births.spot(action.at)
            deed = "host" if what == NONE else deed
            if deed in ("move", "copy"):
                self.copies |= deed == "copy"
                members = self.births.members(action.name, self.tag_of)
        elif deed in ("play", "stop"):
            what = self._played(action.name)
            deed = "host" if what == NONE else deed
        elif deed in ("log", "sound", "end"):
            what = values.text(action.name)
            if deed == "sound":
                amount = values.value(action.amount)
        elif action.spawn is not None:
            what = self.births.spawn(action.spawn, action.path)
            deed = "host" if what == HOST else deed
        elif deed == "destroy":
            broken = self.breaking.destroy(action)
            what, members = (NONE, None) if broken is None else (broken[0], Members((broken[1],)))
        elif deed == "attach":
            place = self.attaching.attach(action, who, values.own)
            what, members = (NONE, None) if place is None else (place, NOBODY)
        elif action.kind == "detach":
            members = self.births.detached(action.name)
        elif deed == "remove":
            members = self.births.members(action.name, self.tag_of)
        if members is None or spot is None:
            deed, members, spot = "host", NOBODY, self.births.spot("") or b""
        worked_out = [place for place, _ in (*amount, *given)]
        is_native = deed != "host" and HOST not in worked_out
        return _WrittenAction(deed, what, spot, amount, target, given, members, is_native)

    def _played(self, name: str) -> int:
        """The number of an animation; NONE if Python looks for it."""
        own = self.values.own
        names = [*(self.scene if own is None else own.prototype).animations]
        place = names.index(name) if name in names else NONE
        return place if own is None or place == NONE else FIRST - place

    def _assigned(self, action: Action) -> tuple[SetTarget, list[tuple[int, float]]]:
        """Target and value of the only setting of an action."""
        ((path, value),) = action.values.items()
        state = [*self.scene.state]
        name = path if action.kind == "add" else path.removeprefix("state.")
        if name in state and (action.kind == "add" or path.startswith("state.")):
            return SetTarget("variable", state.index(name)), self.values.value(value)
        return self.values.setting(path, value)

    def _blow(self, action: Action) -> tuple[int | None, list[tuple[int, float]]]:
        """The body of an impulse, None if Python looks for it; and the impulse."""
        what = self.births.owner(action.name)
        if what is None:
            return None, [(NONE, 0.0)]
        return what, self.values.value(action.amount, 2)

    def _moved(self, action: Action) -> int:
        """The place of a motion; NONE for one that Python works out."""
        motion, values, to = action.motion, self.values, Writer()
        assert motion is not None
        by, angle = values.value(motion.by, 2), values.value(motion.angle)
        velocity = values.value((0.0, 0.0) if motion.velocity is None else motion.velocity, 2)
        if HOST in [place for place, _ in (*by, *angle, *velocity)]:
            return NONE
        to.value(by)
        to.numbers(*angle)
        to.byte(motion.velocity is not None)
        to.value(velocity)
        self.moves.append(to.bytes())
        return len(self.moves) - 1

    def _reached(self, action: Action) -> int:
        """The place of a chain of hinges; NONE for one that Python moves."""
        chain, values, to = action.reach, self.values, Writer()
        assert chain is not None
        own = values.own
        tip = self.births.spot(chain.tip)
        joints = (self.scene if own is None else own.prototype).joints
        if tip is None or any(name not in joints for name in chain.joints):
            return NONE
        to.whole(NONE if own is None else own.place)
        to.raw(tip)
        hinges = [*zip(chain.joints, chain.ends, strict=True)]
        to.each(hinges, lambda hinge: values.put_hinge(to, *hinge))
        self.reaches.append(to.bytes())
        return len(self.reaches) - 1

    def put_tables(self, to: Writer) -> None:
        """Write the motions and the chains."""
        to.each(self.moves, to.raw)
        to.each(self.reaches, to.raw)


def native_sets(scene: Scene, values: ProgramValues) -> tuple[Mapping[str, Value], ...]:
    """The timed settings of a scene's inputs that the engine can do."""
    timed = [each.sets for each in scene.inputs if isinstance(each, TimedSetting) and each.sets]
    return tuple(each for each in timed if not values.are_for_host(each))


def input_rows(
    player: Player,
    keys: Sequence[str],
    asked: Sequence[str],
    sets: Sequence[Mapping[str, Value]],
    step: int,
) -> list[tuple[int, int, int]]:
    """The inputs from a step on, but for drags: the step, the kind, and a place in a table."""
    places = {key: place for place, key in enumerate(keys)}
    settings = {id(each): place for place, each in enumerate(sets)}
    rows: list[tuple[int, int, int]] = []
    for at, acts in player.timeline().items():
        for what, key, values in acts if at >= step else ():
            if what in ("press", "release") and key in places:
                rows.append((at, INPUTS.index(what), places[key]))
            elif what == "do":
                if asked:
                    rows.append((at, INPUTS.index(what), asked.index(f"inputs[{key}]")))
            elif what == "set" and id(values) in settings:
                rows.append((at, INPUTS.index(what), settings[id(values)]))
            elif what != "set" or values:
                rows.append((at, INPUTS.index("host"), 0))
    return rows


_TAKES_OUT = ("delete", "destroy")


def keeping(actions: Sequence[Action], natively: Sequence[bool]) -> list[bool | None]:
    """Whether before each action the numbers of the event's bodies are kept for later ones; None
    where the host has to, since one of those is left to it.

    ``natively`` says which actions are not left to it.
    """
    ends = [i for i, action in enumerate(actions) if action.kind in _TAKES_OUT]
    reads = [any(key in needed_of(each)[1] for key in EVENT_BODIES) for each in actions]
    found: list[bool | None] = [False] * len(actions)
    if not ends or not any(reads[ends[0] + 1 :]):
        return found
    for i in ends:
        by_host = any(
            read and not native
            for read, native in zip(reads[i + 1 :], natively[i + 1 :], strict=True)
        )
        found[i] = None if by_host else True
    return found
