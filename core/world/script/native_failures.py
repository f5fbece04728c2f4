# SPDX-License-Identifier: MIT
"""Words the failures of native scripts, which report numbers alone: the place in the scene's file,
what was worked out there, and why it cannot be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ...errors import RigidError, SimulationError
from ...scene.blocks.placement import Placement
from ...scene.blocks.placing.pivots import box_point
from ...scene.blocks.placing.placer import Placer
from ...scene.event_model import Action, Formula, Prototype, Spawn
from ...scene.values.expression import ExpressionError, compile_expression
from ..building.copies import placed_copies, prefixed
from ..destroying import destroy_body
from ..naming.named_parts import NamedParts
from ..naming.setters import find_setter
from ..spawning import put_in
from .attached_joints import attach
from .copy import Copy
from .event_conditions import EVENT_BODIES
from .failure_messages import FEWER_SPAWNS, OF_COPIES, OF_PIECES, failure, too_many
from .program import ScriptProgram
from .sets import Shift, members, move

_FAULTS = (
    *("none", "value", "number", "setting", "sum", "force", "times", "events", "waiting"),
    *("births_at_once", "tries_at_once", "births", "bodies", "birth", "axis"),
)
"""As ``Fault`` of ``native/script/runner.h``."""
Failure = tuple[int, int, list[float]]
"""A fault, what it is about, and numbers."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a script.

    Attributes:
        path: the path of an event, or of what was asked for, or of a spawner.
        names: the bodies of the event by ``$a`` and ``$b``.
        values: the numbers of the event.
        action: an action, and which of its settings.
        copy: the copy whose script it is; None for that of the scene.
    """

    path: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    action: tuple[Action, int] | None = None
    copy: Copy | None = None

    @property
    def action_path(self) -> str:
        """The path of the action, or of what is born by a spawner."""
        return self.path if self.action is None else self.action[0].path


def worded(
    world: NamedParts,
    program: ScriptProgram,
    failed: Failure,
    place: Place,
    made: Prototype | None = None,
) -> RigidError:
    """The error of a failure, in the words and paths of the scene. ``made`` is the prototype that
    was made for a birth."""
    fault, which, numbers = failed
    name = _FAULTS[fault]
    if name == "value":
        return _of_value(world, program, which, numbers)
    if name == "number" and place.action is not None:
        return _of_number(world, place, *place.action, numbers)
    if name == "setting":
        return _of_setting(world, program, place.copy, which, *map(int, numbers))
    if name == "sum" and place.action is not None:
        action, part = place.action
        message = f"`{[*action.values][part]}` comes to {numbers[0]:g}; the limit is 1e+15"
        return failure(world, action.path, message)
    if name == "axis" and place.action is not None and place.copy is not None:
        action, part = place.action
        path = [*action.values][part]
        error = _told(lambda: place.copy and place.copy.target(world, action, path))
        return error or refused(world, place)
    if name == "force":
        return _told(lambda: world.actuators.switch(world.step_count)) or refused(world, place)
    if name == "times":
        rules = world.roster.scene.events if place.copy is None else place.copy.plan.rules
        path = rules[which].path
        return failure(world, path, too_many("times", int(numbers[0])))
    if name == "events":
        return failure(world, place.path, too_many(name))
    if name == "waiting":
        path = program.asked[which] if which >= 0 else place.path
        if place.copy is not None and numbers:
            path = place.copy.asked_path(int(numbers[0]))
        return failure(world, path, too_many(name))
    if name == "births_at_once":
        breaks = place.action is not None and place.action[0].kind == "destroy"
        more = OF_PIECES if breaks else OF_COPIES if place.copy else ("", FEWER_SPAWNS)
        return failure(world, place.action_path, too_many(name, *more))
    if name == "birth":
        prototype = program.prototypes[which] or made
        if prototype is not None:
            error = _of_birth(world, program.spawns[which], prototype, numbers, place.action_path)
            return error or refused(world, place)
    if name in ("tries_at_once", "births", "bodies"):
        return failure(world, place.action_path, too_many(name))
    return refused(world, place)


def refused(world: NamedParts, place: Place) -> SimulationError:
    """The error of an action or a birth that the engine does not take."""
    return failure(world, place.action_path, "the engine does not take these numbers")


def _told(act: Callable[[], object]) -> RigidError | None:
    """The error of a call, if it raises one."""
    try:
        act()
    except RigidError as error:
        return error
    return None


def _of_birth(
    world: NamedParts, spawn: Spawn, prototype: Prototype, numbers: Sequence[float], path: str
) -> RigidError | None:
    """The error of copies that the engine does not take at these poses; None if it does."""
    pivot = spawn.pivot
    if isinstance(pivot, str):
        pivot = box_point(pivot, prototype.bodies, world.roster.scene.units.y_down)
    places = [
        Placement(
            at=(x, y),
            pivot=pivot,
            angle=angle,
            velocity=(vx, vy),
            scale=spawn.scale,
            mirror=spawn.mirror,
        )
        for x, y, angle, vx, vy in zip(*[iter(numbers)] * 5, strict=True)
    ]
    placers = [
        Placer(each, partial(prefixed, f"{spawn.name}[{i}]."), {}, {})
        for i, each in enumerate(places)
    ]
    error = _told(lambda: put_in(world, placed_copies(prototype, placers), path))
    return error and failure(world, path, str(error).removeprefix(f"{path}: "))


def _of_value(
    world: NamedParts, program: ScriptProgram, which: int, numbers: Sequence[float]
) -> SimulationError:
    """The error of an expression that has no value with these numbers, or none in its range."""
    source, path, low, high = program.expressions[which]
    expression, scene = compile_expression(source), world.roster.scene
    read = [name for name in sorted(expression.names) if name not in scene.vars]
    values: dict[str, Any] = {
        name: scene.vars[name] for name in expression.names if name in scene.vars
    }
    values.update(zip(read, numbers, strict=False))
    use = f"{path}#{int(numbers[-1])}" if expression.seeded else path
    try:
        result = expression.evaluate(values, seed=scene.world.seed, path=use)
    except (ExpressionError, ArithmeticError, ValueError) as error:
        return failure(world, path, str(error))
    message = f"gives {result:.12g}, which is not between {low:g} and {high:g}"
    return failure(world, path, message)


def _of_setting(
    world: NamedParts, program: ScriptProgram, copy: Copy | None, of: int, which: int, place: int
) -> RigidError:
    """The error of a constant that an input or a key sets."""
    settings = program.sets[which] if of == 0 else {}
    if copy is not None:
        control = [*copy.keys.values()][which]
        settings = control.sets if of == 3 else control.on_release
    elif of > 0:
        control = world.roster.scene.controls[program.keys[which]]
        settings = control.sets if of == 1 else control.on_release
    path, value = [*settings.items()][place]
    setter = find_setter(world, path) if copy is None else copy.setter(world, path)
    error = _told(lambda: setter.set(value))
    return error or failure(world, path, "the engine does not take this value")


def _of_number(
    world: NamedParts, place: Place, action: Action, part: int, numbers: Sequence[float]
) -> RigidError:
    """The error of an action whose numbers the world refuses, in the words of the world."""
    names, copy = place.names, place.copy
    what = names.get(action.name, action.name)
    if copy is not None:
        what = names.get(action.name, copy.called(world, action))
    error: RigidError | None = None
    if action.kind in ("set", "add"):
        path, value = [*action.values.items()][part]
        owner, dot, setting = path.partition(".")
        if copy is not None:
            path = copy.target(world, action, path)
            owner, dot, setting = path.partition(".")
        full = f"{names[owner]}{dot}{setting}" if owner in EVENT_BODIES else path
        is_placed = copy is not None and isinstance(value, float)
        setter = find_setter(world, full)
        given = numbers[0] if is_placed else _given(value, numbers)
        error = _told(lambda: (setter.set if action.kind == "set" else setter.add)(given))
        return refused(world, place) if error is None else failure(world, action.path, str(error))
    if action.kind == "impulse":
        x, y, *where = numbers
        at = (where[0], where[1]) if action.at else None
        error = _told(lambda: world[what].apply_impulse((x, y), at))
    elif action.kind == "attach":
        count, values = int(numbers[0]), place.values
        if copy is not None:
            action = copy.attaching(world, action)
        error = _told(lambda: attach(world, action, count, values, names))
    elif action.kind == "destroy" and (how := action.destruction) is not None:
        error = _told(lambda: destroy_body(world, what, how))
        error = error and failure(world, action.path, str(error))
    elif action.motion is not None:
        about, to, velocity = ((numbers[i], numbers[i + 1]) for i in (0, 2, 5))
        shift = Shift(about, to, numbers[4], velocity if action.motion.velocity else None)
        error = _told(lambda: move(world, members(world, what), shift))
    return refused(world, place) if error is None else error


def _given(value: Any, numbers: Sequence[float]) -> Any:
    """The value of a setting, with the numbers of its formulas."""
    if isinstance(value, tuple):
        return tuple(numbers[: len(value)])
    return numbers[0] if isinstance(value, Formula) else value
