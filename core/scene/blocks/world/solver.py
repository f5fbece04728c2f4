# SPDX-License-Identifier: MIT
"""The solver of a world: its kinds, and the options of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Annotated, Any, ClassVar, get_args

from ...building.scope import Scope
from ...model import ENGINE, Solver, SolverKind
from ...values import units
from ...values.broken import BROKEN, is_read
from ...values.fields import Distance, Fraction, Input, TruthField, Value, about, of_types
from ...values.kinds import OneOf, listed
from ...values.quantity import Quantity

KINDS: tuple[str, ...] = get_args(SolverKind)
MATRIX = ("pgs_matrix", "pgs_jrow")
_ROWS = (*MATRIX, "textbook_impulse")  # textbook solvers whose constraints are rows with sums
_ROUNDS = (*KINDS[1:],)
_CORRECTED = tuple(kind for kind in _ROUNDS if kind != "verlet")
_LOOPS = ("sequential_impulse", "textbook_impulse")


CONTACTS = ("native", "document", "document_book", "document_deepest")


class SolverInput(Input):
    form: ClassVar[str] = "`{type: sequential_impulse}`"
    type: Annotated[str, OneOf(get_args(SolverKind))] = about(
        "soft_step (default), sequential_impulse, or one of the textbook solvers.", "soft_step"
    )
    joints: Annotated[str | None, OneOf(("auto", "direct", "iterative"))] = about(
        "auto (default), direct or iterative: how joints that hang together are solved.", of=ENGINE
    )
    substeps: Annotated[Value, Quantity(low=1, high=64, whole=True)] = about(
        "soft_step: parts of a step (default 4).", of=("soft_step",)
    )
    iterations: Annotated[Value, Quantity(low=1, high=10_000, whole=True)] = about(
        "All but soft_step: rounds over all constraints (default 10; 15, 100, 20).", of=_ROUNDS
    )
    stop_below: Annotated[Value, Quantity((units.SPEED,), low=0.0)] = about(
        "End with a round that changes no velocity by this much (default 0).", of=_ROUNDS
    )
    warm_start: TruthField = about(
        "sequential_impulse, pgs, textbook_impulse: begin with last step's impulses.",
        of=("sequential_impulse", *_ROWS),
    )
    position_correction: TruthField = about(
        "All but soft_step, verlet: push overlaps apart (default true).", of=_CORRECTED
    )
    correction_rate: Fraction = about(
        "Part of an overlap removed a step (default 0.2; 0.8, 1).", of=_CORRECTED
    )
    allowed_penetration: Distance = about(
        "Overlap left alone (default 0.01 length_unit).", of=_CORRECTED
    )
    friction_limit: Annotated[str | None, OneOf(("normal_impulse", "gravity", "weight"))] = about(
        "normal_impulse (default), gravity (of a unit mass) or weight.",
        of=("sequential_impulse", *_ROWS, "constraint_correction"),
    )
    clamp: Annotated[str | None, OneOf(("accumulated", "each", "none"))] = about(
        "The sequential ones: accumulated (default), each or none.", of=_LOOPS
    )
    external_force: Annotated[str | None, OneOf(("before", "between", "after"))] = about(
        "The sequential ones: before, between (default) or after.", of=_LOOPS
    )
    tangent: Annotated[str | None, OneOf(("friction_impulse", "none"))] = about(
        "iterative_impulse: friction_impulse (default) or none.", of=("iterative_impulse",)
    )
    impulses: TruthField = about(
        "iterative_impulse: false moves bodies out of overlaps alone (default true).",
        of=("iterative_impulse",),
    )
    grouping: Annotated[str | None, OneOf(("global", "pair", "contact"))] = about(
        "pgs, textbook_impulse: global (default), pair or contact.", of=_ROWS
    )
    blocks: TruthField = about(
        "Solve the rows that a joint holds as one (default false).",
        of=(*_ROWS, "constraint_correction"),
    )
    stiffness: Fraction = about(
        "verlet: how much of a change of shape a step takes back (default 1).", of=("verlet",)
    )
    contacts: Annotated[str | None, OneOf(CONTACTS)] = about(
        "Textbook solvers: the engine's (native, default) or the document's functions.",
        of=tuple(kind for kind in _CORRECTED if kind not in ENGINE),
    )
    springs: Annotated[str | None, OneOf(("soft", "soft_each", "force"))] = about(
        "Soft constraints (soft), without their sums (soft_each), or forces (force).",
        of=(*_ROWS, "constraint_correction"),
    )
    integrator: Annotated[str | None, OneOf(("semi_implicit_euler", "explicit_euler"))] = about(
        "pgs: semi_implicit_euler (default) or explicit_euler.", of=MATRIX
    )


OF_OPTION = of_types(SolverInput)
"""The options that only some solvers have, and which."""

OF_VALUE = {
    ("springs", "soft_each"): ("textbook_impulse",),
}
"""The values of options that only some of the solvers with the option have, and which."""


# Differences from the defaults of Solver. Documents: 000, parts 1 and 2; 003; 004.
DEFAULTS: dict[str, dict[str, float | str]] = {
    "iterative_impulse": {"iterations": 15, "correction_rate": 0.8},
    "pgs_matrix": {"iterations": 100},
    "pgs_jrow": {"iterations": 100},
    "constraint_correction": {"correction_rate": 1.0, "springs": "force"},
    "verlet": {"iterations": 20},
}


def options(kind: str) -> tuple[str, ...]:
    """The options that a solver has, in the order of the reference."""
    return tuple(name for name, kinds in OF_OPTION.items() if kind in kinds)


def kinds_of(option: str, value: object) -> tuple[str, ...]:
    """The solvers that have an option with a value."""
    return OF_VALUE.get((option, str(value)), OF_OPTION[option])


def as_solver(given: Solver, kind: str, changes: Mapping[str, object]) -> Solver:
    """The options of a scene's solver for another one: what both have and the scene has set stays,
    the rest is that one's own; ``changes`` to options that it has not are left out."""
    usual = replace(Solver(), **DEFAULTS.get(given.kind, {}))  # type: ignore[arg-type]
    own: dict[str, object] = {"kind": kind, "allowed_penetration": given.allowed_penetration}
    own |= DEFAULTS.get(kind, {})
    for name in options(kind):
        value = getattr(given, name)
        known = kind in kinds_of(name, value)
        if name in options(given.kind) and value != getattr(usual, name) and known:
            own[name] = value
        if name in changes:
            own[name] = changes[name]
    return Solver(**own)  # type: ignore[arg-type]


