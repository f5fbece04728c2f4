# SPDX-License-Identifier: MIT
"""Custom joints: constraints in Python that a package registers by an entry point.

A scene names one and gives its numbers. This module finds and checks them; its
rows are the affair of the textbook solvers.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from ...building.scope import Scope
from ...model import Body, Joint
from ...values.broken import BROKEN, Stop
from ...values.kinds import nearest
from ..placement import Placement
from .spec import Ends, Get

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "rigid.constraints"
"""The group of entry points."""
SHIPPED = {"circle": "rigid2d.core.solvers.circle:Circle"}
"""Those that come with the package, as entry points have them."""


class NoConstraintError(Exception):
    """A constraint that does not exist, or is not a ``Constraint``."""


def known_constraints() -> dict[str, EntryPoint]:
    """All constraints by name; built-in ones cannot be replaced."""
    from importlib.metadata import EntryPoint, entry_points  # slow to import

    found = {each.name: each for each in entry_points(group=GROUP)}
    return found | {name: EntryPoint(name, at, GROUP) for name, at in SHIPPED.items()}


@cache
def find_constraint(name: str) -> Any:
    """The class of a constraint. Raises NoConstraintError."""
    known = known_constraints()
    if name not in known:
        raise NoConstraintError(f"no constraint is named `{name}`; {nearest(name, sorted(known))}")
    at = known[name].value
    try:
        found = known[name].load()
    except Exception as error:  # of a module that is not ours
        why = f"{type(error).__name__}: {error}"
        raise NoConstraintError(f"`{name}` cannot be imported from {at} ({why})") from None
    numbers, rows = getattr(found, "numbers", None), getattr(found, "rows", None)
    if not (isinstance(found, type) and callable(rows) and isinstance(numbers, Mapping)):
        wanted = "a class that derives from rigid2d.core.solvers.Constraint"
        raise NoConstraintError(f"`{name}` ({at}) is no constraint: {wanted}")
    return found


def build_own(scope: Scope, get: Get, pair: tuple[Body, Body], anchors: Ends) -> dict[str, Any]:
    """The constraint of a joint and all of its numbers."""
    name = scope.known(get("constraint"), "constraint")
    given: Mapping[str, Any] = get("numbers") or {}
    if name is BROKEN or given is BROKEN:
        raise Stop
    if name is None:
        raise scope.fail(
            "missing-key", "`constraint` is missing: the name of a constraint in Python"
        )
    try:
        known = find_constraint(name).numbers
    except NoConstraintError as error:
        raise scope.fail("unknown-name", str(error), "constraint") from None
    numbers = {key: scope.known(value, "numbers", key) for key, value in given.items()}
    for key in given:
        if key not in known:
            message = f"`{name}` has no number `{key}`; {nearest(key, list(known))}"
            scope.report.add_key((*scope.path, "numbers", key), "unknown-key", message)
            scope.failed = True
    for key, default in known.items():
        if default is None and key not in given:
            scope.fail("missing-key", f"`{key}` is missing, a number of `{name}`", "numbers")
    scope.stop_if_failed()
    found = {key: float(numbers.get(key, default)) for key, default in known.items()}
    return {"constraint": name, "numbers": found}


def write_own(joint: Joint) -> dict[str, Any]:
    """The constraint and its numbers as they are written."""
    numbers = {"numbers": dict(joint.numbers)} if joint.numbers else {}
    return {"constraint": joint.constraint, **numbers}


def place_own(joint: Joint, place: Placement) -> dict[str, Any]:
    """The numbers of a copy, as far as they are lengths or angles."""
    return {"numbers": _placed(joint.constraint, joint.numbers, place)}


def place_written_own(joint: Mapping[str, Any], place: Placement) -> dict[str, Any]:
    """The numbers of a copy that an action attaches."""
    try:
        given = find_constraint(joint["constraint"]).numbers | joint.get("numbers", {})
    except (NoConstraintError, KeyError):
        return {}  # reported where it is built
    plain = {key: value for key, value in given.items() if isinstance(value, int | float)}
    return {"numbers": given | _placed(joint["constraint"], plain, place)} if given else {}


def _placed(name: str, numbers: Mapping[str, float], place: Placement) -> dict[str, float]:
    found = find_constraint(name)
    placed = dict(numbers)
    for key in numbers:
        if key in getattr(found, "lengths", ()):
            placed[key] = numbers[key] * place.scale
        elif key in getattr(found, "angles", ()):
            placed[key] = place.turn(numbers[key])
    return placed
