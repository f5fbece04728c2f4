# SPDX-License-Identifier: MIT
"""Builds the bodies: defaults, materials and shapes put together, generators unrolled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ... import limits
from ...building.block import BlockSpec, BuildContext
from ...building.drawings import Drawings
from ...building.generators import Turns, name_problem, number_of_columns
from ...building.images import Images
from ...building.scope import Scope, deferred
from ...building.templates import Builder, TemplatePlan, number_of_values
from ...model import Body, Material, Shape, Texture, Trail, World
from ...text.problems import Path
from ...values.broken import BROKEN, Stop, is_read
from ...values.columns import Columns
from ...values.fields import Input
from .materials import SURFACE, Materials, find_material, surface
from .models import BodyFields, BodyInput
from .shape_types import ShapeInput
from .shapes import Totals, build_shape, count_shapes, kind_of, plain_shape, unknown_shape
from .writing import hash_bodies, write_body

# Fields that go from the input to the Body as they are, once resolved.
_PLAIN = (
    "position",
    "angle",
    "velocity",
    "angular_velocity",
    "mass",
    "inertia",
    "center_of_mass",
    "fixed_rotation",
    "linear_damping",
    "angular_damping",
    "gravity_scale",
    "bullet",
    "sleep",
    "awake",
    "collide",
    "color",
    "outline",
    "z",
    "visible",
    "tags",
    "category",
)

_WITH_PARTS = ("points", "trail")

# Keys of a shape's material.
_STUFF = (*SURFACE, "category", "material")
_Look = tuple[str, str, Material]
"""The category, the kind and the material of a shape."""


def _said(defaults: BodyFields | None) -> frozenset[str]:
    """The fields that bodies may have from ``defaults.body``; all, where that is BROKEN."""
    if defaults is None or defaults is BROKEN:
        return frozenset() if defaults is None else frozenset(_PLAIN)
    return frozenset(name for name in _PLAIN if getattr(defaults, name) is not None)


def _over(defaults: BodyFields | None, own: BodyFields) -> BodyFields:
    """Merge the fields for bodies of one type over those for all."""
    if own is BROKEN or defaults is None or defaults is BROKEN:
        return own if defaults is not BROKEN else defaults
    said = {name: getattr(own, name) for name in own.model_fields_set}
    if "shape" in said or "shapes" in said:
        said = {"shape": None, "shapes": None} | said
    return defaults.model_copy(update=said)


def unknown_body(name: str) -> Body:
    """A body of which only the name is known, since it has problems."""
    return Body(**{**dict.fromkeys(Body.__dataclass_fields__, BROKEN), "name": name})


class BodyBuilder(Builder[BodyInput, Body]):
    """Makes bodies from templates; one for a whole scene, since its limits are common."""

    what, many, unique, most = "body", "bodies", "bodies", limits.BODIES

    def __init__(
        self,
        world: World,
        materials: Materials,
        defaults: BodyFields | None,
        own: Mapping[str, BodyInput],
        images: Images,
        drawings: Drawings,
        of_types: Mapping[str, BodyFields] | None = None,
    ) -> None:
        super().__init__(Turns(), own)
        self.images = images
        self.drawings = drawings
        self.world = world
        self.materials = materials
        self.defaults = defaults
        self.of_types = {kind: _over(defaults, own) for kind, own in (of_types or {}).items()}
        every = (defaults, *self.of_types.values())
        self.inherited = max(number_of_values(each) for each in every)
        self.totals = Totals()

    def plan(self, template: BodyInput, scope: Scope) -> BodyPlan:
        return BodyPlan(self, template, scope)

    def defaults_of(self, template: BodyInput) -> BodyFields | None:
        """The fields that a body has if it does not say them itself, by its type."""
        kind = template.type
        if kind is None and is_read(self.defaults) and self.defaults is not None:
            kind = self.defaults.type
        if kind is BROKEN or not self.of_types:
            return self.defaults
        return self.of_types.get(kind or "dynamic", self.defaults)

    def unknown(self, name: str) -> Body:
        return unknown_body(name)

    def other(self, name: str) -> str:
        return ""

    def spend(
        self, plan: TemplatePlan[Body], template: BodyInput, scope: Scope, turns: int
    ) -> None:
        """Count the values of bodies; of those of a generator only the ones that differ."""
        if template.repeat is None or not isinstance(plan, BodyPlan):
            super().spend(plan, template, scope, turns)
            return
        values = plan.number_of_own() - number_of_columns(template, scope)
        scope.budget.vary(max(0, values) * turns, scope)

    def count(self, item: Body, scope: Scope) -> None:
        count_shapes(self.totals, scope, item.shapes)


class BodyPlan:
    """One template: what is the same for all its bodies is made once."""

    def __init__(self, builder: BodyBuilder, template: BodyInput, scope: Scope) -> None:
        self.builder = builder
        self.template = template
        self.defaults = builder.defaults_of(template)
        kind = self.get("type")
        self.fixed: dict[str, Any] = {
            "kind": "dynamic" if kind is None else kind,
            "linear_damping": builder.world.linear_damping,
            "angular_damping": builder.world.angular_damping,
        }
        self.varying: list[tuple[str, Any]] = []
        given = template.model_fields_set
        if self.defaults is not None:
            given = given | _said(self.defaults)
        for field in _PLAIN:
            value = self.get(field) if field in given else None
            if value is None:
                continue
            if deferred(value):
                self.varying.append((field, value))
            else:
                self.fixed[field] = value
        self._texture_given = self.get("texture")
        scope.attempt(self._points_and_trail, None, scope)
        scope.attempt(self._check_mass, None, scope)
        self.shapes: list[tuple[ShapeInput, Path]] = []
        self.shapes = scope.attempt(self._shape_inputs, BROKEN, scope)
        self.shared: tuple[Shape, ...] | None = None
        self._columns: Columns | None = None
        self._whole: list[tuple[str, Sequence[Any]]] = []
        self._single: list[tuple[str, Any]] = []
        self._looks: dict[Path, _Look] = {}  # of the shapes that all turns make of the same stuff
        self._bare: dict[Path, tuple[str, str]] = {}  # category and kind of those of the body's
        named = [name for name in _STUFF if name in given or self.defaults is not None]
        self._stuff = {name: self.get(name) for name in named if deferred(self.get(name))}
        self._own_varies = bool(self._stuff)
        self._stuff_columns: list[Sequence[Any]] = []
        self._own: Material | None = None
        self._made: dict[tuple[Any, ...], Material] = {}  # by what is varied of it
        if not self._own_varies and not self._shapes_vary():
            self.shared = self._build_shapes(scope)

    def number_of_own(self) -> int:
        """Number of values that each body has for itself: a vector counts as one.

        The others are shared by all bodies of the template.
        """
        count = sum(field not in _WITH_PARTS for field, _ in self.varying)
        lists = self.get("tags"), self.get("points")
        count += sum(len(each) for each in lists if each is not None and each is not BROKEN)
        built = () if self.shared is not None or self.shapes is BROKEN else self.shapes
        parts = [self.get("trail"), self._texture_given, *[shape for shape, _ in built]]
        return count + sum(map(number_of_values, parts))

    def get(self, field: str) -> Any:
        """A field of the template, else of ``defaults.body``; BROKEN if those are."""
        value = getattr(self.template, field)
        defaults = self.defaults
        if value is None and defaults is not None:
            value = BROKEN if defaults is BROKEN else getattr(defaults, field)
        return value

    def _shape_inputs(self, scope: Scope) -> list[tuple[ShapeInput, Path]]:
        source: BodyFields = self.template
        defaults = self.defaults
        if source.shape is None and source.shapes is None and defaults is not None:
            source = defaults
        if is_read(source.shape) and is_read(source.shapes):
            raise scope.fail(
                "conflicting-keys", "`shape` and `shapes` are both given; keep one", "shapes"
            )
        if source.shape is not None:
            return [(source.shape, ("shape",))]
        if source.shapes:
            return [(shape, ("shapes", i)) for i, shape in enumerate(source.shapes)]
        if scope.report.may_mean(scope.path, dict, list):
            raise Stop
        raise scope.fail(
            "missing-key", "the body has no shape; give it one, such as `shape: {circle: 0.5}`"
        )

    def _check_mass(self, scope: Scope) -> None:
        if is_read(self.template.mass) and is_read(self.template.density):
            message = "`mass` and `density` are both given; keep one"
            raise scope.fail("conflicting-keys", message, "mass")

    def _shapes_vary(self) -> bool:
        fields: list[Any] = []
        for shape, _ in () if self.shapes is BROKEN else self.shapes:
            if shape is BROKEN:
                continue
            values = [getattr(shape, name) for name in shape.model_fields_set]
            for inner in [each for each in values if isinstance(each, Input)]:
                values += [getattr(inner, name) for name in type(inner).model_fields]
            fields += values
        return any(map(deferred, fields))

    def _material(self, scope: Scope) -> Material:
        if self._own is not None:
            return self._own
        key: tuple[Any, ...] = ()
        if self._stuff_columns and scope.columns is self._columns:
            key = tuple([column[scope.turn] for column in self._stuff_columns])
            if key in self._made:
                return self._made[key]
        own = self._find_material(scope)
        if not scope.failed and key:
            self._made[key] = own
        elif not scope.failed and not self._own_varies:
            self._own = own
        return own

    def _find_material(self, scope: Scope) -> Material:
        materials, name = self.builder.materials, scope.known(self.get("material"), "material")
        base = scope.attempt(lambda: find_material(materials, scope, name, ("material",)), BROKEN)
        if base is None:
            base = materials.default
        if self.defaults is not None:
            base = surface(scope, base, self.defaults, ())
        return surface(scope, base, self.template, ())

    def _build_shapes(self, scope: Scope) -> tuple[Shape, ...]:
        own = self._material(scope)
        if self.shapes is BROKEN:
            return (unknown_shape(scope.known(self.get("category"), "category")),)
        return tuple([self._build_shape(scope, shape, at, own) for shape, at in self.shapes])

    def _build_shape(self, scope: Scope, shape: ShapeInput, at: Path, own: Material) -> Shape:
        """The shape; after a problem with its known parts only."""
        if shape is BROKEN:
            return unknown_shape(scope.known(self.get("category"), "category"))
        bare = self._bare.get(at)
        if bare is not None:
            its, kind = bare
            material = own
        else:
            its, kind, material = self._looks.get(at) or self._look(scope, shape, at, own)
        plain = plain_shape(scope, shape, kind, at, material, its)
        if plain is not None:
            return plain
        drawings = self.builder.drawings
        built = scope.attempt(build_shape, BROKEN, scope, shape, kind, at, material, its, drawings)
        return unknown_shape(its, kind) if built is BROKEN else built

    def _look(self, scope: Scope, shape: ShapeInput, at: Path, own: Material) -> _Look:
        """Form and material of a shape; kept if they are the same in all turns."""
        materials = self.builder.materials
        category = shape.category if shape.category is not None else self.get("category")
        its = scope.known(category, *at, "category")
        its = "default" if its is None else its
        kind = scope.attempt(kind_of, BROKEN, scope, shape, at)
        name = scope.known(shape.material, *at, "material")
        named = scope.attempt(
            lambda: find_material(materials, scope, name, (*at, "material")), BROKEN
        )
        material = surface(scope, own if named is None else named, shape, at)
        look = its, kind, material
        says_none = shape.model_fields_set.isdisjoint(_STUFF) and not deferred(category)
        if says_none and not scope.failed and self.template.repeat is not None:
            self._bare[at] = its, kind
        once = scope.failed or self._own_varies or self.template.repeat is None
        if not once and not any(deferred(getattr(shape, name)) for name in _STUFF):
            self._looks[at] = look
        return look

    def _points_and_trail(self, scope: Scope) -> None:
        trail, points = self.get("trail"), self.get("points")
        if trail is not None:
            scope.attempt(scope.need, None, trail, "trail")
            self.varying.append(("trail", trail))
        if points is None:
            return
        self.fixed["points"] = points
        for key in points:
            problem = name_problem(key, "point")
            if problem:
                scope.failed = True
                scope.report.add_key((*scope.path, "points", key), "invalid-name", problem)
        if any(deferred(value) for value in points.values()):
            self.varying.append(("points", points))

    def _divide(self, columns: Columns, turn: int) -> None:
        """Divide what varies into what has a value in every turn, and what is resolved in each."""
        self._columns, self._whole, self._single = columns, [], []
        self._stuff_columns = [
            columns.of(value, turn, (name,)) for name, value in self._stuff.items()
        ]
        if not all(self._stuff_columns):
            self._stuff_columns = []
        for field, value in self.varying:
            column = () if field in _WITH_PARTS else columns.of(value, turn, (field,))
            if column:
                self._whole.append((field, column))
            else:
                self._single.append((field, value))

    def _texture(self, given: Any, shapes: tuple[Shape, ...], scope: Scope) -> Texture:
        if given is BROKEN:
            raise Stop
        from .textures import build_texture  # which few bodies need

        return build_texture(given, shapes, self.builder.images, scope)

    def build(self, name: str, scope: Scope) -> Body:
        """The body of one turn, with BROKEN for values with a problem."""
        values = dict(self.fixed)
        varying, turn = self.varying, scope.turn
        if scope.columns is not None:
            if scope.columns is not self._columns:
                self._divide(scope.columns, turn)
            varying = self._single
            for field, column in self._whole:
                values[field] = column[turn]
        for field, value in varying:
            try:
                values[field] = _resolve(scope, field, value)
            except Stop:
                scope.failed = True
                values[field] = BROKEN
        values["name"] = name
        shared = self.shared
        values["shapes"] = self._build_shapes(scope) if shared is None else shared
        texture = self._texture_given
        if texture is not None:
            values["texture"] = scope.attempt(
                lambda: self._texture(texture, values["shapes"], scope), BROKEN
            )
        body = Body(**values)
        for check in () if self._is_sound(body) else _CHECKS:
            try:
                check(body, scope)
            except Stop:
                scope.failed = True
        return body

    def _is_sound(self, body: Body) -> bool:
        """Whether a body is one of those that need no check."""
        kind = self.fixed["kind"]
        if kind is BROKEN or kind != "dynamic" or body.shapes is BROKEN:
            return False
        kinds = [shape.kind for shape in body.shapes]
        return all(kind is not BROKEN and kind in _SOLID for kind in kinds)


_SOLID = ("polygon", "circle", "capsule")


def _resolve(scope: Scope, field: str, value: Any) -> Any:
    """The value of a field for one turn."""
    if field == "points":
        return {key: scope.known(point, field, key) for key, point in value.items()}
    if field == "trail":
        return Trail(scope.resolve(value.length, field, "length"), value.color)
    return scope.resolve(value, field)


def _check_still(body: Body, scope: Scope) -> None:
    """Report a velocity of a static body."""
    if body.kind == "static" and (body.velocity != (0.0, 0.0) or body.angular_velocity != 0.0):
        field = "velocity" if body.velocity != (0.0, 0.0) else "angular_velocity"
        raise scope.fail(
            "impossible-motion",
            "a static body does not move; for a body that moves as it is told use "
            "`type: kinematic`",
            field,
        )


def _check_endless(body: Body, scope: Scope) -> None:
    """Report motion of an unbounded body, which must be static."""
    if body.kind == "static":
        return
    for i, shape in enumerate(body.shapes):
        if shape.kind == "half_space":
            at = ("shape",) if len(body.shapes) == 1 else ("shapes", i)
            why = f"a half-space does not move, and this body is {body.kind}; use `type: static`"
            raise scope.fail("impossible-motion", why, *at)


def _check_inertia(body: Body, scope: Scope) -> None:
    """Report a dynamic body without mass."""
    if body.kind != "dynamic":
        return
    for shape in body.shapes:
        if shape.kind not in ("segment", "chain"):
            return
    if body.mass is None:
        raise scope.fail(
            "impossible-motion",
            "a dynamic body of segments or chains only has no mass; give `mass`, add a shape "
            "with an area, or use `type: static`",
        )
    if body.inertia is None and not body.fixed_rotation:
        raise scope.fail(
            "impossible-motion",
            "a dynamic body of segments or chains only has no moment of inertia; give "
            "`inertia`, or `fixed_rotation: true`",
        )


_CHECKS = (_check_still, _check_inertia, _check_endless)


def _build_bodies(
    given: Mapping[str, BodyInput] | None, build_context: BuildContext
) -> Mapping[str, Body]:
    made, defaults = build_context.made, build_context.made["defaults"]
    own = build_context.own_entries("bodies", BodyInput)
    of_bodies = defaults.body if defaults else None
    builder = BodyBuilder(
        made["world"],
        build_context.materials,
        of_bodies,
        own,
        build_context.images,
        build_context.drawings,
        defaults.of_types() if defaults else None,
    )
    builder.turns = build_context.turns
    for name, body in (given or {}).items():
        if build_context.kept is None:
            builder.add(name, body, build_context.scope("bodies", name))
        else:
            build_context.kept.add_bodies(name, body, builder, build_context)
    build_context.totals = builder.totals
    return builder.made


def check_some(build_context: BuildContext) -> None:
    """Report that a scene has no bodies, neither its own nor of instances."""
    if not (
        build_context.made["bodies"] or build_context.doubtful
    ) and build_context.report.is_whole("bodies"):
        given = build_context.given.bodies or build_context.given.instances
        none = "makes no bodies" if given else "has no bodies"
        build_context.report.add(
            ("bodies",),
            "missing-key",
            f"the scene {none}; it needs at least one under `bodies:`",
        )


BODIES = BlockSpec(
    dict[str, BodyInput] | None,
    _build_bodies,
    write=lambda scene: {name: write_body(body, scene) for name, body in scene.bodies.items()},
    hash_pieces=hash_bodies,
)
