# SPDX-License-Identifier: MIT
"""What `make docs` counts of the solvers: lines, building blocks, and four piles.

The tables stand between comments in docs/solvers.md and docs/four-piles.md, and are written anew
where they are. Times hang on the machine; all else is checked by a test.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path

from rigid2d.core import load
from rigid2d.core.jobs.compare import VariantOutcome, run_variant, variants
from rigid2d.core.jobs.explain.step import heaps, try_step
from rigid2d.core.scene.model import Scene

ROOT = Path(__file__).resolve().parents[2]
SOLVERS = ROOT / "core" / "solvers"
SHOWN = (
    "iterative_impulse",
    "pgs_matrix",
    "pgs_jrow",
    "sequential_impulse",
    "constraint_correction",
    "verlet",
)
MARKS = {
    "impulse formula": {"_apply_impulse", "_missing", "_velocity_impulse"},
    "apply an impulse": {"apply_impulses", "change1", "_apply", "_apply_impulse"},
    "equation of motion": {"matrix", "a_row"},
    "normal constraint": {"build_rows"},
    "bias": {"bias"},
    "projected Gauss-Seidel": {"projected_gauss_seidel", "gauss_seidel", "iterate"},
    "position correction": {"build_rows", "correct_positions"},
    "warm start": {"remembered"},
    "accumulated clamp": {"_clamped"},
}
"""The nine building blocks of document 000, part 3: the names of a solver's file that are one."""
LOOKING = {"account", "log"}  # only to look inside

PILES = {"funnel": "grain", "stack of balls": "ball", "tower of cubes": "cube", "pyramid": "step"}
PRINTED = {
    "funnel": ("21 x 20 = 420", 131, "358 ms"),
    "stack of balls": ("15 x 8 = 120", 27, "26 ms"),
    "tower of cubes": ("18 x 20 = 360", 49, "194 ms"),
    "pyramid": ("48 x 136 = 6528", 171, "13.3 s"),
}
"""Figures of document 000, part 2: size of J, time steps until rest, duration of the test."""
FIXED = ("floor", "left", "right")
STEPS = 150


def lines_of(name: str) -> int:
    """The lines of a file of the solvers that hold code: no blank ones, comments or docstrings."""
    text = (SOLVERS / f"{name}.py").read_text(encoding="utf-8")
    tree = ast.parse(text)
    told: set[int] = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", [])
        for each in body if isinstance(body, list) else []:
            if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
                told.update(range(each.lineno, (each.end_lineno or each.lineno) + 1))
    lines = enumerate(text.splitlines(), start=1)
    return sum(1 for i, line in lines if line.split("#")[0].strip() and i not in told)


def used_by(name: str) -> set[str]:
    """The files of the solvers that one needs besides itself, but for those that look inside."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        text = (SOLVERS / f"{waiting.pop()}.py").read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.ImportFrom) or node.level != 1 or not node.module:
                continue
            other, names = node.module, {each.name for each in node.names}
            if names != {"letters"} and other not in found | LOOKING | {name}:
                found.add(other)
                waiting.append(other)
    return found


def blocks_of(name: str) -> list[str]:
    """Which of the nine building blocks a solver's file has."""
    tree = ast.parse((SOLVERS / f"{name}.py").read_text(encoding="utf-8"))
    words = set()
    for node in ast.walk(tree):
        words |= {getattr(node, key) for key in ("id", "attr", "name") if hasattr(node, key)}
    return [block for block, marks in MARKS.items() if marks & words]


def lines_table() -> list[str]:
    head = "| solver | lines | with shared files | blocks |"
    rows = [head, "|---|---|---|---|"]
    for name in SHOWN:
        shared = lines_of(name) + sum(map(lines_of, used_by(name)))
        rows.append(f"| {name} | {lines_of(name)} | {shared} | {len(blocks_of(name))} |")
    return rows


def blocks_table() -> list[str]:
    rows = ["| building block | " + " | ".join(f"`{name}`" for name in SHOWN) + " |"]
    rows.append("|---" * (len(SHOWN) + 1) + "|")
    for block in MARKS:
        cells = ["yes" if block in blocks_of(name) else "" for name in SHOWN]
        rows.append(f"| {block} | " + " | ".join(cells) + " |")
    return rows


# ---------------------------------------------------------------- four piles


def pile_alone(scene: Scene, pile: str) -> Scene:
    """The scene with one of its piles and what is fixed."""
    bodies = {
        name: body
        for name, body in scene.bodies.items()
        if name in FIXED or name.partition("[")[0] == PILES[pile]
    }
    return replace(scene, bodies=bodies, expect=(), record=replace(scene.record, channels=()))


def four_piles() -> Scene:
    return load(ROOT / "scenes/solvers/four_piles.yaml", ["world.solver.iterations=100"])


def measured(scene: Scene, pile: str, solver: str) -> VariantOutcome:
    alone = pile_alone(scene, pile)
    (variant,) = variants(alone, [solver])
    return run_variant(alone, variant, steps=STEPS)


def sizes(scene: Scene) -> dict[str, str]:
    """The size of J of each pile when all are at rest."""
    step = try_step(scene, STEPS)
    names = {body: pile for pile, body in PILES.items()}
    found = {}
    for heap in heaps(step):
        wide, high = 3 * len(heap.bodies), len(heap.rows)
        pile = names[step.names[heap.bodies[0]].partition("[")[0]]
        found[pile] = f"{wide} x {high} = {wide * high}"
    return found


def piles_table() -> list[str]:
    scene = four_piles()
    size = sizes(scene)
    rows = [
        "| pile | size of J | steps until rest | `pgs_matrix` | `pgs_jrow` | printed |",
        "|---|---|---|---|---|---|",
    ]
    for pile in PILES:
        cells = []
        for solver in ("pgs_matrix", "pgs_jrow"):
            outcome = measured(scene, pile, solver)
            steps = round(outcome.rest / scene.world.dt)
            cells.append(f"{steps * outcome.step_ms:.0f} ms")
        old = "{}; {} steps; {}".format(*PRINTED[pile])
        rows.append(f"| {pile} | {size[pile]} | {steps} | {' | '.join(cells)} | {old} |")
    return rows


# ---------------------------------------------------------------- pages

TABLES = {
    "lines": ("docs/solvers.md", lines_table),
    "blocks": ("docs/solvers.md", blocks_table),
    "piles": ("docs/four-piles.md", piles_table),
}


def between(text: str, name: str) -> str:
    """The table of a page, with the comments around it."""
    found = re.search(f"<!-- counted: {name} -->\n.*?<!-- end -->", text, re.DOTALL)
    assert found, name
    return found[0]


def main() -> None:
    for name, (page, table) in TABLES.items():
        path = ROOT / page
        text = path.read_text(encoding="utf-8")
        new = "\n".join([f"<!-- counted: {name} -->", *table(), "<!-- end -->"])
        path.write_text(text.replace(between(text, name), new), encoding="utf-8")


if __name__ == "__main__":
    main()