def build_solver(given: SolverInput | None, length_unit: float, scope: Scope) -> Solver:
    values: dict[str, Any] = {
        "allowed_penetration": scope.attempt(lambda: 0.01 * length_unit, BROKEN)
    }
    if given is None:
        return Solver(**values)
    values["kind"] = given.type
    if is_read(given.type):
        values |= DEFAULTS.get(given.type, {})
    for field, kinds in OF_OPTION.items():
        value = scope.known(getattr(given, field), "solver", field)
        if value is None:
            continue
        if is_read(given.type) and is_read(value) and given.type not in kinds:
            scope.fail(
                "conflicting-keys",
                f"`{field}` is an option of {listed(kinds)}, but the solver's type is {given.type}",
                "solver",
                field,
            )
        elif is_read(given.type) and given.type not in (kinds := kinds_of(field, value)):
            scope.fail(
                "conflicting-keys",
                f"`{field}: {value}` is for {listed(kinds)}, but the solver's type is {given.type}",
                "solver",
                field,
            )
        elif value is not BROKEN:
            values[field] = int(value) if field in ("substeps", "iterations") else value
    return Solver(**values)


_FIRST_OPTIONS = (
    "kind",
    "joints",
    "substeps",
    "iterations",
    "warm_start",
    "position_correction",
    "correction_rate",
    "allowed_penetration",
    "friction_limit",
)


class _PlainWord(str):
    """A text that can be an item of a list without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def solver_text(solver: Solver) -> _PlainWord:
    """The options, of which those that are left as they are need not be there: a scene keeps its
    hash where solvers get more of them."""
    first = [(name, getattr(solver, name)) for name in _FIRST_OPTIONS]
    later = [
        (each.name, getattr(solver, each.name))
        for each in fields(Solver)
        if each.name not in _FIRST_OPTIONS and getattr(solver, each.name) != each.default
    ]
    return _PlainWord(f"Solver({', '.join(f'{name}={value!r}' for name, value in first + later)})")
