# SPDX-License-Identifier: MIT
"""Executes event actions; actions on removed bodies are no-ops."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np

from ...errors import RigidError, SimulationError
from ...record.channels import Channel
from ...record.recorder import Event
from ...scene.action_model import MOUSE
from ...scene.blocks.script.action_types import ACTION_TYPES
from ...scene.event_model import Action
from ...scene.values.state_words import BODY_STATES, BOX_STATES, STATE
from ..destroying import destroy_body
from ..distances import distance_to
from ..naming.named_parts import NamedParts
from ..naming.setters import Setter, find_setter, is_there
from ..queries import Query
from ..saved import listed, number, record, same_names, table, text, whole
from ..spawning import remove
from .attached_joints import attach
from .copies import Copies
from .copy import Copy, EventValues, read
from .ends import Lifetimes
from .event_conditions import Occurrence, needed_of
from .failure_messages import failure
from .formulas import ActionValues
from .reaching import goal_of, hinges_of, pulled_to, reach
from .sets import Shift, members, move
from .spawning import Spawning, place_of

_TAKES_OUT = tuple(each.name for each in ACTION_TYPES.values() if each.takes_out)


class ActionExecutor:
    """Executes the actions of one world.

    Attributes:
        state: the state variables.
        attached: the joints that actions attached and that were not detached, by name.
    """

    def __init__(self, world: NamedParts, state: dict[str, float], copies: Copies) -> None:
        self.world = world
        self.state = state
        self.formulas = ActionValues(world)
        self.spawning = Spawning(world, self.formulas, copies)
        self.attached: dict[str, list[str]] = {}
        self._setters: dict[str, Setter] = {}
        self._needs: dict[str, tuple[str, str]] = {}  # by the path of an action

    def execute_all(
        self,
        actions: Sequence[Action],
        found: Occurrence,
        copy: Copy | None,
        end: Callable[[str], None],
        kept: Mapping[str, float] | None = None,
    ) -> None:
        """Execute the actions of a found event; ``copy`` is the copy that has the event.

        Bodies of the event that an action removes keep their last values for later actions;
        ``kept`` are those of which earlier actions have removed them. ``end`` is called with the
        outcome of the run.
        """
        names = {key: name for key, name in (("$a", found.a), ("$b", found.b)) if name}
        last: dict[str, float] = dict(kept or {})
        ending = _TAKES_OUT if names and self._reads_later(actions) else ()
        for action in actions:
            if action.kind in ending:
                for key, name in names.items():
                    last |= self._state_of(key, name)
            if action.kind == "end":
                end(action.name)
            else:
                self._execute(action, found, names, copy, last)

    def _execute(
        self,
        action: Action,
        found: Occurrence,
        names: Mapping[str, str],
        copy: Copy | None,
        last: Mapping[str, float],
    ) -> None:
        gone = [key for key, name in names.items() if not is_there(self.world, name)]
        values = dict(found.values or {})
        if gone:
            changed, read = self._needed(action)
            for key in gone:
                kept = {name: value for name, value in last.items() if name.startswith(f"{key}.")}
                if key in changed or (key in read and not kept):
                    return
                values |= kept
        event = EventValues(self.world, names, values, copy)
        if action.spawn is not None:
            self.spawning.spawn(action.spawn, action.path, self.state, event, names, copy)
            return
        if copy is not None:
            action = copy.action(self.world, action, self.formulas, self.state, event)
        getattr(self, f"_{action.kind}")(action, event, names)

    def _needed(self, action: Action) -> tuple[str, str]:
        """An action's references to the event's bodies: in its changed and in its read parts."""
        needed = self._needs.get(action.path)
        if needed is None:
            needed = self._needs[action.path] = needed_of(action)
        return needed

    def _reads_later(self, actions: Sequence[Action]) -> bool:
        """Whether any action reads a body of the event that an earlier one may have removed."""
        ends = [i for i, action in enumerate(actions) if action.kind in _TAKES_OUT]
        later = actions[ends[0] + 1 :] if ends else ()
        return any(key in self._needed(each)[1] for each in later for key in ("$a", "$b"))

    def _state_of(self, key: str, name: str) -> dict[str, float]:
        """The state of a body of the event, if it exists, by the event's names."""
        if not is_there(self.world, name):
            return {}
        names = [f"{key}.{quantity}" for quantity in BODY_STATES]
        channels = [Channel(each, "body", name, each.rpartition(".")[2]) for each in names]
        codes = np.ascontiguousarray(self.world.roster.channel_codes(channels))
        state = dict(zip(names, self.world.native.sample(codes).tolist(), strict=True))
        sides = [Channel(f"{key}.{side}", "body", name, side) for side in BOX_STATES]
        return state | {side.name: read(self.world, side) for side in sides}

    def _work_out(self, value: Any, event: Mapping[str, Any]) -> Any:
        return self.formulas.work_out(value, self.state, event)

    # ------------------------------------------------------------ values

    def _set(self, action: Action, event: EventValues, names: Mapping[str, str]) -> None:
        for path, value in action.values.items():
            given = self._work_out(value, event)
            owner, _, rest = path.partition(".")
            if owner == STATE and rest in self.state:
                self.state[rest] = float(given)
                continue
            try:
                self._setter(path, event.whose, names).set(given)
            except RigidError as error:
                raise failure(self.world, action.path, str(error)) from None

    def _setter(self, path: str, copy: Copy | None, names: Mapping[str, str]) -> Setter:
        owner, _, setting = path.partition(".")
        if owner in names:
            return find_setter(self.world, f"{names[owner]}.{setting}")
        if copy is not None:
            return copy.setter(self.world, path.removeprefix(copy.full("")))
        setter = self._setters.get(path)
        if setter is None:
            setter = self._setters[path] = find_setter(self.world, path)
        return setter

    def _add(self, action: Action, event: EventValues, names: Mapping[str, str]) -> None:
        for name, value in action.values.items():
            given = self._work_out(value, event)
            if name not in self.state:
                try:
                    self._setter(name, event.whose, names).add(given)
                except RigidError as error:
                    raise failure(self.world, action.path, str(error)) from None
                continue
            total = self.state[name] + given
            if not abs(total) <= 1e15:
                message = f"`{name}` comes to {total:g}; the limit is 1e+15"
                raise failure(self.world, action.path, message)
            self.state[name] = float(total)

    # ------------------------------------------------------------ coming and going

    def _delete(self, action: Action, event: Mapping[str, Any], names: Mapping[str, str]) -> None:
        name = names.get(action.name, action.name)
        joints, actuators = self.world.roster.joints, self.world.actuators.definitions
        if name in joints or name in actuators:
            if is_there(self.world, name):
                remove(self.world, name)
            return
        for each in members(self.world, name):
            remove(self.world, each)

    def _move(self, action: Action, event: Mapping[str, Any], names: Mapping[str, str]) -> None:
        bodies = members(self.world, names.get(action.name, action.name))
        shift = self._shift(action, bodies, event, names)
        if shift is not None:
            move(self.world, bodies, shift)

    def _copy(self, action: Action, event: Mapping[str, Any], names: Mapping[str, str]) -> None:
        what = names.get(action.name, action.name)
        bodies = members(self.world, what)
        shift = self._shift(action, bodies, event, names)
        if shift is not None:
            assert action.motion is not None
            self.spawning.put_copies(what, bodies, action.motion.name, shift, action.path)

    def _shift(
        self,
        action: Action,
        bodies: Sequence[str],
        event: Mapping[str, Any],
        names: Mapping[str, str],
    ) -> Shift | None:
        """The new pose of bodies; None if none of them, or their target, exists."""
        motion = action.motion
        assert motion is not None
        if not bodies:
            return None
        x, y = self.world[bodies[0]].position
        if action.at:
            to = self._place(action.at, event, names)
        else:
            dx, dy = self._work_out(motion.by, event)
            to = x + dx, y + dy
        if to is None:
            return None
        angle, velocity = (self._work_out(each, event) for each in (motion.angle, motion.velocity))
        return Shift((x, y), to, angle, velocity)

    def _destroy(self, action: Action, event: Mapping[str, Any], names: Mapping[str, str]) -> None:
        assert action.destruction is not None
        name = names.get(action.name, action.name)
        if not is_there(self.world, name):
            return
        try:
            pieces = destroy_body(
                self.world,
                name,
                action.destruction,
                lambda births: self.spawning.count_pieces(births, action.path),
            )
        except SimulationError:
            raise
        except RigidError as error:
            raise failure(self.world, action.path, str(error)) from None
        if (lifetime := action.destruction.lifetime) is not None:
            self.spawning.ends.add(self.world.step_count, lifetime, tuple(pieces))

    def _attach(self, action: Action, event: Mapping[str, Any], names: Mapping[str, str]) -> None:
        counts = self.spawning.counts
        count = counts.get(action.name, 0)
        if full := attach(self.world, action, count, event, names):
            counts[action.name] = count + 1
            self.attached.setdefault(action.name, []).append(full)

    def _detach(self, action: Action, event: Mapping[str, Any], names: Mapping[str, str]) -> None:
        joints = self.world.roster.joints
        for name in [action.name, *self.attached.pop(action.name, ())]:
            if name in joints and is_there(self.world, name):
                remove(self.world, name)

    # ------------------------------------------------------------ blows

    def _impulse(self, action: Action, event: Mapping[str, Any], names: Mapping[str, str]) -> None:
        name = names.get(action.name, action.name)
        if not is_there(self.world, name):
            return
        where = self._place(action.at, event, names) if action.at else None
        if action.at and where is None:
            return
        body = self.world[name]
        if body.type == "dynamic":
            body.apply_impulse(self._work_out(action.amount, event), where)

    def _explode(self, action: Action, event: Mapping[str, Any], names: Mapping[str, str]) -> None:
        where = self._place(action.at, event, names)
        if where is None:
            return
        strength = self._work_out(action.amount, event)
        for name in Query(self.world).overlap_circle(where, action.radius):
            body = self.world[name] if name != "world" else None
            if body is None or body.type != "dynamic":
                continue
            x, y = body.center_of_mass
            dx, dy = x - where[0], y - where[1]
            distance = sqrt(dx * dx + dy * dy)
            share = 1.0 - distance_to(body, where) / action.radius
            if share > 0.0 and distance > 0.0:
                size = strength * share / distance
                body.apply_impulse((size * dx, size * dy))

    def _place(self, at: Any, event: Mapping[str, Any], names: Mapping[str, str]) -> Any:
        if isinstance(at, str):
            return place_of(self.world, at, event, names)
        return self._work_out(at, event)

    # ------------------------------------------------------------ chains

    def _reach(self, action: Action, event: Mapping[str, Any], names: Mapping[str, str]) -> None:
        assert action.reach is not None
        world = self.world
        tip = place_of(world, action.reach.tip, {}, {})
        target = self._place(action.at, event, names)
        if action.at == MOUSE:
            target = pulled_to(world)
        if tip is None or target is None:
            return
        joints = [name for name in action.reach.joints if is_there(world, name)]
        if len(joints) < len(action.reach.joints):
            return
        hinges = hinges_of(world, joints, action.reach.ends)
        reach(hinges, tip, target)
        for name, hinge in zip(joints, hinges, strict=True):
            self._setter(f"{name}.motor.position", None, {}).set(goal_of(world, name, hinge))

    # ------------------------------------------------------------ the rest

    def _play(self, action: Action, event: Mapping[str, Any], names: Mapping[str, str]) -> None:
        assert self.world.script is not None
        self.world.script.play(action.name)

    def _stop(self, action: Action, event: Mapping[str, Any], names: Mapping[str, str]) -> None:
        assert self.world.script is not None
        self.world.script.stop(action.name)

    def _log(self, action: Action, event: Mapping[str, Any], names: Mapping[str, str]) -> None:
        self.world.told.append(Event(self.world.step_count, action.kind, action.name))

    def _sound(self, action: Action, event: Mapping[str, Any], names: Mapping[str, str]) -> None:
        volume = 1.0 if action.amount == 0.0 else float(self._work_out(action.amount, event))
        if volume > 0.0:
            loud = "" if volume >= 1.0 else f"{volume:.3g}"
            self.world.told.append(Event(self.world.step_count, "sound", action.name, loud))

    def forget(self, copy: Copy) -> None:
        """Forget a removed copy."""
        for name in copy.plan.attaches:
            self.attached.pop(copy.full(name), None)
            self.spawning.counts.pop(copy.full(name), None)

    # ------------------------------------------------------------ saving

    SAVED = record(
        state=table(number),
        attached=table(listed(text)),
        uses=table(whole()),
        counts=table(whole()),
        births=whole(),
        ends=Lifetimes.SAVED,
    )

    def save(self) -> dict[str, Any]:
        """The state that determines all later steps, as JSON data."""
        return {
            "state": self.state,
            "attached": self.attached,
            "uses": self.formulas.uses,
            "counts": self.spawning.counts,
            "births": self.spawning.births,
            "ends": self.spawning.ends.save(),
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore the data of ``save``, checked by ``SAVED``. Raises UnfitError for others."""
        same_names(saved["state"], self.state, "acting.state")
        self.state = dict(saved["state"])
        self.attached = {name: list(joints) for name, joints in saved["attached"].items()}
        self.formulas.uses = dict(saved["uses"])
        self.spawning.counts = dict(saved["counts"])
        self.spawning.births = saved["births"]
        self.spawning.ends.restore(saved["ends"])
        self._setters = {}
