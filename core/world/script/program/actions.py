# SPDX-License-Identifier: MIT
"""The actions and inputs of a script, as its native program has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

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
from .writer import NONE, NoProgramError, Writer

INPUTS = ("press", "release", "do", "set")
"""As ``InputKind`` of ``native/script/program.h``."""
DEED_ORDER = (
    *("set", "add", "impulse", "play", "stop", "log", "sound", "end"),
    *("spawn", "remove", "destroy", "attach", "move", "reach", "explode", "copy"),
)
"""As ``Deed`` of ``native/script/program.h``."""
DEEDS = {
    **{deed: deed for deed in DEED_ORDER if deed != "remove"},
    "delete": "remove",
    "detach": "remove",
}
"""The native deed of each kind of action."""


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


@dataclass(slots=True)
class ProgramActions:
    """Writes actions.

    Attributes:
        tag_of: a function that finds the bit of a tag.
        deeds: by the path of an event, or of what a key asks for, the action and the setting
            behind each of its actions.
        copies: whether any of them copies bodies, for which the runner asks its host.
    """

    scene: Scene
    values: ProgramValues
    births: ProgramBirths
    breaking: ProgramBreaking
    attaching: ProgramAttaching
    tag_of: Callable[[str], int]
    deeds: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
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
        keeps = keeping(actions)
        singles: list[tuple[_WrittenAction, bool, Action]] = []
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

    def _put_action(self, to: Writer, each: _WrittenAction, keeps: bool, whole: Action) -> None:
        changed, read = needed_of(whole)
        to.byte(DEED_ORDER.index(each.deed))
        to.whole(each.what)
        for text in (changed, read):
            to.byte(("$a" in text) + 2 * ("$b" in text))
        to.byte(keeps)
        each.members.put(to)
        to.raw(each.spot)
        to.value(each.amount)
        self.values.put_target(to, each.target)
        to.value(each.given)

    def _written(self, action: Action, who: Sequence[Selector]) -> _WrittenAction:
        """The deed and the numbers of an action, or of one of its settings."""
        values, what = self.values, NONE
        deed = DEEDS[action.kind]
        amount, spot = [(NONE, 0.0)], self.births.spot("")
        target, given = SetTarget(), [(NONE, 0.0)]
        members = NOBODY
        if deed in ("set", "add"):
            target, given = self._assigned(action)
        elif deed == "impulse":
            what, amount = self._blow(action)
            spot = self.births.spot(action.at)
        elif deed == "explode":
            values.forms.needed = True
            amount = [*values.value(action.amount), (NONE, action.radius)]
            spot = self.births.spot(action.at)
        elif deed in ("move", "copy", "reach"):
            what = self._reached(action) if deed == "reach" else self._moved(action)
            spot = self.births.spot(action.at)
            if deed in ("move", "copy"):
                self.copies |= deed == "copy"
                members = self.births.members(action.name, self.tag_of)
        elif deed in ("play", "stop"):
            what = self._played(action.name)
        elif deed in ("log", "sound", "end"):
            what = values.text(action.name)
            if deed == "sound":
                amount = values.value(action.amount)
        elif action.spawn is not None:
            what = self.births.spawn(action.spawn, action.path)
        elif deed == "destroy":
            what, owner = self.breaking.destroy(action)
            members = Members((owner,))
        elif deed == "attach":
            what = self.attaching.attach(action, who, values.own)
        elif action.kind == "detach":
            members = self.births.detached(action.name)
        elif deed == "remove":
            members = self.births.members(action.name, self.tag_of)
        return _WrittenAction(deed, what, spot, amount, target, given, members)

    def _played(self, name: str) -> int:
        """The number of an animation."""
        own = self.values.own
        place = [*(self.scene if own is None else own.prototype).animations].index(name)
        return place if own is None else FIRST - place

    def _assigned(self, action: Action) -> tuple[SetTarget, list[tuple[int, float]]]:
        """Target and value of the only setting of an action."""
        ((path, value),) = action.values.items()
        state = [*self.scene.state]
        name = path if action.kind == "add" else path.removeprefix("state.")
        if name in state and (action.kind == "add" or path.startswith("state.")):
            return SetTarget("variable", state.index(name)), self.values.value(value)
        return self.values.setting(path, value)

    def _blow(self, action: Action) -> tuple[int, list[tuple[int, float]]]:
        """The body of an impulse, and the impulse."""
        what = self.births.owner(action.name)
        if what is None:
            raise NoProgramError(f"{action.path}: there is no body {action.name}")
        return what, self.values.value(action.amount, 2)

    def _moved(self, action: Action) -> int:
        """The place of a motion."""
        motion, values, to = action.motion, self.values, Writer()
        assert motion is not None
        by, angle = values.value(motion.by, 2), values.value(motion.angle)
        velocity = values.value((0.0, 0.0) if motion.velocity is None else motion.velocity, 2)
        to.value(by)
        to.numbers(*angle)
        to.byte(motion.velocity is not None)
        to.value(velocity)
        self.moves.append(to.bytes())
        return len(self.moves) - 1

    def _reached(self, action: Action) -> int:
        """The place of a chain of hinges."""
        chain, values, to = action.reach, self.values, Writer()
        assert chain is not None
        own = values.own
        tip = self.births.spot(chain.tip)
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


def timed_sets(scene: Scene) -> tuple[Mapping[str, Value], ...]:
    """The timed settings of a scene's inputs."""
    timed = [each.sets for each in scene.inputs if isinstance(each, TimedSetting)]
    return tuple(each for each in timed if each)


class InputRow(NamedTuple):
    """An input before a step: its kind and a place in a table of the program, or NONE and the
    values that are set, which are in none."""

    step: int
    kind: int
    what: int
    values: Mapping[str, Value] = {}


def input_rows(
    player: Player,
    keys: Sequence[str],
    asked: Sequence[str],
    sets: Sequence[Mapping[str, Value]],
    step: int,
) -> list[InputRow]:
    """The inputs from a step on, but for drags."""
    places = {key: place for place, key in enumerate(keys)}
    settings = {id(each): place for place, each in enumerate(sets)}
    rows: list[InputRow] = []
    for at, acts in player.timeline().items():
        for what, key, values in acts if at >= step else ():
            if what in ("press", "release") and key in places:
                rows.append(InputRow(at, INPUTS.index(what), places[key]))
            elif what == "do":
                if asked:
                    rows.append(InputRow(at, INPUTS.index(what), asked.index(f"inputs[{key}]")))
            elif what == "set" and id(values) in settings:
                rows.append(InputRow(at, INPUTS.index(what), settings[id(values)]))
            elif what == "set" and values:
                rows.append(InputRow(at, INPUTS.index("set"), NONE, values))
    return rows


_TAKES_OUT = ("delete", "destroy")


def keeping(actions: Sequence[Action]) -> list[bool]:
    """Whether before each action the numbers of the event's bodies are kept for later ones."""
    ends = [i for i, action in enumerate(actions) if action.kind in _TAKES_OUT]
    reads = [any(key in needed_of(each)[1] for key in EVENT_BODIES) for each in actions]
    is_read = bool(ends) and any(reads[ends[0] + 1 :])
    return [is_read and i in ends for i in range(len(actions))]
