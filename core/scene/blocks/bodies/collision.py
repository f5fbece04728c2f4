# SPDX-License-Identifier: MIT
"""Builds the ``collision`` block: categories, and which of them collide."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Annotated, Any, ClassVar

from ... import limits
from ...building.block import BlockSpec, BuildContext
from ...building.scope import Scope
from ...building.writing import differences
from ...model import Body, Collision, Scene
from ...text.problems import Report, find
from ...values.broken import BROKEN, Stop, is_read
from ...values.fields import Input, about
from ...values.kinds import ListOf, OneOf, Tuple, nearest
from ...values.names import Name, missing_body, wholes

_CATEGORY_PAIRS = ListOf(
    Tuple(Name("the name of a category"), 2, "two categories [a, b]"),
    "a list of pairs of categories [[a, b], ...]",
    most=limits.CATEGORIES * limits.CATEGORIES,
)


_MIXING = OneOf(("min", "max", "mean", "product", "geometric_mean"))


class CollisionInput(Input):
    form: ClassVar[str] = "`{categories: [default, ghost], ignore: [[default, ghost]]}`"

    categories: Annotated[
        Any, ListOf(Name("the name of a category"), "a list of names", most=limits.CATEGORIES)
    ] = about("The names of the categories (default: those in use).")
    ignore: Annotated[Any, _CATEGORY_PAIRS] = about(
        "Pairs of categories that do not touch; all others do."
    )
    collide: Annotated[Any, _CATEGORY_PAIRS] = about(
        "Pairs of categories that touch; no others do."
    )
    pairs_ignore: Annotated[
        Any,
        ListOf(
            Tuple(Name("the name of a body"), 2, "two bodies [a, b]"),
            "a list of pairs of bodies [[a, b], ...]",
            most=limits.PAIRS,
        ),
    ] = about("Pairs of single bodies that do not touch.")
    friction_mixing: Annotated[str | None, _MIXING] = about(
        "How two frictions mix (default geometric_mean)."
    )
    restitution_mixing: Annotated[str | None, _MIXING] = about(
        "How two restitutions mix (default max)."
    )


def build_collision(given: CollisionInput | None, build_context: BuildContext) -> Collision:
    """Build the ``collision`` block; unlisted categories are collected from the bodies."""
    scope, bodies = build_context.scope("collision"), dict(build_context.made["bodies"])
    listed = None if given is None else scope.attempt(_listed, BROKEN, given, scope)
    names = scope.attempt(_category_names, BROKEN, given, listed, bodies, scope)
    scope.attempt(check_categories, None, bodies, names, scope)
    matrix = scope.attempt(_matrix, BROKEN, given, names, scope)
    pairs_ignore = tuple(build_context.pairs)
    if given is not None:
        none: tuple[tuple[str, str], ...] = ()
        pairs_ignore += scope.attempt(read_pairs, none, given, build_context)
    mixing: dict[str, Any] = {}
    if given is not None:
        mixing = {
            field: getattr(given, field)
            for field in ("friction_mixing", "restitution_mixing")
            if getattr(given, field) is not None
        }
    return Collision(tuple(names), matrix, pairs_ignore, **mixing)


def _listed(given: CollisionInput, scope: Scope) -> Any:
    listed = scope.resolve(given.categories, "categories")
    if listed is not None and len(set(listed)) < len(listed):
        scope.fail("invalid-name", "a category is listed twice", "categories")
    if listed is None and scope.report.may_mean(scope.path, list):
        raise Stop
    return listed


def _category_names(
    given: CollisionInput | None, listed: Any, bodies: dict[str, Body], scope: Scope
) -> list[str]:
    names = list(dict.fromkeys(listed or ()))
    if "default" not in names:
        names.insert(0, "default")
    if listed is None:
        names += sorted(set(_categories(bodies)) - set(names))
        for pairs in () if given is None else (given.ignore, given.collide):
            named = (name for pair in (() if pairs is BROKEN else pairs or ()) for name in pair)
            names += [name for name in dict.fromkeys(named) if name not in names]
    if len(names) > limits.CATEGORIES:
        raise scope.fail(
            "limit",
            f"there are {len(names)} categories; the limit is {limits.CATEGORIES}",
            "categories",
        )
    return names


def _categories(bodies: dict[str, Body]) -> dict[str, Body]:
    """The categories that shapes have, each with the first body that has it."""
    used: dict[str, Body] = {}
    for body in bodies.values():
        for shape in () if body.shapes is BROKEN else body.shapes:
            if shape.category is not BROKEN:
                used.setdefault(shape.category, body)
    return used


def check_categories(bodies: dict[str, Body], names: Sequence[str], scope: Scope) -> None:
    """Report unknown categories of bodies."""
    for category, body in _categories(bodies).items():
        if category not in names:
            scope.report.add(
                _category_path(body, category, scope.report.tree),
                "unknown-name",
                f"`{category}` is not in `collision.categories`; {nearest(category, names)}",
                missing=f"category {category}",
            )


def _category_path(body: Body, category: str, tree: Any) -> tuple[int | str, ...]:
    """Return the place of a body's category: in a shape, in the body, or in the defaults."""
    base = body.name.partition("[")[0]
    if base not in tree.get("bodies", ()) and "." in base:
        return "instances", base.partition(".")[0]
    path = ("bodies", base if base in tree.get("bodies", ()) else body.name)
    for i in range(len(body.shapes)):
        for at in (("shapes", i), ("shape",)):
            place = (*path, *at, "category")
            if find(tree, place) == category:
                return place
    return (*path, "category")


