# SPDX-License-Identifier: MIT
"""The block ``probes``: rays, overlaps and velocities that expressions of the run read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from ... import limits
from ...action_model import TAGGED
from ...building.block import BlockSpec, BuildContext
from ...building.generators import Turns
from ...building.scope import Scope
from ...building.templates import Builder
from ...model import Material, Scene, Shape
from ...probe_model import Probe, ProbeKind
from ...values import units
from ...values.broken import BROKEN, Stop, is_read
from ...values.context import Context
from ...values.expression import Expression, split_state
from ...values.fields import POINT, RepeatedInput, about
from ...values.kinds import Custom, ListOf, Tuple, nearest
from ...values.names import Name, missing_body, wholes
from ...values.quantity import Deferred, Quantity
from ..bodies.materials import SURFACE
from ..bodies.shape_types import ShapeInput, write_outline
from ..bodies.shapes import build_shape, kind_of
from ..script.live import LiveReader, Unchecked, literal
from ..script.spawns import known_tags
from ..script.writing import written_value
from ..settings.settable import scene_so_far

_BODY = Name("the name of a body", computed=True)
_NAMED = Name("the name of a body, a group, an instance or `tags.NAME`", computed=True)
_SEVERAL = ListOf(_NAMED, "a list of bodies")
_ANGLE = Quantity((units.ANGLE,))
_RAY = Tuple(POINT, 2, "two points [[x1, y1], [x2, y2]]")
_CATEGORIES = ListOf(Name("the name of a category"), "a list of categories", 1, limits.CATEGORIES)
_RESERVED = ("world", "state", "tags", "groups", "solver", "camera")


def _check_names(value: Any, context: Context) -> Any:
    if isinstance(value, list):
        return _SEVERAL.check(value, context)
    return (_NAMED.check(value, context),)


_NAMES = Custom(_check_names, {"anyOf": [_NAMED.schema(), _SEVERAL.schema()]})


class ProbeInput(RepeatedInput):
    form: ClassVar[str] = "`{ray: [[0, 0], [5, 0]], frame: car}`"
    hints: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("on", "body", "anchor", "anchored"), "the body it moves with is `frame`"),
        **dict.fromkeys(("from", "to"), "a ray is `ray: [from, to]`, two points"),
        **dict.fromkeys(("position", "center", "point", "offset"), "its place is `at`"),
        **dict.fromkeys(("exclude", "except", "without"), "what is not found is `ignore`"),
        "tags": "only bodies with a tag: `only: tags.wall`; all but these: `ignore: tags.wall`",
        "category": "it is a list, `categories: [wall]`",
        "velocity": "the body whose velocity is read is `velocity_of`",
    }
    ray: Annotated[Any, Unchecked(_RAY)] = about(
        "A ray from a point to another one: the first body that it meets."
    )
    shape: ShapeInput | None = about("A shape: the bodies that overlap it.")
    velocity_of: Annotated[Any, _BODY] = about("A body: the velocity of a point of it.")
    at: Annotated[Any, Unchecked(POINT)] = about(
        "Where the shape is, or the point of the body (default [0, 0]).", of=("shape", "velocity")
    )
    angle: Annotated[Any, Unchecked(_ANGLE)] = about(
        "How the shape is turned (default 0).", of=("shape",)
    )
    frame: Annotated[Any, _BODY] = about(
        "The body in whose coordinates its points are, so that it moves with it (default: world; "
        "of velocity_of the body itself)."
    )
    ignore: Annotated[Any, _NAMES] = about(
        "The bodies that it does not find (default: that of `frame`).", of=("ray", "shape")
    )
    only: Annotated[Any, _NAMES] = about("It finds no bodies but these.", of=("ray", "shape"))
    categories: Annotated[Any, _CATEGORIES] = about(
        "It finds no shapes but those of these categories.", of=("ray", "shape")
    )


_KIND_OF_KEY: dict[str, ProbeKind] = {"ray": "ray", "shape": "shape", "velocity_of": "velocity"}
_ONLY = {
    "at": ("shape", "velocity"),
    "angle": ("shape",),
    **dict.fromkeys(("ignore", "only", "categories"), ("ray", "shape")),
}
_NO_OUTLINE = (*SURFACE, "material", "sensor", "category", "one_way")
"""Fields of a shape that say nothing of where it is."""


@dataclass(frozen=True)
class _PointReader(LiveReader):
    """Reads the points of a probe, in which the indices of its generator are numbers.

    Attributes:
        probes: all that there are, by the names of their entries.
    """

    probes: Mapping[str, Any] = field(default_factory=dict)

    def _live(self, value: Any, at: tuple[int | str, ...]) -> Any:
        if isinstance(value, Deferred):
            expression, scope = value.expression, self.scope
            if expression.seeded:
                raise scope.fail("expression", "a probe has no random numbers", *at)
            given = scope.context.values
            own = {name for name in expression.names if name in scope.values and name not in given}
            if own:
                source = expression.renamed(
                    lambda name: literal(scope.values[name]) if name in own else name
                )
                value = Deferred(scope.context.compile(f"={source}"), value.quantity)
        return super()._live(value, at)

    def check_names(self, expression: Expression, *at: int | str) -> None:
        for name in expression.names:
            owner = name.partition(".")[0].partition("[")[0]
            if owner in self.probes and split_state(name, self.scene)[0] not in self.scene.bodies:
                message = f"`{name}` is read by a probe, and a probe cannot depend on probes"
                raise self.scope.fail("expression", message, *at)
        super().check_names(expression, *at)


class ProbeBuilder(Builder[ProbeInput, Probe]):
    """Makes probes from templates."""

    what, many, most = "probe", "probes", limits.PROBES

    def __init__(
        self, build_context: BuildContext, turns: Turns, own: Mapping[str, ProbeInput]
    ) -> None:
        super().__init__(turns, own)
        self.build_context = build_context
        self.scene = scene_so_far(build_context)
        self.groups: dict[str, Sequence[str]] = {
            **wholes(self.scene.bodies),
            **self.scene.groups,
        }
        self.tags = known_tags(build_context)

    def plan(self, template: ProbeInput, scope: Scope) -> ProbePlan:
        return ProbePlan(self, template)

    def unknown(self, name: str) -> Probe:
        return BROKEN  # type: ignore[no-any-return]

    def other(self, name: str) -> str:
        if name in _RESERVED:
            return "block or word"
        for section in ("bodies", "joints", "actuators", "groups", "vars"):
            if name in getattr(self.scene, section):
                return {"bodies": "body"}.get(section, section.removesuffix("s"))
        return ""


class ProbePlan:
    """One template of probes."""

    def __init__(self, builder: ProbeBuilder, template: ProbeInput) -> None:
        self.builder, self.template = builder, template

    def build(self, name: str, scope: Scope) -> Probe:
        """The probe of one turn, BROKEN after a problem."""
        try:
            return self._build(name, scope)
        except Stop:
            scope.failed = True
            return BROKEN  # type: ignore[no-any-return]

    def _build(self, name: str, scope: Scope) -> Probe:
        given = self.template
        kind = self._kind(scope)
        for key, kinds in _ONLY.items():
            if is_read(getattr(given, key)) and kind not in kinds:
                keys = "` and `".join(name for name, each in _KIND_OF_KEY.items() if each in kinds)
                scope.fail("conflicting-keys", f"`{key}` goes with `{keys}`", key)
        body = scope.attempt(self._body, "", scope, "velocity_of")
        frame = scope.attempt(self._frame, "", scope, body)
        reader = _PointReader(
            self.builder.scene, scope, probes=self.builder.build_context.given.probes or {}
        )
        points: dict[str, Any] = {}
        for key, asked in (("ray", _RAY), ("at", POINT), ("angle", _ANGLE)):
            written = getattr(given, key)
            if is_read(written):
                points[key] = scope.attempt(reader.read, 0.0, asked, written, key)
            elif written is BROKEN:
                scope.failed = True
        shape = scope.attempt(self._shape, None, scope) if kind == "shape" else None
        ignore, only = (scope.attempt(self._named, (), scope, key) for key in ("ignore", "only"))
        if given.ignore is None and frame and kind != "velocity":
            ignore = (frame,)
        categories = given.categories or ()
        collision = self.builder.scene.collision
        for i, category in enumerate(categories if is_read(collision) else ()):
            if category not in (known := collision.categories):
                message = f"there is no category `{category}`; {nearest(category, known)}"
                scope.fail("unknown-name", message, "categories", i)
        scope.stop_if_failed()
        start, end = points.get("ray", (points.get("at", (0.0, 0.0)), (0.0, 0.0)))
        if kind == "ray" and start == end:
            raise scope.fail("out-of-range", "the ray has no length: its two points are one", "ray")
        return Probe(
            name,
            kind,
            start,
            end,
            points.get("angle", 0.0),
            shape,
            body,
            frame,
            ignore,
            only,
            tuple(categories),
        )

    def _kind(self, scope: Scope) -> ProbeKind:
        keys = [key for key in _KIND_OF_KEY if getattr(self.template, key) is not None]
        if not keys:
            if scope.report.may_mean(scope.path, object):
                raise Stop
            message = "a probe has one of `ray`, `shape` and `velocity_of`"
            raise scope.fail("missing-key", message)
        if len(keys) > 1:
            message = f"`{keys[0]}` and `{keys[1]}` are two questions; make two probes of them"
            raise scope.fail("conflicting-keys", message, keys[1])
        return _KIND_OF_KEY[keys[0]]

    def _frame(self, scope: Scope, body: str) -> str:
        """The body in whose coordinates the points are; empty for the world."""
        if self.template.frame is None:
            return body
        if scope.known(self.template.frame, "frame") == "world":
            return ""
        return self._body(scope, "frame")

    def _body(self, scope: Scope, key: str) -> str:
        written = getattr(self.template, key)
        if written is None:
            return ""
        name: str = scope.resolve(written, key)
        if name not in self.builder.scene.bodies:
            self._refuse(scope, name, key)
        return name

    def _refuse(self, scope: Scope, name: str, *at: int | str) -> None:
        bodies = self.builder.scene.bodies
        if scope.report.may_have("bodies", name):
            raise Stop
        message = missing_body(name, bodies, scope.report.tree)
        raise scope.fail("unknown-name", message, *at, missing=name)

    def _named(self, scope: Scope, key: str) -> tuple[str, ...]:
        """The bodies of names, and tags as they are."""
        builder, found = self.builder, dict[str, None]()
        written = getattr(self.template, key)
        for i, each in enumerate(() if written is None else scope.parts(written, key)):
            if each is BROKEN:
                raise Stop
            if each in builder.scene.bodies:
                found[each] = None
            elif each.startswith(TAGGED):
                tag = each.removeprefix(TAGGED)
                if tag not in builder.tags and scope.report.is_whole("bodies"):
                    message = (
                        f"no body has the tag `{tag}`; {nearest(tag, builder.tags, what='tags')}"
                    )
                    scope.fail("unknown-name", message, key, i, missing=f"tag {tag}")
                found[each] = None
            elif each in builder.groups:
                its = builder.groups[each]
                builder.turns.add_members(len(its), scope, key, i)
                found |= dict.fromkeys(its)
            else:
                self._refuse(scope, each, key, i)
        return tuple(found)

    def _shape(self, scope: Scope) -> Shape:
        given = self.template.shape
        if given is None or given is BROKEN:
            raise Stop
        kind = kind_of(scope, given, ("shape",))
        for key in _NO_OUTLINE:
            if is_read(getattr(given, key)):
                message = f"the shape of a probe is an outline alone; it has no `{key}`"
                scope.fail("conflicting-keys", message, "shape", key)
        if kind == "half_space":
            message = "a half-space has no end; a probe needs a shape that has one"
            raise scope.fail("unsupported", message, "shape", kind)
        drawings = self.builder.build_context.drawings
        return build_shape(scope, given, kind, ("shape",), Material(), "default", drawings)


def _build(
    given: Mapping[str, ProbeInput] | None, build_context: BuildContext
) -> Mapping[str, Probe]:
    own = build_context.own_entries("probes", ProbeInput)
    if not given:
        return {}
    builder = ProbeBuilder(build_context, build_context.turns, own)
    for name, probe in given.items():
        builder.add(name, probe, build_context.scope("probes", name))
    return builder.made


def _write(probe: Probe) -> dict[str, Any]:
    at, kind = written_value(probe.at), probe.kind
    values: dict[str, Any] = {}
    if kind == "ray":
        values["ray"] = [at, written_value(probe.to)]
    elif probe.shape is not None:
        values |= {"shape": write_outline(probe.shape), "at": at}
        if probe.angle != 0.0:
            values["angle"] = written_value(probe.angle)
    else:
        values |= {"velocity_of": probe.body, "at": at}
    if probe.frame != probe.body:
        values["frame"] = probe.frame or "world"
    if kind != "velocity" and (probe.ignore or probe.frame):
        values["ignore"] = probe.ignore
    values |= {"only": probe.only} if probe.only else {}
    return values | ({"categories": probe.categories} if probe.categories else {})


def _hash_pieces(scene: Scene) -> Iterator[bytes]:
    for probe in scene.probes.values():
        yield f"probe {probe!r}".encode()


PROBES = BlockSpec(
    dict[str, ProbeInput] | None,
    _build,
    write=lambda scene: {name: _write(each) for name, each in scene.probes.items()},
    hash_pieces=_hash_pieces,
)
