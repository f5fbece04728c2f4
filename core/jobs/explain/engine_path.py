# SPDX-License-Identifier: MIT
"""The path of a step through the engine: lanes, islands, groups of joints and contacts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...arguments import checked, one_of, whole
from ...errors import UsageError
from ...scene import limits
from ...scene.model import Scene
from ...world.world import build
from .tables import Table

COLUMNS = ("part", "count", "how and why")


@dataclass(frozen=True, slots=True)
class EnginePath:
    """The path of one step through the engine; ``step`` counts from 1, ``time`` is its end.

    Attributes:
        statistics: the counts of ``World.statistics`` after the step.
        alone: why the world is not stepped beside other worlds of a batch; empty where it may be.
        table: the same in rows of part, count and reason.
    """

    scene: str
    solver: str
    step: int
    time: float
    statistics: dict[str, int]
    alone: str
    table: Table


@checked(scene=one_of(Scene), step=whole(1, limits.STEPS))
def engine_path(scene: Scene, step: int = 1) -> EnginePath:
    """Steps the scene and reports how its engine solved the last of these steps.

    Raises:
        UsageError: for a textbook solver, which solves all steps alike.
        SimulationError: where the scene does not reach the step.
    """
    solver = scene.world.solver
    if solver.is_textbook:
        raise UsageError(
            f"{scene.path}: {solver.kind} is a textbook solver, which solves all steps alike; "
            "set world.solver.type to soft_step or sequential_impulse"
        )
    world = build(scene)
    world.step(step)
    found = world.statistics().items()
    counts = {key: round(value) for key, value in found if not key.endswith("_ms")}
    alone = world.native.why_alone() or ""
    return EnginePath(
        scene.name,
        solver.kind,
        step,
        step * scene.world.dt,
        counts,
        alone,
        Table("", COLUMNS, [*_rows(counts, alone), _script(scene, counts)]),
    )


def _script(scene: Scene, counts: dict[str, int]) -> tuple[str, int, str]:
    """The steps that were made with the scene's script in the engine."""
    steps = counts["script_steps"]
    if not scene.is_scripted:
        return "steps with a script", steps, "the scene has none"
    return "steps with a script", steps, "in the engine"


def _rows(counts: dict[str, int], alone: str) -> list[tuple[str, int, str]]:
    number = {key: round(value) for key, value in counts.items()}
    iterative = number["iterative_joints"]
    asked = iterative - number["costly_joints"] - number["soft_joints"]
    reasons = (
        (asked, "world.solver.joints is iterative"),
        (number["costly_joints"], "their mechanism costs too much to be solved at once"),
        (number["soft_joints"], "their mechanism has slow springs alone"),
    )
    return [
        ("lanes", number["lanes"], "constraints that one instruction solves"),
        ("awake bodies", number["awake"], ""),
        ("sleeping bodies", number["asleep"], ""),
        ("islands", number["islands"], "groups that contacts and joints hold together"),
        (
            "island batches",
            number["island_batches"],
            "each solved alone through all substeps"
            if number["island_batches"]
            else "islands are solved together, colour by colour",
        ),
        (
            "contacts",
            number["contacts"],
            f"in {_counted(number['colors'], 'colour')}" if number["contacts"] else "",
        ),
        (
            "direct joints",
            number["direct_joints"],
            f"in {_counted(number['direct_mechanisms'], 'mechanism')}, each solved at once"
            if number["direct_joints"]
            else "",
        ),
        (
            "iterative joints",
            iterative,
            "; ".join(f"{count}: {reason}" for count, reason in reasons if count),
        ),
        ("impact problems", number["impact_problems"], "groups of blows solved at once"),
        (
            "contact-joint problems",
            number["contact_problems"],
            "contacts of light parts of mechanisms, solved with these",
        ),
        (
            "touched mechanisms",
            number["touched_mechanisms"],
            "direct mechanisms with contacts" if number["touched_mechanisms"] else "",
        ),
        (
            "effective masses",
            number["effective_masses"],
            "bodies that contacts use with the mass that their mechanism shows",
        ),
        ("chain tracks", number["tracks"], "shapes that follow a chain"),
        (
            "repeats",
            number["repeats"],
            "of the step, for taut joints or overloaded motors" if number["repeats"] else "",
        ),
        (
            "checked islands",
            number["checked_islands"],
            "their energy and momentum were compared with those before the step",
        ),
        (
            "side by side",
            number["side_by_side"],
            f"no: {alone}" if alone else "worlds of a batch are solved together in lanes",
        ),
    ]


def _counted(count: int, name: str) -> str:
    return f"{count} {name}{'' if count == 1 else 's'}"


def as_json(path: EnginePath) -> dict[str, Any]:
    """The path as JSON data."""
    return {
        "scene": path.scene,
        "solver": path.solver,
        "step": path.step,
        "time": path.time,
        "counts": path.statistics,
        "alone": path.alone,
        "parts": [dict(zip(COLUMNS, row, strict=True)) for row in path.table.rows],
    }
