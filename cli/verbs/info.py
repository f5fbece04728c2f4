# SPDX-License-Identifier: MIT
"""``rigid info``: the contents of a scene."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import typer

from .. import exit_codes, options, paths
from ..console import paint, print_json, say, shown
from ..table import table
from ..words import count

app = typer.Typer(add_completion=False, rich_markup_mode=None)

MOST_COMPILED = 1 << 30
LABEL = 12
WIDTH = 88


@app.command(cls=options.Verb)
def info(
    scenes: options.Scenes,
    overrides: options.Overrides = None,
    quiet: options.Quiet = False,
    json: options.Json = False,
    debug: options.Debug = False,
) -> int:
    """Show the contents of scenes: counts, masses, extents, units, variables and materials."""
    from ..facts import facts

    compiled = [each for each in scenes or () if each.endswith(".rigid")]
    if compiled:
        return _compiled(compiled, [*(scenes or ())], json)
    loaded = paths.load_all(paths.select(scenes).scenes, overrides or ())
    told = [facts(scene) for scene in loaded]
    if json:
        print_json({"ok": True, "scenes": told})
    else:
        say("\n\n".join(_page(each) for each in told))
    return exit_codes.DONE


def _compiled(files: Sequence[str], all_files: Sequence[str], as_json: bool) -> int:
    """Show compiled scenes: what they hold, and the size of each section."""
    from json import loads

    from rigid2d.core.compiled import unpack
    from rigid2d.core.errors import UsageError
    from rigid2d.core.reading import read_bytes

    if len(files) < len(all_files):
        raise UsageError("compiled scenes and scene files: ask about one kind at a time")
    told = []
    for file in files:
        content = read_bytes(file, MOST_COMPILED)
        sections = unpack(content, file)
        about, names = loads(sections["about"]), loads(sections["names"])
        sizes = {name: len(each) for name, each in sections.items()}
        told.append(
            {"path": file, **about, "bytes": len(content), "sections": sizes}
            | {"bodies": len(names["bodies"]) - 1, "joints": len(names["joints"])}
        )
    if as_json:
        print_json({"ok": True, "scenes": told})
        return exit_codes.DONE
    for each in told:
        say(f"{shown(each['name'] or each['path'])}  {shown(each['path'])}")
        say(
            f"{count(each['bodies'], 'body', 'bodies')}, {count(each['joints'], 'joint')}, "
            f"{each['steps']:,} steps of {each['dt']:.6g} {each['time']}, {each['bytes']:,} bytes"
        )
        say(
            table(
                ["section", "bytes"],
                [[name, f"{size:,}"] for name, size in each["sections"].items()],
                left=(0,),
                stream=sys.stdout,
            )
        )
    return exit_codes.DONE


def _page(told: Mapping[str, Any]) -> str:
    head = f"{paint(shown(told['name'] or told['path']), 'bold', sys.stdout)}  "
    lines = [head + paint(shown(told["path"]), "dim", sys.stdout)]
    if told["description"]:
        lines += textwrap.wrap(shown(" ".join(told["description"].split())), WIDTH)
    lines.append("")
    for label, text in _rows(told):
        lines.append(f"{paint(f'{label:<{LABEL}}', 'dim', sys.stdout)}{shown(text)}".rstrip())
    if told["materials"]:
        lines += ["", _materials(told["materials"])]
    return "\n".join(lines)


def _rows(told: Mapping[str, Any]) -> list[tuple[str, str]]:
    units = told["units"]
    world, bodies, render = told["world"], told["bodies"], told["render"]
    rows = [
        ("bodies", _tally(bodies["all"], "body", bodies["kinds"], "bodies")),
        ("shapes", _tally(sum(bodies["shapes"].values()), "shape", bodies["shapes"])),
        ("joints", _tally(sum(told["joints"].values()), "joint", told["joints"])),
        ("actuators", _tally(sum(told["actuators"].values()), "actuator", told["actuators"])),
        ("mass", _mass(told["masses"])),
        ("extent", _extent(told["extent"], units["length"])),
        ("units", f"{units['length']}, {units['time']}, {units['angle']}, y {units['y']}"),
        ("gravity", f"[{world['gravity'][0]:g}, {world['gravity'][1]:g}]"),
        (
            "time",
            f"{world['steps']:,} steps of {world['dt']:.6g} {units['time']}, "
            f"{world['seconds']:g} s in all",
        ),
        ("solver", _solver(world)),
        (
            "picture",
            f"{render['size'][0]}x{render['size'][1]}, {render['fps']:g} fps, "
            f"{render['theme']}, camera {render['camera']}",
        ),
        ("expect", count(told["expect"], "expectation")),
        ("hash", told["hash"]),
    ]
    if told["tags"]:
        rows.insert(0, ("tags", ", ".join(told["tags"])))
    if told["vars"]:
        text = ", ".join(f"{name} = {value:g}" for name, value in told["vars"].items())
        rows.append(("vars", text))
    return rows


def _tally(number: int, noun: str, kinds: Mapping[str, int], plural: str | None = None) -> str:
    if not number:
        return "none"
    parts = ", ".join(f"{n:,} {kind}" for kind, n in sorted(kinds.items(), key=lambda k: -k[1]))
    return f"{count(number, noun, plural)}: {parts}"


def _mass(masses: Mapping[str, Any] | None) -> str:
    if masses is None:
        return "nothing moves by its own mass"
    light, heavy = masses["lightest"], masses["heaviest"]
    text = f"{masses['total']:.6g} in all"
    if light["mass"] == heavy["mass"]:
        return f"{text}, each {light['mass']:.6g}"
    return (
        f"{text}, from {light['mass']:.4g} ({light['body']}) to {heavy['mass']:.4g} "
        f"({heavy['body']}), 1 to {masses['ratio']:.3g}"
    )


def _extent(extent: Mapping[str, Any] | None, unit: str) -> str:
    if extent is None:
        return "nothing"
    (left, right), (bottom, top) = extent["x"], extent["y"]
    return (
        f"{right - left:.5g} x {top - bottom:.5g} {unit}: "
        f"x {left:.5g} to {right:.5g}, y {bottom:.5g} to {top:.5g}"
    )


def _solver(world: Mapping[str, Any]) -> str:
    if world["solver"] == "soft_step":
        return f"soft_step, {count(world['substeps'], 'substep')}"
    return f"{world['solver']}, {count(world['iterations'], 'iteration')}"


def _materials(materials: Mapping[str, Mapping[str, Any]]) -> str:
    from ..facts import MATERIAL_COLUMNS

    head = [
        "material",
        *(column.replace("_", " ") for column in MATERIAL_COLUMNS),
        "color",
        "bodies",
    ]
    rows: Sequence[Sequence[str]] = [
        [
            shown(name),
            *(f"{fields[column]:g}" for column in MATERIAL_COLUMNS),
            shown(fields["color"] or ""),
            str(fields["bodies"]),
        ]
        for name, fields in materials.items()
    ]
    return table(head, rows, left=(0, len(head) - 2), stream=sys.stdout)
