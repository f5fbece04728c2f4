# SPDX-License-Identifier: MIT
"""One step of ``soft_step`` as the engine took it, row by row: its own numbers, stage by stage.

A pass is one solution of all rows. Each substep has two: the first removes overlap, the second one,
after the bodies have moved, relaxes. The impulses at the start of a substep are no pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError, unknown_name
from ...scene.model import Scene
from ...solvers.rows import letters
from ...world.observing import (
    ROW_MODES,
    ROW_PARTS,
    STAGES,
    Observed,
    joints_by_slot,
    observe,
)
from ...world.world import build
from .observed_rows import JointSum, ObservedRow, Point

Float64 = NDArray[np.float64]
MOST_CONTACTS = 5_000
"""So many contacts are observed at once; of more, those of one body."""
NAMES = {  # of the rows that a joint holds, by type
    "weld": ("x", "y", "angle"),
    "prismatic": ("across", "angle"),
    "wheel": ("across",),
    "gear": ("teeth",),
    "rack": ("teeth",),
}
POINT = ("x", "y")
LENGTHS = ("distance", "pulley")
STAGE = {name: code for code, name in enumerate(STAGES)}
MOMENTS = ("begin", "warm_start", "solve", "relax")
"""Of a substep: after its blows, after its warm start, after each pass."""


@dataclass(frozen=True, slots=True)
class ObservedStep:
    """A step that the engine took, with what its solver had in hand.

    Attributes:
        names: of bodies, by slot.
        soft: bias rate, mass scale and impulse scale of a contact, a static_contact and a joint.
        solutions: how often the step was solved; the last time is shown.
        velocities: [1 + 2 s, n, 3] of all bodies: at first, and after each pass.
        after: [n, 3] velocities at the end of the step.
        forced: [n, 3] velocity that forces have given in it.
        inverse_mass: [n, 2] of bodies, as the solver takes them.
        moving: slots of the bodies that are awake.
        left_out: pairs of bodies that the solver leaves out, and why.
        braked: [n, 3] what accounts of energy and momentum did to velocities after the last pass.
        joint_names: names and types of joints, by slot.
        names_asleep: bodies that sleep.
        slots: those of all bodies, by name.
    """

    scene: Scene
    number: int
    names: Callable[[int], str]
    h: float
    substeps: int
    soft: Mapping[str, tuple[float, float, float]]
    solutions: int
    island_batches: int
    rows: Sequence[ObservedRow]
    points: Sequence[Point]
    joints: Sequence[JointSum]
    velocities: Float64
    after: Float64
    braked: Float64
    forced: Float64
    inverse_mass: Float64
    moving: Sequence[int]
    left_out: Sequence[tuple[int, int, str]]
    slots: Mapping[str, int]
    names_asleep: Sequence[str]
    observed: Observed | None = field(repr=False)
    joint_names: Mapping[int, tuple[str, str]] = field(repr=False)

    @property
    def kind(self) -> str:
        return self.scene.world.solver.kind

    def slot(self, body: str | None) -> int | None:
        """The slot of a body, by which rows are chosen. Raises UsageError for one not there."""
        if body is not None and body not in self.slots:
            raise unknown_name("body", body, [*self.slots])
        return None if body is None else self.slots[body]

    def again(self, *, substeps: int) -> ObservedStep:
        """The same step, from the same beginning, in another number of substeps."""
        assert self.observed is not None
        return _read(self, self.observed.again(substeps))

    def residual(self) -> float:
        """The largest speed against a rigid row after the last pass."""
        worst = 0.0
        for row in self.rows:
            speed = float(row.speeds[-1, 2])
            if row.part == "normal":
                closing = max(0.0, -speed - max(0.0, float(row.error[-1, 1])) / self.h)
                presses = row.relaxed[-1] > 0.0 >= row.error[-1, 1]
                worst = max(worst, abs(speed) if presses else closing)
            elif row.part in ("hold", "rod"):
                worst = max(worst, abs(speed))
        return worst


def observe_step(scene: Scene, step: int, body: str | None = None) -> ObservedStep:
    """Step the scene, and observe the last one of these steps.

    Raises:
        UsageError: for a body that is not there, and for more contacts than can be shown.
        SimulationError: where the scene does not reach the step.
    """
    world = build(scene)
    if body is not None and body not in scene.bodies:
        raise unknown_name("body", body, [*scene.bodies])
    world.step(step - 1)
    slots = world.roster.index(world.roster.bodies)
    only = -1
    if len(world.native.contacts()) > MOST_CONTACTS:
        if body is None:
            raise UsageError(
                f"{scene.path}: more than {MOST_CONTACTS} points touch in step {step}; "
                "choose those of one body by --body"
            )
        only = slots.get(body, -1)
    slots.pop("world", None)
    observed = observe(world, only)
    roster = world.roster
    nothing = np.zeros((0, 3))
    begun = ObservedStep(
        *(scene, step, roster.body_name, 0.0, 0, {}, 0, 0, (), (), ()),
        *(nothing, nothing, nothing, nothing, nothing, (), (), slots, ()),
        *(observed, joints_by_slot(world)),
    )
    batches = round(world.statistics()["island_batches"])
    read = _read(begun, observed)
    dynamic = {name: slots[name] for name in slots if roster.bodies[name].kind == "dynamic"}
    asleep = [name for name, slot in dynamic.items() if slot not in read.moving]
    return replace(read, island_batches=batches, names_asleep=asleep)


# ---------------------------------------------------------------- reading


def _read(step: ObservedStep, observed: Observed) -> ObservedStep:
    found = observed.numbers
    substeps = int(found["substeps"])
    soft = {name: found[name] for name in ("contact", "static_contact", "joint")}
    step = replace(step, h=float(found["h"]), substeps=substeps, soft=soft)
    rows: list[ObservedRow] = []
    points = _read_contacts(step, found["contacts"], rows)
    sums = _read_sums(step, found["joints"])
    rows = [*_read_rows(step, found["rows"]), *_ordered(rows)]
    place = {row.name: i for i, row in enumerate(rows)}
    points = [
        replace(p, rows=(place[f"Normal{p.name}"], place[f"Friction{p.name}"])) for p in points
    ]
    bodies = _read_bodies(found["bodies"], substeps)
    return replace(
        step,
        observed=observed,
        after=observed.after,
        solutions=int(found["solutions"]),
        rows=rows,
        points=points,
        joints=sums,
        left_out=sorted(set(found["left_out"])),
        **bodies,
    )


def _ordered(rows: Sequence[ObservedRow]) -> list[ObservedRow]:
    """Normals before frictions, as the documents have them."""
    parts = ("normal", "friction", "rolling")
    return sorted(rows, key=lambda row: parts.index(row.part))


def _moments(found: NDArray[Any], substeps: int, keys: Sequence[str]) -> Mapping[str, NDArray[Any]]:
    """The records [s, n] of each moment, in the order of their keys."""
    moments = {}
    for name in MOMENTS:
        stages = [STAGE["solve"], STAGE["tracks"]] if name == "solve" else [STAGE[name]]
        of_moment = found[np.isin(found["stage"], stages)]
        parts = []
        for k in range(substeps):
            part = of_moment[of_moment["substep"] == k]
            count = int(np.sum(part["stage"] == stages[0]))
            part = part[len(part) - count :]  # after the last sweep over tracks
            parts.append(part[np.lexsort([part[key] for key in reversed(keys)])])
        moments[name] = np.stack(parts)
    return moments


def _passes(first: Float64, solved: Float64, relaxed: Float64) -> Float64:
    """[1 + 2 s] from [s] each, and what it begins with."""
    return np.concatenate([first[:1], np.stack([solved, relaxed], axis=1).reshape(-1)])


def _read_contacts(step: ObservedStep, found: NDArray[Any], rows: list[ObservedRow]) -> list[Point]:
    at = _moments(found, step.substeps, ("contact", "point"))
    begin, warm, solve, relax = (at[name] for name in MOMENTS)
    points = []
    for i in range(begin.shape[1]):
        first = solve[0, i]
        points.append(
            Point(
                *(letters(i), int(first["body_a"]), int(first["body_b"])),
                *(float(first["x"]), float(first["y"])),
                (float(first["normal_x"]), float(first["normal_y"])),
                -float(begin[0, i]["separation"]),
                *(float(first["restitution"]), float(first["friction"])),
                (0, 0),
                bool(first["tracked"]),
            )
        )
        each = tuple(moment[:, i] for moment in (begin, warm, solve, relax))
        normal = _contact_row(step, letters(i), each, "normal")
        friction = _contact_row(step, letters(i), each, "friction")
        bound = first["friction"] * normal.impulses
        rows += [normal, replace(friction, low=-bound, high=bound)]
        if i > 0 and begin[0, i - 1]["contact"] == first["contact"]:
            continue  # rolling friction belongs to the contact, not to the point
        if any(np.any(moment["rolling_impulse"]) for moment in each):
            same = np.flatnonzero(begin[0]["contact"] == first["contact"]).tolist()
            loads = [tuple(moment[:, k] for moment in (warm, solve, relax)) for k in same]
            rows.append(_rolling_row(letters(i), each, loads))
    return points


def _contact_row(
    step: ObservedStep, letter: str, moments: Sequence[NDArray[Any]], part: str
) -> ObservedRow:
    begin, warm, solve, relax = moments
    first, normal = solve[0], part == "normal"
    of = "normal" if normal else "tangent"
    x, y = float(first["normal_x"]), float(first["normal_y"])
    u, v = (x, y) if normal else (y, -x)
    arm_a = first["anchor_ax"] * v - first["anchor_ay"] * u
    arm_b = first["anchor_bx"] * v - first["anchor_by"] * u
    impulse, total = f"{of}_impulse", f"total_{of}"
    count = step.substeps
    earlier = np.concatenate([[0.0], relax[total][:-1]])
    scale = float(first["mass_scale"]) if normal else 1.0
    mass = float(first[f"{of}_mass"])
    inverse = 1.0 / mass if mass > 0.0 else 0.0
    apart = first["separation"] > 0.0
    kind = "static_contact" if first["fixed"] else "contact"
    rate = 1.0 / step.h if apart else step.soft[kind][0]
    endless = np.full(1 + 2 * count, math.inf)
    return ObservedRow(
        f"{part.capitalize()}{letter}",
        part,
        int(first["body_a"]),
        int(first["body_b"]),
        np.array([-u, -v, -arm_a, u, v, arm_b], dtype=np.float64),
        mass,
        step.h * inverse * (1.0 - scale) / scale,
        rate * step.h if normal and not first["tracked"] else 0.0,
        np.stack([solve["separation"], relax["separation"]], axis=1) * float(normal),
        -solve["bias"] if normal else np.zeros(count),
        begin[total] - earlier,
        warm[impulse].copy(),
        np.stack([each[f"{of}_speed"] for each in (warm, solve, relax)], axis=1),
        _passes(warm[impulse], solve[impulse], relax[impulse]),
        np.zeros(1 + 2 * count) if normal else -endless,
        endless,
        float(relax[total][-1]),
    )


def _rolling_row(
    letter: str,
    moments: Sequence[NDArray[Any]],
    loads: Sequence[tuple[NDArray[Any], ...]],
) -> ObservedRow:
    """The row of a contact's rolling friction, which all of its points bound."""
    _, warm, solve, relax = moments
    first, count = solve[0], len(solve)
    inverse = float(first["inverse_inertia_a"]) + float(first["inverse_inertia_b"])
    resistance = float(first["rolling_resistance"])
    normals = [_passes(*(each["normal_impulse"] for each in load)) for load in loads]
    bound = resistance * np.sum(normals, axis=0)
    spins = np.zeros((count, 3))
    return ObservedRow(
        f"Rolling{letter}",
        "rolling",
        int(first["body_a"]),
        int(first["body_b"]),
        np.array([0.0, 0.0, -1.0, 0.0, 0.0, 1.0]),
        1.0 / inverse if inverse > 0.0 else 0.0,
        *(0.0, 0.0),
        np.zeros((count, 2)),
        np.zeros(count),
        np.zeros(count),
        warm["rolling_impulse"].copy(),
        spins,
        _passes(warm["rolling_impulse"], solve["rolling_impulse"], relax["rolling_impulse"]),
        -bound,
        bound,
        float(np.sum(relax["rolling_impulse"])),
    )


