"""Builds the bodies: defaults, materials and shapes put together, generators unrolled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import limits
from .body_models import BodyFields, BodyInput, ShapeInput
from .generators import Turns, bounded, name_problem, unroll
from .model import Body, Material, Shape, Trail, World
from .problems import Path
from .scope import Scope, Stop, deferred
from .shapes import (
    SURFACE,
    Materials,
    Totals,
    build_shape,
    count_shapes,
    find_material,
    kind_of,
    surface,
)

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


class BodyBuilder:
    """Makes bodies from templates; one for a whole scene, since its limits are common."""

    def __init__(
        self,
        world: World,
        materials: Materials,
        defaults: BodyFields | None,
        own: Mapping[str, BodyInput],
    ) -> None:
        self.world = world
        self.materials = materials
        self.defaults = defaults
        self.own = own  # bodies that an override made different from their generator's others
        self.totals = Totals()
        self.turns = Turns()
        self.bodies: dict[str, Body] = {}

    def add(self, name: str, template: BodyInput, scope: Scope) -> None:
        """The bodies of one entry of ``bodies``; problems go to the report."""
        problem = name_problem(name, "body")
        if problem:
            scope.report.add_key(scope.path, problem)
            scope.report.broken.add(scope.path)
            return
        try:
            plan = _Plan(self, template, scope)
            entries = bounded(
                unroll(template, name, scope, self.turns),
                limits.BODIES - len(self.bodies),
                scope,
                f"the scene has more than {limits.BODIES} bodies; that is the limit",
            )
            for full, inner in entries:
                if full in self.bodies:
                    raise scope.fail(f"there are two bodies with the name `{full}`")
                if full in self.own:
                    inner = inner.at("bodies", full)
                    body = _Plan(self, self.own[full], inner).build(full, inner)
                else:
                    body = plan.build(full, inner)
                count_shapes(self.totals, scope, body.shapes)
                self.bodies[full] = body
        except Stop:
            return


class _Plan:
    """One template: what is the same for all its bodies is made once."""

    def __init__(self, builder: BodyBuilder, template: BodyInput, scope: Scope) -> None:
        self.builder = builder
        self.template = template
        self.fixed: dict[str, Any] = {
            "kind": self.get("type") or "dynamic",
            "linear_damping": builder.world.linear_damping,
            "angular_damping": builder.world.angular_damping,
        }
        self.varying: list[tuple[str, Any]] = []
        for field in _PLAIN:
            value = self.get(field)
            if value is None:
                continue
            if deferred(value):
                self.varying.append((field, value))
            else:
                self.fixed[field] = value
        scope.attempt(lambda: self._points_and_trail(scope), None)
        scope.attempt(lambda: self._check_mass(scope), None)
        self.shapes: list[tuple[ShapeInput, Path]] = []
        self.shapes = scope.attempt(lambda: self._shape_inputs(scope), self.shapes)
        self.shared: tuple[Shape, ...] | None = None
        if not self._shapes_vary():
            self.shared = scope.attempt(lambda: self._build_shapes(scope), self.shared)
        self.failed = scope.failed

    def get(self, field: str) -> Any:
        """A field of the template, else of ``defaults.body``."""
        value = getattr(self.template, field)
        if value is None and self.builder.defaults is not None:
            value = getattr(self.builder.defaults, field)
        return value

    def _shape_inputs(self, scope: Scope) -> list[tuple[ShapeInput, Path]]:
        source: BodyFields = self.template
        defaults = self.builder.defaults
        if source.shape is None and source.shapes is None and defaults is not None:
            source = defaults
        if source.shape is not None and source.shapes is not None:
            raise scope.fail("`shape` and `shapes` are both given; keep one", "shapes")
        if source.shape is not None:
            return [(source.shape, ("shape",))]
        if source.shapes:
            return [(shape, ("shapes", i)) for i, shape in enumerate(source.shapes)]
        if scope.report.has_unknown(scope.path):
            raise Stop
        raise scope.fail("the body has no shape; give it one, such as `shape: {circle: 0.5}`")

    def _check_mass(self, scope: Scope) -> None:
        if self.template.mass is not None and self.template.density is not None:
            raise scope.fail("`mass` and `density` are both given; keep one", "mass")

    def _shapes_vary(self) -> bool:
        fields = [self.get(name) for name in (*SURFACE, "category", "material")]
        for shape, _ in self.shapes:
            fields += [getattr(shape, name) for name in type(shape).model_fields]
            if shape.regular_polygon is not None:
                fields += [shape.regular_polygon.sides, shape.regular_polygon.radius]
        return any(deferred(value) for value in fields)

    def _material(self, scope: Scope) -> Material:
        materials = self.builder.materials
        name = scope.resolve(self.get("material"), "material")
        base = find_material(materials, scope, name, ("material",)) or materials.default
        if self.builder.defaults is not None:
            base = surface(scope, base, self.builder.defaults, ())
        return surface(scope, base, self.template, ())

    def _build_shapes(self, scope: Scope) -> tuple[Shape, ...]:
        own = scope.attempt(lambda: self._material(scope), Material())
        shapes = [
            scope.attempt(lambda: self._build_shape(scope, shape, at, own), None)  # noqa: B023
            for shape, at in self.shapes
        ]
        scope.stop_if_failed()
        return tuple(shape for shape in shapes if shape is not None)

    def _build_shape(
        self, scope: Scope, shape: ShapeInput, at: Path, own: Material
    ) -> Shape | None:
        kind = kind_of(scope, shape, at)
        name = scope.resolve(shape.material, *at, "material")
        material = find_material(self.builder.materials, scope, name, (*at, "material")) or own
        category = shape.category if shape.category is not None else self.get("category")
        its = scope.resolve(category, *at, "category") or "default"
        return build_shape(scope, shape, kind, at, material, its)

    def _points_and_trail(self, scope: Scope) -> None:
        points = self.get("points")
        if points:
            for key in points:
                problem = name_problem(key, "point")
                if problem:
                    scope.report.add_key((*scope.path, "points", key), problem)
                    raise Stop
            if any(deferred(value) for value in points.values()):
                self.varying.append(("points", points))
            else:
                self.fixed["points"] = points
        trail = self.get("trail")
        if trail is not None:
            self.varying.append(("trail", trail))

    def build(self, name: str, scope: Scope) -> Body:
        """The body of one turn."""
        values = dict(self.fixed)
        failed = self.failed
        for field, value in self.varying:
            try:
                values[field] = _resolve(scope, field, value)
            except Stop:
                failed = True
        values["name"] = name
        shared = self.shared
        values["shapes"] = self._build_shapes(scope) if shared is None else shared
        if failed:
            raise Stop
        body = Body(**values)
        _check(body, scope)
        return body


def _resolve(scope: Scope, field: str, value: Any) -> Any:
    """The value of a field for one turn."""
    if field == "points":
        return {key: scope.resolve(point, field, key) for key, point in value.items()}
    if field == "trail":
        return Trail(scope.resolve(value.length, field, "length"), value.color)
    return scope.resolve(value, field)


def _check(body: Body, scope: Scope) -> None:
    """What can be wrong with a body as a whole."""
    if body.kind == "static" and (body.velocity != (0.0, 0.0) or body.angular_velocity != 0.0):
        field = "velocity" if body.velocity != (0.0, 0.0) else "angular_velocity"
        raise scope.fail(
            "a static body does not move; for a body that moves as it is told use "
            "`type: kinematic`",
            field,
        )
    if body.kind != "dynamic":
        return
    if any(shape.kind not in ("segment", "chain") for shape in body.shapes):
        return
    if body.mass is None:
        raise scope.fail(
            "a dynamic body of segments or chains only has no mass; give `mass`, add a shape "
            "with an area, or use `type: static`"
        )
    if body.inertia is None and not body.fixed_rotation:
        raise scope.fail(
            "a dynamic body of segments or chains only has no moment of inertia; give "
            "`inertia`, or `fixed_rotation: true`"
        )
