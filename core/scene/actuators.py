"""Builds the actuators: whom they act on, with what, and when."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from . import limits
from .actuator_models import KINDS, ActuatorInput
from .generators import Turns, bounded, name_problem, unroll
from .joints import missing_body
from .kinds import nearest
from .model import Actuator, Body, Joint
from .places import unit_vector
from .scope import Scope, Stop

# The fields that only some types of actuators have.
_ONLY: dict[str, tuple[str, ...]] = {
    "at": ("thruster", "axial_friction", "force", "impulse"),
    "force": ("thruster", "force"),
    "torque": ("thruster", "rotary_motor", "torque"),
    "impulse": ("impulse",),
    "angular_impulse": ("impulse",),
    "speed": ("rotary_motor",),
    "max_torque": ("rotary_motor",),
    "direction": ("axial_friction",),
    "friction": ("axial_friction",),
    "max_force": ("axial_friction",),
    "until": ("thruster", "rotary_motor", "axial_friction", "force", "torque"),
}
# What each type must have one of.
_NEEDS: dict[str, tuple[str, ...]] = {
    "thruster": ("force", "torque"),
    "rotary_motor": ("speed", "torque"),
    "axial_friction": ("friction", "max_force"),
    "force": ("force",),
    "torque": ("torque",),
    "impulse": ("impulse", "angular_impulse"),
}


class ActuatorBuilder:
    """Makes actuators from templates; one for a whole scene, since its limits are common."""

    def __init__(
        self,
        bodies: Mapping[str, Body],
        joints: Mapping[str, Joint],
        turns: Turns,
        own: Mapping[str, ActuatorInput],
    ) -> None:
        self.bodies = bodies
        self.joints = joints
        self.turns = turns
        self.own = own  # actuators that an override made different from their generator's others
        self.actuators: dict[str, Actuator] = {}
        self.pushed = 0  # pairs of an actuator and a body
        self.made: dict[str, list[str]] = {}  # what each generator of bodies made
        self.tagged: dict[str, list[str]] = {}  # the bodies that have a tag
        for name, body in bodies.items():
            self.made.setdefault(name.partition("[")[0], []).append(name)
            for tag in body.tags:
                self.tagged.setdefault(tag, []).append(name)

    def add(self, name: str, template: ActuatorInput, scope: Scope) -> None:
        """The actuators of one entry of ``actuators``; problems go to the report."""
        problem = name_problem(name, "actuator")
        for what, others in (("body", self.bodies), ("joint", self.joints)):
            if not problem and name in others:
                problem = f"there is a {what} `{name}` too; an actuator needs a name of its own"
        if problem:
            scope.report.add_key(scope.path, problem)
            scope.report.broken.add(scope.path)
            return
        try:
            entries = bounded(
                unroll(template, name, scope, self.turns),
                limits.ACTUATORS - len(self.actuators),
                scope,
                f"the scene has more than {limits.ACTUATORS} actuators; that is the limit",
            )
            for full, inner in entries:
                if full in self.actuators or full in self.bodies or full in self.joints:
                    raise scope.fail(f"there are two things with the name `{full}`")
                given = self.own.get(full, template)
                place = inner if given is template else inner.at("actuators", full)
                self.actuators[full] = _One(self, given, place).build(full)
        except Stop:
            return


class _One:
    """One actuator of a template."""

    def __init__(self, builder: ActuatorBuilder, template: ActuatorInput, scope: Scope) -> None:
        self.builder = builder
        self.template = template
        self.scope = scope

    def get(self, field: str, default: Any) -> Any:
        """A field's value; the default also after a problem, which is reported."""
        given = getattr(self.template, field)
        value = self.scope.attempt(lambda: self.scope.resolve(given, field), None)
        return default if value is None else value

    def build(self, name: str) -> Actuator:
        """The actuator; Stop after all its problems are reported."""
        scope, kind = self.scope, self._kind()
        self._check_fields(kind)
        none: tuple[str, ...] = ()
        bodies = scope.attempt(self._bodies, none)
        direction = unit_vector(self.get("direction", (1.0, 0.0)))
        if direction is None:
            scope.attempt(lambda: self._fail("needs a direction, not [0, 0]", "direction"), None)
        start, until = self.get("start", 0.0), self.get("until", math.inf)
        if until <= start:
            scope.attempt(lambda: self._fail("`until` must be after `start`", "until"), None)
        at = self.get("at", (0.0, 0.0) if kind == "axial_friction" else None)
        impulse = kind == "impulse"
        actuator = Actuator(
            name=name,
            kind=kind,
            bodies=bodies,
            at=at,
            force=self.get("impulse" if impulse else "force", (0.0, 0.0)),
            torque=self.get("angular_impulse" if impulse else "torque", 0.0),
            speed=self.get("speed", None),
            max_torque=self.get("max_torque", math.inf),
            direction=direction or (1.0, 0.0),
            friction=self.get("friction", None),
            max_force=self.get("max_force", math.inf),
            enabled=self.get("enabled", True),
            start=start,
            until=until,
            visible=self.get("visible", True),
        )
        scope.stop_if_failed()
        return actuator

    def _fail(self, message: str, *at: str) -> None:
        raise self.scope.fail(message, *at)

    def _kind(self) -> Any:
        kind = self.template.type
        if kind is None and self.scope.report.has_unknown(self.scope.path):
            raise Stop
        if kind is None:
            raise self.scope.fail(f"`type` is missing; an actuator is one of {', '.join(KINDS)}")
        return kind

    def _check_fields(self, kind: str) -> None:
        """Report the fields that this type does not have, and those that it lacks."""
        scope = self.scope
        for field, kinds in _ONLY.items():
            if getattr(self.template, field) is not None and kind not in kinds:
                scope.fail(
                    f"`{field}` does not belong to the actuator {kind}, but to {', '.join(kinds)}",
                    field,
                )
                scope.failed = True
        needs = _NEEDS[kind]
        given = [field for field in needs if getattr(self.template, field) is not None]
        if not given and not scope.report.has_unknown(scope.path):
            scope.fail(f"the actuator {kind} needs {' or '.join(f'`{field}`' for field in needs)}")
            scope.failed = True
        alone = kind in ("rotary_motor", "axial_friction")
        if alone and len(given) > 1:
            scope.fail(f"`{given[0]}` and `{given[1]}` are both given; keep one", given[1])
            scope.failed = True
        if "torque" in given and self.template.max_torque is not None:
            scope.fail("`max_torque` goes with `speed`", "max_torque")
            scope.failed = True

    # ------------------------------------------------------------ whom it acts on

    def _bodies(self) -> tuple[str, ...]:
        template, scope = self.template, self.scope
        fields = [f for f in ("body", "bodies", "tags") if getattr(template, f) is not None]
        if not fields and scope.report.has_unknown(scope.path):
            raise Stop
        if not fields:
            raise scope.fail("whom does it push? Give `body`, `bodies` or `tags`")
        if len(fields) > 1:
            raise scope.fail(f"`{fields[0]}` and `{fields[1]}` are both given; keep one", fields[1])
        found: dict[str, None] = {}
        if template.tags is not None:
            for i, tag in enumerate(template.tags):
                found.update(dict.fromkeys(self._with_tag(tag, i)))
        elif template.body is not None:
            found.update(dict.fromkeys(self._named(scope.resolve(template.body, "body"), "body")))
        else:
            for i, name in enumerate(scope.resolve(template.bodies, "bodies")):
                found.update(dict.fromkeys(self._named(name, "bodies", i)))
        self.builder.pushed += len(found)
        if self.builder.pushed > limits.ACTUATORS:
            raise scope.fail(
                f"the actuators of this scene act on more than {limits.ACTUATORS} bodies in all; "
                "that is the limit"
            )
        return tuple(found)

    def _named(self, name: str, *at: int | str) -> list[str]:
        """The body of a name, or all that a generator of that name made."""
        bodies, scope = self.builder.bodies, self.scope
        group = [name] if name in bodies else self.builder.made.get(name)
        if group is None and scope.report.is_broken("bodies", name):
            raise Stop
        if name == "world":
            raise scope.fail("`world` is the frame; forces move dynamic bodies only", *at)
        if group is None:
            raise scope.fail(missing_body(name, dict(bodies)), *at)
        for each in group:
            if bodies[each].kind != "dynamic":
                raise scope.fail(
                    f"`{each}` is {bodies[each].kind}; forces move dynamic bodies only", *at
                )
        return group

    def _with_tag(self, tag: str, i: int) -> list[str]:
        bodies, tagged, scope = self.builder.bodies, self.builder.tagged, self.scope
        group = [name for name in tagged.get(tag, ()) if bodies[name].kind == "dynamic"]
        if group:
            return group
        if scope.report.broken:
            raise Stop  # the tag may be that of a body whose own problem is reported
        if tag in tagged:
            raise scope.fail(f"no body with the tag `{tag}` is dynamic", "tags", i)
        raise scope.fail(f"no body has the tag `{tag}`; {nearest(tag, tagged)}", "tags", i)
