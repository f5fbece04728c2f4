# SPDX-License-Identifier: MIT
"""The script of a running world: keys, animations and timed settings.

Before each step: inputs of the recorded player, held keys, then animations. Each is a function of
the step and of earlier inputs, so a run is a function of the scene's text and inputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor
from typing import Any

from ...errors import UsageError, unknown_name
from ...record.recorder import Event
from ...scene.model import Body
from ...scene.script import Control, Value
from ..naming.named_parts import NamedParts
from ..naming.parts import Scripted
from ..naming.setters import Setter, find_setter
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
from .copy import Copy
from .dragging import drag
from .native_news import News, Rows
from .native_runner import NativeRunner, runner_of
from .player import SAME_STEP, Player
from .program.asked import RELEASED
from .reactions import Reactions
from .spawning import Spawning


class Script:
    """The script of one world.

    Attributes:
        player: inputs from outside, by steps.
        native: the native runner that executes it, as far as it can; None where it cannot.
        prepared: the step that was prepared last, -1 if none was.
        busy: whether the next step needs new values.
    """

    def __init__(self, world: NamedParts) -> None:
        scene = world.roster.scene
        self.world = world
        self.plan = scene
        self._dt = scene.world.dt
        self.native: NativeRunner | None = None
        self._animations = Animations(world, tuple(self.plan.animations.values()))
        self._held: dict[str, int] = {}
        self._copies = Copies(world, self._animations, self._held)
        self._reactions = Reactions(world, self._copies) if scene.reacts else None
        self._setters: dict[str, Setter] = {}
        self.player = Player(scene.inputs, self._dt)
        self.prepared = -1
        self.busy = True
        self._hold_all()
        self._animations.place()
        self.native = runner_of(scene)

    # ------------------------------------------------------------ parts

    def _settle(self) -> None:
        """Take over the state of the native runner, if that is ahead."""
        if self.native is not None and self.native.ahead:
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
        """The builder that puts copies into the world."""
        return None if self._reactions is None else self._reactions.acting.spawning

    @property
    def copies(self) -> Copies:
        """The spawned copies with scripts of their own."""
        self._settle()
        return self._copies

    @property
    def reactions(self) -> Reactions | None:
        """Reactions after steps; None if none are possible."""
        self._settle()
        return self._reactions

    @property
    def is_native(self) -> bool:
        """Whether the native runner executes the next steps; it knows nothing of copies whose
        scripts it has not."""
        return self.native is not None and self.native.knows(self._copies)

    # ------------------------------------------------------------ keys

    def press(self, key: str) -> None:
        """Hold a key from the next step on. Raises UnknownNameError for one without a control."""
        control = self._control(key)
        if self._is_pressed_natively(key, True) or key in self.held:
            return
        self.held[key] = self.world.step_count
        self._set_all(control.sets)
        self._hold(control)
        self._act_for(control)
        for copy, own in self.copies.with_key(key):
            copy.set_all(self.world, own.sets)
            copy.hold(self.world, own, self.held)
            self._act_of(copy, own)

    def release(self, key: str) -> None:
        """Let a key go."""
        control = self._control(key)
        if self._is_pressed_natively(key, False) or key not in self.held:
            return
        del self.held[key]
        self._set_all(control.on_release)
        self._hold(control)
        if self.reactions is not None and control.released:
            self.reactions.ask(f"controls.{key}{RELEASED}")
        for copy, own in self.copies.with_key(key):
            copy.set_all(self.world, own.on_release)
            copy.hold(self.world, own, self.held)
            if self.reactions is not None and own.released:
                self.reactions.ask_of(copy, own.key, released=True)

    def _is_pressed_natively(self, key: str, down: bool) -> bool:
        """Hold or release a key in the native runner, if that is ahead; return whether it did."""
        native = self.native
        return native is not None and native.ahead and native.press(self, key, down)

    def play(self, name: str) -> None:
        """Restart an animation from the next step on, unless it was removed."""
        if name in self.animations.playing:
            self.animations.playing[name].play(self.world.step_count)
            self.busy = True

    def stop(self, name: str) -> None:
        """Pause an animation, unless it was removed."""
        if name in self.animations.playing:
            self.animations.playing[name].stop()
            self.busy = True

    def _act_for(self, control: Control) -> None:
        if self.reactions is not None and control.actions:
            self.reactions.ask(f"controls.{control.key}")

    def _act_of(self, copy: Copy, control: Control) -> None:
        if self.reactions is not None and control.actions:
            self.reactions.ask_of(copy, control.key)

    def _act_again(self, step: int) -> bool:
        """Execute repeated actions of held keys; return whether there are any."""
        repeats = False
        for key, since in self.held.items():
            control = self._control(key)
            if control.every is not None and control.actions:
                repeats = True
                for _ in range(self._times_due(step, since, control.every)):
                    self._act_for(control)
            for copy, own in self.copies.with_key(key):
                if own.every is not None and own.actions:
                    repeats = True
                    times = self._times_due(step, since, own.every) if step > copy.born else 0
                    for _ in range(times):
                        self._act_of(copy, own)
        return repeats

    def _times_due(self, step: int, since: int, every: float) -> int:
        """Number of repetitions of a held key's actions that are due before a step."""
        before, now = (
            floor((each - since) * self._dt / every + SAME_STEP) for each in (step - 1, step)
        )
        return now - before if step > since else 0

    def _control(self, key: str) -> Control:
        control = self.plan.controls.get(key)
        if control is None:
            if key not in self.plan.keys:
                raise unknown_name("key of the controls", key, self.plan.keys)
            control = Control(key)  # which what is born may have something for
        return control

    def _hold_all(self) -> None:
        for control in self.plan.controls.values():
            self._hold(control)

    def _hold(self, control: Control) -> None:
        """Let a control's actuators act while a key is held that holds them."""
        for name in control.holds:
            acts = any(name in self._control(key).holds for key in self.held)
            self._set(f"{name}.enabled", acts)

    def _ways(self) -> dict[str, int]:
        """The direction in which held keys move animations; 0 if both are held."""
        ways: dict[str, int] = {}
        for key in self.held:
            control = self._control(key)
            moved: list[tuple[Sequence[str], int]] = [(control.forward, 1), (control.backward, -1)]
            for copy, own in self.copies.with_key(key):
                moved.append(([copy.full(name) for name in own.forward], 1))
                moved.append(([copy.full(name) for name in own.backward], -1))
            for names, way in moved:
                for name in names:
                    ways[name] = max(-1, min(1, ways.get(name, 0) + way))
        return ways

    # ------------------------------------------------------------ time

    def prepare(self, step: int, end: int) -> int:
        """Execute inputs due before the step after ``step`` steps; return up to which step, at most
        ``end``, to step before the next call."""
        if self.native is not None and self.is_native:
            stop = self.native.prepare(self, end)
            if stop is not None:
                return stop
        return self.prepare_in_python(step, end)

    def finish(self) -> None:
        """Execute reactions after the steps up to the one that ``prepare`` returned."""
        if self.native is not None and self.is_native:
            self.native.finish(self)
        else:
            self.finish_in_python()

    def prepare_in_python(self, step: int, end: int) -> int:
        """As ``prepare``, in Python."""
        end = self._prepared(step, end)
        self.world.actuators.switch(step)  # which may have no value
        return self.world.actuators.next_switch(step, end)

    def _prepared(self, step: int, end: int) -> int:
        if step != self.prepared:
            self.prepared = step
            for action in self.player.due(step):
                self._act(*action)
            self.busy = self._act_again(step)
            self.busy |= drag(self.world, self.player.grabs, step)
            self.busy |= self.animations.prepare(step, self._ways())
        if self.busy or self.world.view.is_followed:
            return min(end, step + 1)
        if self.reactions is not None:
            end = min(end, self.reactions.next_stop(step))
        return self.player.next_stop(step, end)

    @property
    def counts(self) -> tuple[float, float]:
        """The steps that were made natively, and those of them that Python finished."""
        steps, calls = (0, 0) if self.native is None else self.native.counts
        return float(steps), float(calls)

    def run(self, end: int, rows: Rows | None = None) -> None:
        """Step natively up to a step at most, with all that is done before and after each."""
        assert self.native is not None
        self.native.run(self, end, rows)

    def finish_in_python(self) -> None:
        """As ``finish``, in Python."""
        if self.reactions is not None:
            self.reactions.finish()
        if self.world.view.is_followed:
            self.world.view.move()

    # ------------------------------------------------------------ what happens

    @property
    def state(self) -> Mapping[str, float]:
        """The state variables."""
        if self.native is not None and self.native.ahead and self._reactions is not None:
            return self.native.variables(self.plan.state)
        return self.plan.state if self._reactions is None else self._reactions.acting.state

    @property
    def ending(self) -> tuple[str, int] | None:
        """The outcome of the run, and its last step."""
        if self.native is not None and self.native.ahead:
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
        return self.native.news if self.native is not None and self.native.ahead else None

    def _act(self, what: str, key: str, sets: Mapping[str, Value]) -> None:
        if what == "press":
            self.press(key)
        elif what == "release":
            self.release(key)
        elif what == "set":
            self._set_all(sets)
        elif self.reactions is not None:
            self.reactions.ask(f"inputs[{key}]")

    # ------------------------------------------------------------ settings

    def _set_all(self, values: Mapping[str, Value]) -> None:
        for path, value in values.items():
            self._set(path, value)

    def _set(self, path: str, value: Value) -> None:
        setter = self._setters.get(path)
        if setter is None:
            setter = self._setters[path] = find_setter(self.world, path)
        setter.set(value)

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
        twin.world, twin.plan, twin._dt, twin.player = world, self.plan, self._dt, player
        twin._held, twin._setters = {}, {}
        twin.native = None if self.native is None else self.native.twin()
        twin._animations = Animations(world, tuple(self.plan.animations.values()))
        twin._copies = Copies(world, twin._animations, twin._held)
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