def _matrix(
    given: CollisionInput | None, names: list[str], scope: Scope
) -> tuple[tuple[bool, ...], ...]:
    only = None if given is None else scope.known(given.collide, "collide")
    ignore = None if given is None else scope.known(given.ignore, "ignore")
    if is_read(only) and is_read(ignore):
        raise scope.fail(
            "conflicting-keys",
            "`collide` (only these pairs) and `ignore` (all but these) are both given; keep one",
            "ignore",
        )
    matrix = [[only is None] * len(names) for _ in names]
    field = "ignore" if only is None else "collide"
    for i, pair in enumerate((ignore if only is None else only) or ()):
        for j, name in enumerate(pair):
            if name not in names:
                scope.fail(
                    "unknown-name",
                    f"there is no category `{name}`; {nearest(name, names)}",
                    field,
                    i,
                    j,
                    missing=f"category {name}",
                )
        if pair[0] not in names or pair[1] not in names:
            continue
        a, b = names.index(pair[0]), names.index(pair[1])
        matrix[a][b] = matrix[b][a] = only is not None
    return tuple(tuple(row) for row in matrix)


def check_pairs(scene: Scene, report: Report) -> None:
    """Warn of pairs with a category that no shape has, now or later, unless it is listed."""
    given = find(report.tree, ("collision",))
    if not isinstance(given, dict) or given.get("categories") is not None:
        return
    bodies = [*scene.bodies.values()]
    bodies += [body for each in scene.prototypes.values() for body in each.bodies.values()]
    used = {"default", *(shape.category for body in bodies for shape in body.shapes)}
    rest = {key: value for key, value in report.tree.items() if key != "collision"}
    used.update(_written_categories(rest))
    for field in ("ignore", "collide"):
        for i, pair in enumerate(given.get(field) or ()):
            for j, name in enumerate(pair):
                if name not in used:
                    told = _no_shape(name, field, pair, used, scene)
                    report.warn(("collision", field, i, j), "unknown-name", told)


def _written_categories(tree: Any) -> Iterator[str]:
    """The categories in a tree: of bodies, shapes and prototypes, and those that actions set."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            if isinstance(value, str) and str(key).rpartition(".")[2] == "category":
                yield value
            else:
                yield from _written_categories(value)
    elif isinstance(tree, list):
        for value in tree:
            yield from _written_categories(value)


def _no_shape(
    name: str, field: str, pair: Sequence[str], used: Collection[str], scene: Scene
) -> str:
    """The warning on a category that no shape has."""
    names = {*scene.bodies, *wholes(scene.bodies), *scene.groups}
    if name not in names:
        hint = nearest(name, sorted(used))
    elif field == "ignore" and names.issuperset(pair):
        hint = f"pairs of bodies are written `pairs_ignore: [[{', '.join(pair)}]]`"
    else:
        hint = f"`{name}` is a body; give it a `category`, and write that"
    return f"no shape has the category `{name}`; {hint}"


def read_pairs(given: CollisionInput, build_context: BuildContext) -> tuple[tuple[str, str], ...]:
    """Read ``pairs_ignore``; the name of a generator, instance or group selects all its bodies."""
    scope, bodies = build_context.scope("collision"), build_context.made["bodies"]
    pairs: dict[tuple[str, str], None] = {}
    made = {**wholes(bodies), **build_context.made.get("groups", {})}
    for i, pair in enumerate(scope.resolve(given.pairs_ignore, "pairs_ignore") or ()):
        groups = []
        for j, name in enumerate(pair):
            group = [name] if name in bodies else made.get(name, [])
            if not group and not scope.report.may_have("bodies", name):
                message = missing_body(name, bodies, scope.report.tree)
                scope.fail("unknown-name", message, "pairs_ignore", i, j, missing=name)
            groups.append(group)
        if len(groups[0]) * len(groups[1]) + len(pairs) > limits.PAIRS:
            raise scope.fail(
                "limit",
                f"more than {limits.PAIRS} pairs; that is the limit. Use categories",
                "pairs_ignore",
            )
        for a in groups[0]:
            pairs.update({(a, b): None for b in groups[1] if a != b})
    return tuple(pairs)


def _collision(collision: Collision) -> dict[str, Any]:
    names = collision.categories
    ignore = [
        (names[i], names[j])
        for i in range(len(names))
        for j in range(i, len(names))
        if not collision.matrix[i][j]
    ]
    values: dict[str, Any] = {"categories": names}
    if ignore:
        values["ignore"] = ignore
    if collision.pairs_ignore:
        values["pairs_ignore"] = collision.pairs_ignore
    mixing = ("friction_mixing", "restitution_mixing")
    return {**values, **differences(collision, Collision(), mixing)}


def _hash_parts(scene: Scene) -> tuple[object, ...]:
    collision = scene.collision
    return (
        collision.categories,
        collision.matrix,
        collision.pairs_ignore,
        collision.friction_mixing,
        collision.restitution_mixing,
    )


COLLISION = BlockSpec(
    CollisionInput | None,
    build_collision,
    write=lambda scene: _collision(scene.collision),
    hash_parts=_hash_parts,
)
