# SPDX-License-Identifier: MIT
"""The script of a running world: its state by names, and the runner that executes it.

A run is a function of the scene's text and inputs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import UsageError, unknown_name
from ...record.recorder import Event
from ...scene.model import Body
from ..naming.named_parts import NamedParts
from ..naming.parts import Scripted
from ..naming.setters import find_setter
from ..removals import settle
from ..saved import (
    different,
    fixed,
    flag,
    known,
    listed,
    need,
    number,
    optional,
    record,
    text,
    whole,
)
from .animations import Animations
from .copies import Copies
from .native_news import News, Rows
from .native_runner import runner_of
from .player import Player
from .reactions import Reactions
from .spawning import Spawning


class Script:
    """The script of one world.

    Attributes:
        player: inputs from outside, by steps.
        native: the runner that executes it.
        prepared: the step that was prepared last, -1 if none was.
        busy: whether the next step needs new values.
    """

    def __init__(self, world: NamedParts) -> None:
        scene = world.roster.scene
        self.world = world
        self.plan = scene
        self.native = runner_of(scene)
        self._animations = Animations(world, tuple(self.plan.animations.values()))
        self._held: dict[str, int] = {}
        self._copies = Copies(world, self._animations)
        self._reactions = Reactions(world, self._copies) if scene.reacts else None
        self.player = Player(scene.inputs, scene.world.dt)
        self.prepared = -1
        self.busy = True
        for name in {name: None for each in scene.controls.values() for name in each.holds}:
            find_setter(world, f"{name}.enabled").set(False)
        self._animations.place()

    # ------------------------------------------------------------ parts

    def _settle(self) -> None:
        """Take over the state of the runner, if that is ahead."""
        if self.native.ahead:
            self.native.give_back(self)

    @property
    def held(self) -> dict[str, int]:
        """The keys that are held now, in the order in which they were pressed, and the step before
        which each was."""
        self._settle()
        return self._held

    @property
    def animations(self) -> Animations:
        """The animations, also those of copies."""
        self._settle()
        return self._animations

    @property
    def spawning(self) -> Spawning | None:
        """The names and numbers of births."""
        return None if self._reactions is None else self._reactions.acting.spawning

    @property
    def copies(self) -> Copies:
        """The spawned copies with scripts of their own."""
        self._settle()
        return self._copies

    @property
    def reactions(self) -> Reactions | None:
        """The state of reactions after steps; None if none are possible."""
        self._settle()
        return self._reactions

    # ------------------------------------------------------------ keys

    def press(self, key: str) -> None:
        """Hold a key from the next step on. Raises UnknownNameError for one without a control."""
        self._press(key, True)

    def release(self, key: str) -> None:
        """Let a key go."""
        self._press(key, False)

    def _press(self, key: str, down: bool) -> None:
        if key not in self.plan.controls and key not in self.plan.keys:
            raise unknown_name("key of the controls", key, self.plan.keys)
        self.native.press(self, key, down)

    # ------------------------------------------------------------ time

    @property
    def steps(self) -> int:
        """The number of steps that were made."""
        return self.native.steps

    def run(self, end: int, rows: Rows | None = None) -> None:
        """Step up to a step at most, with all that is done before and after each."""
        self.native.run(self, end, rows)

    def prepare(self, end: int) -> int:
        """Execute inputs due before the next step; return up to which step, at most ``end``, the
        caller steps before the next call."""
        return self.native.prepare(self, end)

    def finish(self) -> None:
        """Execute reactions after the steps up to the one that ``prepare`` returned."""
        self.native.finish(self)

    # ------------------------------------------------------------ what happens

    @property
    def state(self) -> Mapping[str, float]:
        """The state variables."""
        if self.native.ahead and self._reactions is not None:
            return self.native.variables(self.plan.state)
        return self.plan.state if self._reactions is None else self._reactions.acting.state

    @property
    def ending(self) -> tuple[str, int] | None:
        """The outcome of the run, and its last step."""
        if self.native.ahead:
            return self.native.ending
        return None if self._reactions is None else self._reactions.ending

    @property
    def listens(self) -> bool:
        """Whether begin and end events of contacts are needed."""
        return self._reactions is not None and self._reactions.finder.listens

    def hear(self, told: list[Event]) -> None:
        """Take in the engine's events."""
        if self.reactions is not None:
            self.reactions.finder.told += told

    def note_end(self, joint: str) -> None:
        """Note a removed joint."""
        if (news := self._native_news) is not None:
            finder = None if self._reactions is None else self._reactions.finder
            if finder is not None and finder.asks_for_ends(bool(news.asks & 1)):
                news.wait(joint)
        elif self.reactions is not None:
            self.reactions.finder.note_end(joint)

    def note_death(self, body: Body, number: int) -> None:
        """Note a removed body."""
        if (news := self._native_news) is not None and news.place is not None:
            finder = None if self._reactions is None else self._reactions.finder
            if finder is not None and finder.asks_for(bool(news.asks & 2)):
                news.wait((body.name, number, body.tags, *news.place))
        elif self.reactions is not None:
            self.reactions.finder.note_death(body, number)

    @property
    def _native_news(self) -> News | None:
        """The news of the native runner, if that is ahead."""
        return self.native.news if self.native.ahead else None

    # ------------------------------------------------------------ saving

    SAVED = record(
        held=listed(fixed(text, whole())),
        reactions=optional(Reactions.SAVED),
        prepared=flag,
        copies=Copies.SAVED,
        animations=Animations.SAVED,
    )

    def save(self) -> dict[str, Any]:
        """The state that determines all later steps, as JSON data."""
        view = self.world.view.save()
        return {
            **({"view": view} if view else {}),
            "held": list(self.held.items()),
            "reactions": None if self.reactions is None else self.reactions.save(),
            "prepared": self.prepared == self.world.step_count,
            "copies": self.copies.save(),
            "animations": self.animations.save(),
        }

    def restored(self, saved: Any) -> Script:
        """The script with the data of ``save``, for its world, which is restored already, with the
        same player. Raises UnfitError for data that no script of its scene saves."""
        has_view = isinstance(saved, dict) and "view" in saved
        rest = {key: each for key, each in saved.items() if key != "view"} if has_view else saved
        Script.SAVED(rest, "script")
        listed(number)(saved["view"] if has_view else [], "script.view")
        twin = self._twin(self.world, self.player)
        twin._take(saved)
        return twin

    def fork(self, world: NamedParts) -> Script:
        """Copy for a world forked from this one's."""
        twin = self._twin(world, self.player.fork())
        twin._take(self.save())
        return twin

    def _twin(self, world: NamedParts, player: Player) -> Script:
        """A script of the same scene, before its saved state is restored."""
        twin = object.__new__(Script)
        twin.world, twin.plan, twin.player = world, self.plan, player
        twin._held = {}
        twin.native = self.native.twin()
        twin._animations = Animations(world, tuple(self.plan.animations.values()))
        twin._copies = Copies(world, twin._animations)
        has_some = self._reactions is not None
        twin._reactions = Reactions(world, twin._copies, begins=False) if has_some else None
        return twin

    def _take(self, saved: Mapping[str, Any]) -> None:
        keys = [key for key, _ in saved["held"]]
        known(keys, {**self.plan.controls, **dict.fromkeys(self.plan.keys)}, "held", "key")
        different(keys, "held")
        self.held.update((key, since) for key, since in saved["held"])
        self.copies.restore(saved["copies"])
        self.animations.restore(saved["animations"])
        self.world.view.restore(saved.get("view", []))
        self.prepared = self.world.step_count if saved["prepared"] else -1
        self.busy = True
        if self.reactions is None:
            need(saved["reactions"] is None, "reactions", "the scene has none")
        else:
            self.reactions.restore(saved["reactions"])


def script_of(world: NamedParts) -> Script:
    """The script of a world; UsageError if it has none."""
    if world.script is None:
        raise UsageError(f"{world.roster.scene.path} has no controls")
    settle(world)
    return _own(world.script)


def player_of(world: NamedParts) -> Player:
    """The player of a world; one that does nothing yet where the scene has none."""
    if world.script is None:
        world.script = Script(world)
    return _own(world.script).player


def _own(script: Scripted) -> Script:
    assert isinstance(script, Script)
    return script