def _read_rows(step: ObservedStep, found: NDArray[Any]) -> list[ObservedRow]:
    """The rows of joints."""
    at = _moments(found, step.substeps, ("joint", "row", "part"))
    warm, solve, relax = (at[name] for name in MOMENTS[1:])
    rows = []
    for i in range(solve.shape[1]):
        first = solve[0, i]
        direct, part = bool(first["direct"]), ROW_PARTS[first["part"]]
        started, solved, relaxed = (moment[:, i]["impulse"] for moment in (warm, solve, relax))
        start = np.zeros(step.substeps) if direct else started.copy()
        passes = _passes(start, solved, relaxed)
        if part == "across" and not np.any(passes):
            continue
        low, high = (
            _passes(*(moment[:, i][side] for moment in (warm, solve, relax)))
            for side in ("low", "high")
        )
        modes = [ROW_MODES[code] for code in relax[:, i]["mode"].tolist()]
        rows.append(
            ObservedRow(
                _joint_row_name(step, first),
                part,
                int(first["body_a"]),
                int(first["body_b"]),
                np.array([float(first[f"j{k}"]) for k in range(6)]),
                float(first["mass"]),
                float(first["gamma"]),
                float(first["beta"]),
                np.stack([solve[:, i]["error"], relax[:, i]["error"]], axis=1),
                solve[:, i]["wanted"].copy(),
                np.zeros(step.substeps),
                start,
                np.stack([moment[:, i]["speed"] for moment in (warm, solve, relax)], axis=1),
                passes,
                low,
                high,
                float(np.sum(relaxed)),
                modes if direct and part in ("motor", "limit", "rod", "spring") else (),
                direct,
            )
        )
    return rows


