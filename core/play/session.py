# SPDX-License-Identifier: MIT
"""A scene that is played: real time comes from outside, as keys, a hand and sliders do.

A session knows no network. It can go to any moment of the run again: by a saved state before it,
and by stepping on from there with what was done meanwhile, which gives the same bits. What is done
then drops what had come later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Literal

from ..arguments import checked, not_negative, number, optional, real, text, whole
from ..errors import RigidError, SceneError, SimulationError, UsageError
from ..record.frame import Frame
from ..record.recorder import Event
from ..render.marks.annotations import wants_contacts
from ..scene import limits
from ..scene.model import Scene
from ..scene.script import InputEntry, Value
from ..world import World
from ..world.overlaps import overlap_warnings
from ..world.plotted import PlottedSteps
from ..world.script import player_of
from ..world.script.player import Player
from .changes import entries_in, steps_of
from .dials import Dial, dial_values, dials, find_dial, first_value
from .drag_input import DragInput, can_pull
from .history import History
from .loads import Loads
from .sliders import Sliders, allowed
from .source import SceneSource
from .traces import Traces
from .trouble import Trouble

Mode = Literal["playing", "paused", "seeking"]
SPEEDS = (1 / 64, 64.0)
EVENTS_KEPT = 200


class Session:
    """One run of a scene, for all who look at it.

    Attributes:
        source: its files.
        scene: the last good one; None while there was none.
        world: where it is now; None with the scene.
        trouble: what is wrong at present.
        playing: whether time runs.
        speed: seconds of the scene in a second.
        end: the last step that was ever reached on this way.
        version: another one for each world.
        hands: who holds which keys and drags what.
        sliders: what was moved and counts from then on.
        loads: of joints, step by step, while somebody wants them.
        traces: other forces, likewise.
        dials: the numbers of joints that have a slider, by their paths.
        told: what happened lately.
        sounded: the sounds of steps that were played, since somebody took them.
        real: how much of the wanted speed there was time for, lately.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        overrides: Sequence[str] = (),
        inputs: str | Path | None = None,
        threads: int = 1,
        lanes: int = 0,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self.source = SceneSource(path, overrides, inputs)
        self.scene: Scene | None = None
        self.world: World | None = None
        self.trouble: Trouble | None = None
        self.playing = False
        self.speed = 1.0
        self.end = 0
        self.version = 0
        self.drag_input, self.sliders = DragInput(), Sliders()
        self.dials: dict[str, Dial] = {}
        self.loads, self.traces = Loads(), Traces()
        self.told: list[Event] = []
        self.sounded: list[Event] = []
        self.real = 1.0
        self._engine = {"threads": threads, "lanes": lanes}
        self._clock = clock
        self._goal: int | None = None
        self._will_play = False  # once there is a world
        self._due = 0.0
        self._history = History()
        self._plotted = PlottedSteps()
        self._cut: int | None = None  # where what was recorded ended; None where it was not
        self._load(0.0)

    # ------------------------------------------------------------ where it is

    @property
    def step(self) -> int:
        """The number of completed steps."""
        return 0 if self.world is None else self.world.step_count

    @property
    def time(self) -> float:
        """Scene time."""
        return 0.0 if self.world is None else self.world.time

    @property
    def mode(self) -> Mode:
        """Whether it plays, is paused, or is on its way to another moment."""
        if self._goal is not None:
            return "seeking"
        return "playing" if self.playing else "paused"

    @property
    def goal(self) -> int:
        """The step at which it will stop."""
        return self.step if self._goal is None else self._goal

    @property
    def outcome(self) -> str:
        """The outcome of the run; empty if it has none."""
        return "" if self.world is None else self.world.outcome

    @property
    def was_played(self) -> bool:
        """Whether there was input that no file has."""
        return self._cut is not None

    def frame(self, want_contacts: bool = False) -> Frame | None:
        """This moment, as pictures need it; with contacts too where annotations show them."""
        if self.world is None:
            return None
        contacts = want_contacts or (self.scene is not None and wants_contacts(self.scene))
        return replace(self.world.frame(contacts), passed=self._plotted.take())

    # ------------------------------------------------------------ time

    def play(self) -> None:
        """Let time run; where no scene could be read yet, as soon as there is one."""
        self._will_play = self.world is None
        self.playing = self.world is not None and not self.outcome and not self._stopped
        self._due = 0.0

    def pause(self) -> None:
        self.playing = self._will_play = False

    @checked(speed=number)
    def set_speed(self, speed: float) -> None:
        """Another speed, as near as there is one."""
        self.speed = min(max(speed, SPEEDS[0]), SPEEDS[1])

    def step_once(self) -> None:
        """One step, and pause."""
        self.pause()
        if self._goal is None and not self.outcome:
            self._step()

    @checked(seconds=not_negative, budget=optional(real))
    def advance(self, seconds: float, budget: float | None = None) -> int:
        """Let real time go by; how many steps were done.

        At most ``budget`` seconds are taken: what there was no time for is not made up for, so that
        what is too much for the machine goes slower.
        """
        latest = None if budget is None else self._clock() + budget
        before, version = self.step, self.version
        if self._goal is not None:
            self._go_on(latest)
        elif self.playing and self.scene is not None:
            steps = seconds * self.speed * self.scene.units.time_per_second
            self._due += steps / self.scene.world.dt
            wanted = self._due
            while self._due >= 1.0 and self.playing:
                self._due -= 1.0
                self._step()
                if latest is not None and self._clock() > latest:
                    self._due %= 1.0
            done = self.step - before
            if wanted >= 1.0:
                self.real += 0.1 * (done / int(wanted) - self.real)
        return 0 if version != self.version else self.step - before

    @checked(step=whole(None))
    def seek(self, step: int) -> None:
        """Go to a moment, at the start at least; ``advance`` or ``arrive`` takes it there."""
        if self.world is None:
            return
        self._release_all()
        self._aim(max(0, min(step, limits.STEPS)))

    @checked(time=number)
    def seek_time(self, time: float) -> None:
        """Go to the moment of a scene time."""
        if self.scene is not None:
            self.seek(steps_of(time, self.scene))

    def arrive(self) -> None:
        """Take as long as it takes to get where it is going."""
        while self._goal is not None:
            self._go_on(None)

    def restart(self) -> None:
        """Begin anew, without what was played."""
        self._cut = None
        self.sliders.clear()
        self._release_all()
        if self.scene is not None:
            files = None if self._stopped else self.trouble
            self._begin(self.scene, self.scene.inputs, 0)
            self.trouble = self.trouble or files

    def replay(self, inputs: str | Path | None, values: Mapping[str, float]) -> None:
        """Begin anew with recorded inputs, or with the scene's own for None.

        ``values`` are those of vars that sliders have moved.
        """
        self._cut = None
        self.sliders.clear()
        self._release_all()
        self.source.inputs = inputs
        self.source.values = dict(values)
        self.end = 0
        self._load(0.0)
        self.play()

    def _aim(self, goal: int) -> None:
        world = self.world
        assert world is not None
        step, state = self._history.before(goal)
        if goal < world.step_count or self._stopped or step > world.step_count:
            self.trouble = None if self._stopped else self.trouble
            world.restore(state)
            self.told = [each for each in self.told if each.step <= step]
        self._goal = goal
        self._go_on(self._clock())

    def _go_on(self, latest: float | None) -> None:
        """Step towards the goal until then."""
        while self._goal is not None:
            if self.step >= self._goal or self._stopped or self.outcome:
                self._goal = None
                self._due = 0.0
            else:
                self._step()
            if latest is not None and self._clock() > latest:
                break

    @property
    def _stopped(self) -> bool:
        """Whether the run cannot continue from here."""
        return self.trouble is not None and self.trouble.kind == "simulation"

    def _step(self) -> None:
        world = self.world
        if world is None or self._stopped:
            return
        try:
            world.step()
        except SimulationError as error:
            self.trouble = Trouble("simulation", str(error), (), error.step, error.body)
            self.pause()
            return
        self._plotted.read(world)
        self.loads.see(world)
        self.traces.see(world)
        self.end = max(self.end, world.step_count)
        self.told += [
            Event(world.step_count, "warning", warning) for warning in world.events.take_warnings()
        ]
        happened = world.events.take()
        if self._history.wants(world.step_count):  # without these events, which are in ``told``
            self._history.keep(world.step_count, world.save())
        self.told = [*self.told, *happened][-EVENTS_KEPT:]
        if self._goal is None:
            new = [event for event in happened if event.kind == "sound"]
            self.sounded = [*self.sounded, *new][-EVENTS_KEPT:]
        if world.outcome:
            self.pause()

    # ------------------------------------------------------------ what players do

    def press(self, who: str, key: str) -> bool:
        """Press a key; return whether the scene has it."""
        if self.scene is None or key not in self.scene.keys or not self._may_act:
            return False
        if self.drag_input.press(who, key):
            self._act().press(key, self.step)
        return True

    def release(self, who: str, key: str) -> None:
        """Release a key."""
        if self.drag_input.release(who, key) and self.world is not None:
            player_of(self.world).release(key, self.step)

    def grab(self, who: str, point: tuple[float, float], reach: float = 0.0) -> str:
        """Grab the body at a point, or at most ``reach`` from it; return its name, if any."""
        if self.world is None or not self._may_act or not can_pull(self.scene):
            return ""
        found = self.drag_input.find(self.world, point, reach)
        if found is None:
            return ""
        self.let_go(who)
        grab = self._act().grab(found.body, found.point, found.target, found.force, self.step)
        self.drag_input.grabs[who] = grab
        return found.body

    def drag_to(self, who: str, point: tuple[float, float]) -> None:
        """Pull a dragged body to another point."""
        if who in self.drag_input.grabs and self._may_act:
            self.drag_input.grabs[who].move(self.step, self.drag_input.rounded(point))

    def let_go(self, who: str) -> None:
        """Stop dragging."""
        grab = self.drag_input.grabs.pop(who, None)
        if grab is not None and self.world is not None:
            player_of(self.world).let_go(grab, self.step)

    def leave(self, who: str) -> None:
        """Release all keys and the dragged body of a viewer."""
        for key in self.drag_input.keys_of(who):
            self.release(who, key)
        self.let_go(who)

    def take_over(self) -> None:
        """Drop what is recorded for later."""
        if self.world is not None:
            self._act()

    @property
    def _may_act(self) -> bool:
        return self._goal is None and not self._stopped and not self.outcome

    def _act(self) -> Player:
        """The player for new input: later recorded input is dropped."""
        assert self.world is not None
        player = player_of(self.world)
        if self.end > self.step or (self._cut is None and player.has_more(self.step)):
            player.cut(self.step)
            self._history.forget_after(self.step)
            self.end = self.step
        self._cut = max(self._cut or 0, self.step)
        return player

    def _release_all(self) -> None:
        for who in self.drag_input.all():
            self.leave(who)

    # ------------------------------------------------------------ the scene

    def reload(self) -> bool:
        """Reload changed files, and continue at the same time; whether any changed.

        Their problems become the trouble then, and the last good scene continues.
        """
        if not self.source.has_changed:
            return False
        self.source.look_again()
        self._load_again()
        return True

    @checked(name=text, value=number)
    def set_var(self, name: str, value: float) -> None:
        """Move a var's slider, within its range: the run is as if it had been so from the start."""
        if self.scene is not None:
            self.source.values[name] = allowed(name, value, self.scene, self.trouble)
            self.sliders.forget(name, self.world)
            self._load_again()

    @checked(name=text, value=number)
    def set_var_now(self, name: str, value: float) -> bool:
        """Move the slider of a var from now on; False where it counts from the start anyhow."""
        if self.scene is None:
            return False
        wanted = allowed(name, value, self.scene, self.trouble)
        if wanted == self.var_values()[name]:
            return True
        sets = self.sliders.settings_for(self.source, self.scene, name, wanted, self.step)
        if sets and self._may_act:
            self.sliders.move(self._act(), name, wanted, sets, self.step)
            return True
        self.set_var(name, wanted)
        return False

    def set_joint(self, path: str, value: float) -> None:
        """Move the slider of a joint's number, such as ``hinge.motor.speed``, from now on.

        Angles are in degrees where the scene's are.
        """
        if self.scene is None:
            return
        dial = find_dial(self.dials, path)
        wanted = dial.allowed(value)
        if self._may_act and self.dial_values().get(path, wanted) != wanted:
            self.sliders.move(self._act(), path, wanted, {path: wanted}, self.step)

    def set_now(self, settings: Mapping[str, Value]) -> None:
        """Set what can be set, by paths, from now on, also after the files have changed."""
        for path, value in settings.items():
            if self._may_act:
                self.sliders.move(self._act(), path, 1.0, {path: value}, self.step)

    def dial_values(self) -> dict[str, float]:
        """Present numbers of the joints that are there, by the paths of their sliders."""
        world = self.world
        if world is None:
            return {}
        values = dial_values(world, self.dials.values())
        for _, _, sets in player_of(world).due(self.step):  # which the next step begins with
            values |= {path: float(sets[path]) for path in values.keys() & sets.keys()}  # type: ignore[arg-type]
        return values

    def var_values(self) -> dict[str, float]:
        """Present values of vars with a range."""
        return {} if self.scene is None else self.sliders.shown(self.scene, self.step)

    def write_joint(self, path: str) -> None:
        """Write what the slider of a joint's number says into the file: it counts from the start
        then."""
        dial = find_dial(self.dials, path)
        moved = self.sliders.last(path, self.step)
        if moved is None:
            raise UsageError(f"{path} is as the file says")
        value = moved.value
        self.source.put_joint(
            dial.joint,
            dial.name,
            dial.written(value),
            dial.unit.replace("°", "deg"),
            lambda joint: first_value(joint, dial.name) == value,
        )
        self.sliders.forget(path, self.world)
        self._load_again()

    def write_var(self, name: str) -> float:
        """Write what the slider of a var says into the file; the value."""
        moved = self.sliders.last(name, self.step)
        value = self.source.values.get(name) if moved is None else moved.value
        if value is None:
            raise UsageError(f"vars.{name} is as the file says")
        self.source.put_value(name, value)
        self.sliders.forget(name, self.world)
        self._load_again()
        return value

    def _load_again(self) -> None:
        self._load(self.time if self._goal is None else self._goal * self._dt)

    @property
    def _dt(self) -> float:
        return 1.0 if self.scene is None else self.scene.world.dt

    def _load(self, time: float) -> None:
        """Read the files, and go to a time."""
        end = self.end * self._dt
        try:
            scene = self.source.load()
            entries = self._entries_for(scene)
            self._begin(scene, entries, steps_of(time, scene))
            self.end = max(self.end, steps_of(end, scene))
        except SceneError as error:
            self.trouble = Trouble("scene", str(error), tuple(error.problems))
        except RigidError as error:
            self.trouble = Trouble("usage", str(error))

    def _entries_for(self, scene: Scene) -> tuple[InputEntry, ...]:
        """Inputs for an edited scene: those of its files, or those that were played."""
        if self._cut is None or self.world is None:
            return scene.inputs
        self._release_all()
        return entries_in(scene, self.entries(), self._cut * self._dt, self.sliders.holds)

    def _begin(self, scene: Scene, entries: tuple[InputEntry, ...], goal: int) -> None:
        """A new world, which goes to a step."""
        world = World(replace(scene, inputs=entries), **self._engine)
        player_of(world)
        self._release_all()
        self.world, self.scene, self.trouble = world, scene, None
        self.dials = dials(scene)
        self.version += 1
        warnings = [*map(str, scene.warnings), *overlap_warnings(world)]
        self.told = [Event(0, "warning", warning) for warning in warnings]
        self._plotted = PlottedSteps(scene)
        self._history = History()
        self._history.keep(0, world.save())
        self.end, self._goal = goal, None
        if self._will_play:
            self.play()
        if goal:
            self._goal = goal
            self._go_on(self._clock())

    def entries(self) -> tuple[InputEntry, ...]:
        """Inputs executed on this path, and inputs recorded for later."""
        return () if self.world is None else player_of(self.world).entries()
