# SPDX-License-Identifier: MIT
"""Builds spawns: prototypes, and where they are placed while a scene runs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ...births_model import births_in, births_of
from ...building.block import BuildContext
from ...building.generators import name_problem
from ...building.variants import Variants
from ...event_model import Formula, Live, Prototype, Spawn
from ...model import Scene
from ...text.problems import locate
from ...values.broken import BROKEN, Stop, Unclear, is_read
from ...values.expression import NO_EVENT, split_state
from ...values.fields import POINT
from ...values.kinds import nearest, show
from ...values.names import missing_body
from ...values.quantity import Written
from ..variables import GIVEN_VAR
from .action_models import ANGLE, LIFETIME, VELOCITY, SpawnInput
from .live import LiveReader
from .paths import at_its_place, with_paths


class Spawns:
    """Builds spawns."""

    def __init__(self, build_context: BuildContext, reader: LiveReader) -> None:
        self.build_context, self.reader = build_context, reader
        self.scope, self.scene = reader.scope, reader.scene

    def build(self, given: SpawnInput, *at: int | str, name: str = "") -> Spawn:
        """Build a spawn; ``name`` is the default name of the copies."""
        use = given.use
        if use is None and not self.scope.report.may_mean((*self.scope.path, *at), str):
            raise self.scope.fail("missing-key", "`use` is missing: what is born?", *at)
        if not is_read(use):
            raise Stop
        called = given.name if is_read(given.name) else name or use
        given_vars = self._vars(given, use, *at)
        plain = {key: each for key, each in given_vars.items() if not isinstance(each, Formula)}
        live = len(plain) < len(given_vars) or self._is_inside(use, plain)
        self._check(use, plain, called, *at)
        if live:  # with these vars it is made when it is born
            self._check_live(use, *at)
        variant = self._variant(use, {} if live else plain, called, *at)
        values: dict[str, Live] = {}
        if is_read(given.at):
            values["at"] = self.place(given.at, *at, "at")
        is_point = not isinstance(values.get("at", ""), str)
        of_place = replace(self.reader, given=(*self.reader.given, *AT)) if is_point else None
        for field, kind in _KINDS:
            written = getattr(given, field)
            if is_read(written):
                reader = None if field == "lifetime" else of_place
                values[field] = (reader or self.reader).read(kind, written, *at, field)
        if is_read(given.frame):
            values["frame"] = self._frame(given.frame, *at, "frame")
        self.check_name(called, *at, *(("name",) if is_read(given.name) else ()))
        if given.if_free is None and is_read(given.max_tries):
            message = "`max_tries` is for births with `if_free: true`; others always find a place"
            self.scope.fail("conflicting-keys", message, *at, "max_tries")
        free = self.scope.known(given.if_free, *at, "if_free")
        tries = self.scope.known(given.max_tries, *at, "max_tries")
        scale = self.scope.known(given.scale, *at, "scale")
        pivot = self.scope.known(given.pivot, *at, "pivot")
        self.scope.stop_if_failed()
        if given.mirror is BROKEN:
            raise Stop
        return Spawn(
            variant,
            called,
            **values,  # type: ignore[arg-type]
            if_free=bool(free),
            max_tries=int(tries or 1),
            scale=scale or 1.0,
            mirror=given.mirror,  # type: ignore[arg-type]
            vars=given_vars if live else {},
            pivot=pivot or (0.0, 0.0),
        )

    def _vars(self, given: SpawnInput, use: str, *at: int | str) -> dict[str, Live]:
        """The values for the prototype's vars, numbers first where both can be known."""
        prototype_builder, report = self.build_context.prototype_builder, self.scope.report
        if use not in prototype_builder.trees:
            if report.may_have("prototypes", use):
                raise Stop
            hint = nearest(use, prototype_builder.trees, what="prototypes")
            message = f"there is no prototype `{use}`; {hint}"
            raise self.scope.fail("unknown-name", message, *at, "use", missing=f"prototype {use}")
        if not is_read(given.vars):
            return {}
        known, values = prototype_builder.vars_of(use), {}
        none: Live = 0.0
        for key, written in (given.vars or {}).items():
            if known is not None and key not in known:
                self.scope.failed = True
                message = f"the prototype `{use}` has no var {show(key)}; {nearest(key, known)}"
                path = (*self.scope.path, *at, "vars", key)
                report.add_key(path, "unknown-name", message)
                continue
            values[key] = self.scope.attempt(
                self.reader.read, none, GIVEN_VAR, written, *at, "vars", key
            )
        self.scope.stop_if_failed()
        return values

    def _check_live(self, use: str, *at: int | str) -> None:
        if self.build_context.prototype_builder.build_context.is_part:
            message = (
                f"the prototype `{use}` is one of a file's own; its vars are given before a run, "
                "without names and random numbers of it, and are the same where it spawns itself"
            )
            raise self.scope.fail("unsupported", message, *at, "vars")

    def _key(self, use: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        said = tuple(sorted((name, repr(value)) for name, value in values.items()))
        return self.build_context.prototype_builder, use, said

    def _is_inside(self, use: str, values: Mapping[str, Any]) -> bool:
        """Whether a prototype spawns itself with ever different vars.

        While the scene runs, this is assumed of every prototype with vars.
        """
        variants, key = self.build_context.variants, self._key(use, values)
        if variants.running:
            return bool(values)
        return key[:2] in variants.open and not variants.name_of(key)

    def _check(self, use: str, values: Mapping[str, Any], called: str, *place: int | str) -> None:
        """Stop if a prototype with these vars cannot be spawned."""
        prototype_builder, at = self.build_context.prototype_builder, (*place, "use")
        if self.build_context.variants.running:
            if prototype_builder.build_context.is_part:
                message = (
                    "a file whose prototypes spawn prototypes of its own has its vars given before "
                    "a run"
                )
                raise self.scope.fail("unsupported", message, *at)
            return
        if self.build_context.variants.name_of(self._key(use, values)):
            return
        line = locate(self.scope.report.tree, (*self.scope.path, *place))[0].line
        parts = prototype_builder.objects(use, values, f"`{called}`, line {line}" if values else "")
        if parts.pairs:
            message = (
                f"the prototype `{use}` has bodies that ignore each other (`pairs_ignore`); what "
                "is born while a scene runs cannot"
            )
            raise self.scope.fail("unsupported", message, *at)
        if not parts.made["bodies"] and prototype_builder.says_when(use):
            message = (
                f"the prototype `{use}` has no bodies; what is born does something from its birth "
                "to the end of its last body"
            )
            raise self.scope.fail("unsupported", message, *at)

    def _variant(self, use: str, values: Mapping[str, Any], called: str, *place: int | str) -> str:
        """The name of the prototype with these vars among those that are spawned."""
        prototype_builder, variants = (
            self.build_context.prototype_builder,
            self.build_context.variants,
        )
        key = self._key(use, values)
        name: str = use if variants.running else variants.name_of(key)
        if name:
            return name
        name = variants.put(key, use, plain=not (values or prototype_builder.build_context.is_part))
        variants.places[name] = self.scope, (*place, "use")
        line = locate(self.scope.report.tree, (*self.scope.path, *place))[0].line
        variants.open.append(key[:2])
        try:
            parts = prototype_builder.whole(
                use, values, f"`{called}`, line {line}" if values else ""
            )
        finally:
            variants.open.pop()
        variants.parts[name] = parts
        return name

    def check_name(self, name: str, *at: int | str) -> None:
        """Stop if copies cannot have this name."""
        problem = name_problem(name, "spawned body")
        instances = self.build_context.given.instances or {}
        if not problem and (name in instances or name in (self.build_context.given.bodies or {})):
            problem = f"there is something else called `{name}`; give it another `name`"
        if problem:
            raise self.scope.fail("invalid-name", problem, *at)

    def _frame(self, name: str, *at: int | str) -> str:
        if name in ("$a", "$b") and f"{name}.x" in self.reader.given:
            return name
        if name not in self.scene.bodies:
            if self.scope.report.may_have("bodies", name):
                raise Stop
            message = missing_body(name, self.scene.bodies, self.scope.report.tree)
            raise self.scope.fail("unknown-name", message, *at, missing=name)
        return name

    def place(self, written: Any, *at: int | str) -> Live:
        """A point, or the name of a body, of a point of one, or of a place of the event."""
        value = written.value if isinstance(written, Written) else written
        if not isinstance(value, str) or value.lstrip().startswith("="):
            return self.reader.read(POINT, value, *at)
        known = sorted({each.partition(".")[0] for each in self.reader.given} & _PLACES)
        if value.startswith("$"):
            if value not in known:
                hint = nearest(value, known) if known else NO_EVENT
                message = f"there is no `{value}` here; {hint}"
                raise self.scope.fail("unknown-name", message, *at)
            return value
        owner, rest = split_state(value, self.scene)
        body = self.scene.bodies.get(owner)
        if body is None:
            if self.scope.report.may_have("bodies", owner):
                raise Stop
            message = missing_body(owner, self.scene.bodies, self.scope.report.tree)
            raise self.scope.fail("unknown-name", message, *at, missing=owner)
        if body is not BROKEN and rest and rest.removeprefix("points.") not in body.points:
            message = f"the body `{owner}` has no point `{rest}`; a place is a body or one of its "
            points = [f"{owner}.points.{point}" for point in body.points]
            raise self.scope.fail("unknown-name", f"{message}points; {nearest(value, points)}", *at)
        return value


_PLACES = {"$a", "$b", "$point"}
AT = ("$at.x", "$at.y")
"""The point of a birth, in the expressions of its angle and velocity."""
_KINDS = (("angle", ANGLE), ("velocity", VELOCITY), ("lifetime", LIFETIME))


def spawned_of(parts: BuildContext, name: str) -> Prototype:
    """The spawn of a built prototype, with the paths that it has by its name."""
    made, placed = parts.made, parts.placed
    begin = f"prototypes.{name}"
    controls = {
        key: at_its_place(control, f"{begin}.controls.{key}")
        for key, control in made["controls"].items()
    }
    return Prototype(
        dict(made["bodies"]),
        {**placed["joints"], **made.get("joints", {})},
        {**placed["actuators"], **made.get("actuators", {})},
        dict(made["animations"]),
        controls,
        tuple(
            replace(with_paths(rule, rule.path, f"{begin}.events[{i}]"), origin=rule.path)
            for i, rule in enumerate(made["events"])
        ),
        {
            each.name: replace(
                each,
                spawn=with_paths(
                    each.spawn, f"{parts.prefix}spawners.{key}", f"{begin}.spawners.{key}"
                ),
            )
            for key, each in made["spawners"].items()
        },
        dict(made["particles"]),
    )


def spawned(scene: Scene, variants: Variants) -> dict[str, Prototype]:
    """The prototypes that something in a scene spawns, in the order of that."""
    found: dict[str, Prototype] = {}
    waiting = deque(each.use for each in births_of(replace(scene, prototypes={})))
    while waiting:
        use = waiting.popleft()
        if use not in found:
            found[use] = spawned_of(variants.parts[use], use)
            births = births_in(found[use])
            waiting.extend(each.use for each in births)
            for name in dict.fromkeys(each.name for each in births):
                if name in variants.taken:
                    scope, at = variants.places[use]
                    message = (
                        f"copies of `{use}` spawn what is called `{name}`, as something else in "
                        "the scene; give it another `name` there"
                    )
                    scope.fail("invalid-name", message, *at)
    return found


def known_tags(build_context: BuildContext) -> dict[str, None]:
    """The tags of all bodies, also of those that prototypes have and of pieces of broken ones."""
    return _united([tags_of(build_context.made["bodies"]), born_tags(build_context)])


def born_tags(build_context: BuildContext) -> dict[str, None]:
    """Return the tags of bodies that a run may add: of prototypes, and of pieces."""
    known: list[dict[str, None]] = []
    actions = [*given_actions(build_context)]
    for use in build_context.prototype_builder.trees:
        try:
            parts = build_context.prototype_builder.objects(use)
            known.append(tags_of(parts.made["bodies"]))
        except (Stop, KeyError):
            continue
        actions += given_actions(parts)
    for action in actions:
        broken = action.destroy
        if broken is None:
            continue
        if is_read(broken) and broken.tags and is_read(broken.tags):
            known.append(dict.fromkeys(broken.tags))
        else:
            known.append(tags_of(build_context.made["bodies"]))
    return _united(known)


def _united(known: Iterable[dict[str, None]]) -> dict[str, None]:
    """All of some tags, unclear where some of them are."""
    known = [*known]
    unclear = any(isinstance(tags, Unclear) for tags in known)
    return (Unclear if unclear else dict)({tag: None for tags in known for tag in tags})


def tags_of(bodies: Mapping[str, Any]) -> dict[str, None]:
    """The tags of bodies, unclear where some cannot be read."""
    read = [body for body in bodies.values() if body is not BROKEN]
    tags = {tag: None for body in read if is_read(body.tags) for tag in body.tags}
    return Unclear(tags) if any(body.tags is BROKEN for body in read) else tags


def given_actions(build_context: BuildContext) -> Iterator[Any]:
    """All written actions of events, controls and inputs; a prototype has no inputs."""
    given = build_context.given
    inputs: Any = getattr(given, "inputs", None)
    controls = given.controls.values() if is_read(given.controls) else ()
    for entries in (given.events, controls, inputs):
        for entry in entries if is_read(entries) else ():
            released: Any = None if entry is BROKEN else getattr(entry, "on_release", None)
            for owner in (entry, released):
                if owner is not None and owner is not BROKEN and is_read(owner.do):
                    yield from (action for action in owner.do if action is not BROKEN)