def _joint(step: ObservedStep, row: Any) -> tuple[str, str]:
    """The name and the type of the joint of a record."""
    slot = int(row["joint"])
    return step.joint_names.get(slot, (f"joint {slot}", ""))


def _joint_row_name(step: ObservedStep, row: Any) -> str:
    name, kind = _joint(step, row)
    part = ROW_PARTS[row["part"]]
    place = int(row["row"])
    if part == "hold":
        return f"{name}.{NAMES.get(kind, POINT)[place]}"
    if part == "spring" and kind in ("weld", "mouse"):
        return f"{name}.{NAMES.get(kind, POINT)[place]}"
    return f"{name}.{'length' if part == 'rod' and kind in LENGTHS else part}"


def _read_sums(step: ObservedStep, found: NDArray[Any]) -> list[JointSum]:
    last = found[(found["stage"] == STAGE["relax"]) & (found["substep"] == step.substeps - 1)]
    return [
        JointSum(
            _joint(step, row)[0],
            int(row["mechanism"]) + 1,
            (float(row["x"]), float(row["y"]), float(row["turn"])),
            float(row["motor"]),
        )
        for row in last[np.argsort(last["joint"], kind="stable")]
    ]


def _read_bodies(found: NDArray[Any], substeps: int) -> dict[str, Any]:
    size = 1 + int(found["body"].max(initial=0))
    motion = np.stack([found[name] for name in ("vx", "vy", "omega")], axis=1)

    def of(stage: str, substep: int) -> Float64:
        chosen = (found["stage"] == STAGE[stage]) & (found["substep"] == substep)
        velocities = np.zeros((size, 3))
        velocities[found["body"][chosen]] = motion[chosen]
        return velocities

    velocities, forced = [of("begin", -1)], np.zeros((size, 3))
    for k in range(substeps):
        solved = "tracks" if _is_there(found, "tracks", k) else "solve"
        velocities += [of(solved, k), of("relax", k)]
        forced += of("forces", k) - of("begin", k)
    first = found[found["substep"] == -1]
    inverse = np.zeros((size, 2))
    inverse[first["body"], 0] = first["inverse_mass"]
    inverse[first["body"], 1] = first["inverse_inertia"]
    return {
        "velocities": np.array(velocities),
        "braked": of("conservation", substeps) - velocities[-1],
        "forced": forced,
        "inverse_mass": inverse,
        "moving": sorted(first["body"].tolist()),
    }


def _is_there(found: NDArray[Any], stage: str, substep: int) -> bool:
    return bool(np.any((found["stage"] == STAGE[stage]) & (found["substep"] == substep)))
