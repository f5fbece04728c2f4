# SPDX-License-Identifier: MIT
"""What a grammar adds to a scene of bodies: curves, prototypes, pictures, and who plays."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from .acting_grammar import DRAWING, OUTLINE, add_deeds, add_drawing, add_events, add_variants
from .schema_values import a_value, schema

PICTURE = "tile.png"
KEYS = ["up", "down", "space"]
FOLDER = "more"
BESIDE = {
    "part.yaml": "materials: {leafy: {friction: 0.1}}\n"
    "bodies: {leaf: {shape: {box: [0.2, 0.3]}, texture: leaf.png, position: [0, 9]}}\n",
    "film.yaml": "rigid: 1\nworld: {duration: 0.2}\nbodies: {a: {shape: {circle: 1}}}\n"
    "render: {size: [16, 16], fps: 10}\n",
    "cart.yaml": "vars: {length: 1}\nbodies: {a: {shape: {circle: =length/9}}}\n",
}
"""Files in a folder of their own, of which one names a picture that lies beside it."""


def lay_picture() -> None:
    """The pictures and other files that scenes name, into the current folder."""
    if not Path(DRAWING).exists():
        Path(DRAWING).write_text(OUTLINE)
    if not Path(PICTURE).exists():
        from PIL import Image

        Path(FOLDER).mkdir(exist_ok=True)
        Image.new("RGB", (8, 4), "red").save(PICTURE)
        Image.new("RGB", (2, 3), "blue").save(f"{FOLDER}/leaf.png")
        for name, text in BESIDE.items():
            Path(FOLDER, name).write_text(text)


def a_curve(choose: random.Random, size: float) -> dict[str, Any]:
    """An outline in place of points."""
    far = choose.choice([0, size, -size, 1e-9] * 9 + [1e9])
    curve: dict[str, Any] = choose.choice(
        [
            {
                "arc": {
                    "center": [0, far],
                    "radius": size,
                    "from": choose.choice([0, 90]),
                    "to": 270,
                }
            },
            {"bezier": [[-size, 0], [0, far], [far, size], [size, 0]]},
            {"spline": [[-size, 0], [0, size], [size, far], [0, -size]]},
            {"path": f"M {-size} 0 Q 0 {far} {size} 0 T 1 1 a {size} {far} 30 1 0 .5 -.5"},
            {"path": f"M{-size} 0h{size}v{size}C0 1 {far} 1 2 0z"},
            {"points": {"count": choose.choice([2, 9]), "x": "=i*0.3 - 1", "y": "=sin(i*n)"}},
        ]
    )
    if choose.random() < 0.3:
        curve["tolerance"] = choose.choice([1e-6, 0.01, 1e3])
    return curve


def add_parts(
    choose: random.Random, tree: dict[str, Any], names: list[str], *, plain: bool = False
) -> None:
    """Add some of what else a scene may have; a ``plain`` one has no events."""
    usual = (_curves, _prototypes, _pictures, _annotations, _animations, _controls, _study)
    for add in (*usual, add_drawing, *([] if plain else [add_events]), add_variants):
        if choose.random() < 0.25:
            add(choose, tree, names)


DRAWING_WORDS = ("uniform", "normal", "lognormal", "randint", "choice")
DRAWN: list[Any] = [
    *({"normal": [1, 0.1]}, {"lognormal": [0, 0.1]}, {"randint": [1, 3]}, {"choice": [1, 2]}),
    *({"from": 1, "to": 2, "step": 0.5}, {"from": 1, "to": 4, "count": 3, "log": True}),
    {"values": [1, 2]},
]


def _study(choose: random.Random, tree: dict[str, Any], names: list[str]) -> None:
    paths = ["vars.n", "world.seed", "world.dt", "materials.ice.friction", "vars.m"]
    paths = paths[:-1] * 9 + paths
    paths += [f"bodies.{names[0]}.friction", f"bodies.{names[-1]}.angle", "bodies.no.x"]
    forms = [schema()["$defs"]["AxisInput"], {"type": "array", "items": {"type": "number"}}]
    values = [a_value(choose, choose.choice(forms)) for _ in range(2)]
    plain = [[0.5, 1], {"count": 2}, {"from": 0.1, "to": 2, "count": 2}, {"uniform": [0, 1]}]
    tree["study"] = {
        "vary": {
            choose.choice(paths): choose.choice([*values, *plain * 4, *DRAWN * 2])
            for _ in range(choose.choice([1, 2]))
        },
        "sample": choose.choice(["grid", "zip", {"random": 2}, {"latin_hypercube": 3}]),
        "collect": {
            "a": {choose.choice(["max", "min", "mean", "integral"]): f"={names[0]}.y + n"},
            "b": {choose.choice(["first", "last", "count"]): f"={names[0]}.y < 2"},
            "c": choose.choice(
                [f"={names[0]}.speed", "outcome", {"end": "=1/n"}, {"word": "expect"}]
            ),
        },
    }
    if any(
        {*DRAWING_WORDS} & {*each}
        for each in tree["study"]["vary"].values()
        if isinstance(each, dict)
    ):
        tree["study"]["sample"] = {"random": 2}
    if choose.random() < 0.3:
        tree["study"]["until"] = f"={names[0]}.x > n - 1"
    if choose.random() < 0.2:
        tree["study"]["keep"] = a_value(choose, schema()["$defs"]["KeepInput"])


def _curves(choose: random.Random, tree: dict[str, Any], names: list[str]) -> None:
    kind = choose.choice(["chain"] * 5 + ["polygon"])
    tree["bodies"]["curved"] = {"type": "static", "shape": {kind: a_curve(choose, 2)}}
    if kind == "chain" and choose.random() < 0.3:
        tree["bodies"]["curved"]["shape"]["loop"] = True


def _prototypes(choose: random.Random, tree: dict[str, Any], names: list[str]) -> None:
    pair: dict[str, Any] = {
        "vars": {"length": 1},
        "bodies": {
            "a": {"shape": {"box": [0.4, "=0.2*length"]}},
            "b": {"shape": {"circle": 0.2}, "position": ["=length", 0]},
        },
        "joints": {"pin": {"type": "revolute", "bodies": ["a", choose.choice(["b", "world"])]}},
    }
    if choose.random() < 0.3:
        pair["actuators"] = {"jet": {"type": "thruster", "body": "a", "force": [0, 3]}}
    tree["prototypes"] = {"pair": pair}
    uses = ["pair"]
    if choose.random() < 0.5:
        add_deeds(choose, pair)
    if choose.random() < 0.3:
        tree["prototypes"]["cart"] = {"file": f"{FOLDER}/cart.yaml"}
        uses.append("cart")
    if choose.random() < 0.3:
        inner = {"use": choose.choice(["pair"] * 30 + ["group"]), "at": [1, "=n"]}
        tree["prototypes"]["group"] = {"instances": {"p": inner}}
        uses.append("group")
    tree["instances"] = {f"p{i}": _instance(choose, uses) for i in range(choose.randint(1, 3))}


def _instance(choose: random.Random, uses: list[str]) -> dict[str, Any]:
    extras: dict[str, Any] = {
        "angle": choose.choice([30, 90, "=n*7"]),
        "scale": choose.choice([0.01, 0.5, 2]),
        "mirror": choose.choice(["x", "y"]),
        "pivot": choose.choice([[1, 0], "center"]),
        "vars": {"length": choose.choice([2, 0.5, "=n"])},
        "color": "red",
        "velocity": [1, -1],
        "material": "ice",
        "repeat": {"k": choose.choice([0, 2])},
    }
    its = {key: extras[key] for key in choose.sample([*extras], choose.choice([0, 1, 3]))}
    return {"use": choose.choice(uses), "at": [choose.uniform(-3, 3), 3], **its}


def _pictures(choose: random.Random, tree: dict[str, Any], names: list[str]) -> None:
    sheet = {"sheet": PICTURE, "grid": [2, choose.choice([1, 4] * 9 + [9])]}
    frame = {"frame": f"={choose.choice(names)}.x*3"}
    tree["bodies"][choose.choice(names)]["texture"] = choose.choice(
        [PICTURE, {"file": PICTURE, "mirror": "x", "tile": True}, sheet, sheet | frame]
    )
    if choose.random() < 0.5:
        tree["layers"] = [{"image": PICTURE, "parallax": choose.choice([0, 0.5, 1])}]


def _annotations(choose: random.Random, tree: dict[str, Any], names: list[str]) -> None:
    name = choose.choice(names)
    spec = choose.choice(["", ":.2f", ":>9", ":d", ":é^60,.20%"])
    if choose.random() < 0.1:
        spec = choose.choice([":99999", ":{n}", "!r", ".__class__", ":s"])
    tree["annotations"] = choose.sample(
        [
            {"text": f"{{{{x}}}} {{{name}.x{spec}}} {{n}}", "corner": "top_left"},
            {"vector": f"{name}.velocity", "label": "v"},
            {"dimension": [name, [0, 0]], "label": f"{{{name}.y:.1f}}"},
            {"plot": [f"={name}.x", f"={name}.vy/n"], "corner": "bottom_right"},
            {"plot": "phase", "x": f"={name}.x", "y": f"={name}.vx"},
        ],
        choose.choice([1, 2]),
    )


def _animations(choose: random.Random, tree: dict[str, Any], names: list[str]) -> None:
    body, number = choose.choice(names), choose.choice
    tracks = {
        f"{body}.friction": [[0, 0.5], [number([0.1, 0.3] * 4 + [1]), 1], [1, 0.5]],
        "world.gravity": [[0, [0, -9]], [0.5, [number([0, 100]), 0]], [1, [0, -9]]],
    }
    for name in names:
        if tree["bodies"][name]["type"] == "kinematic":
            tracks[f"{name}.position"] = [[0, [0, 0]], [0.5, [number([0, 5, 1e9]), 1]], [1, [0, 0]]]
    for name in _with_motors(tree):
        tracks[f"{name}.motor.speed"] = [[0, 0], [0.5, number([90, -1e6])], [1, 0]]
    tree["animations"] = {
        "way": {
            "type": choose.choice(["once", "loop", "manual", "manual"]),
            "duration": choose.choice([0.01, 0.3, 2]),
            "easing": choose.choice(["linear", "smooth", "hold"]),
            "tracks": {key: tracks[key] for key in choose.sample([*tracks], choose.choice([1, 2]))},
        }
    }


def _controls(choose: random.Random, tree: dict[str, Any], names: list[str]) -> None:
    body = choose.choice(names)
    held: list[Any] = [
        *tree["actuators"],
        [*tree["actuators"]] or {"set": {"world.gravity": [0, 1]}},
    ]
    if choose.random() < 0.3:
        held = [{"do": [{"impulse": {"body": body, "impulse": [0, 3]}}], "every": 0.1}]
        held += [{"hold": name} for name in tree["actuators"]]
    if tree.get("animations", {}).get("way", {}).get("type") == "manual":
        held += ["way.forward", "way.backward"]
    sets: dict[str, Any] = choose.choice(
        [
            {f"{body}.friction": 0},
            {"world.gravity": [0, 5]},
            {f"{name}.motor.speed": "=n" for name in _with_motors(tree)} or {"a": 1},
        ]
    )
    back = {f"{body}.gravity_scale": 0}
    tree["controls"] = {
        "up": choose.choice(held),
        "down": {"set": sets, "on_release": choose.choice([back, {"do": [{"log": "up"}]}])},
    }
    tree["inputs"] = [
        {
            "key": choose.choice(KEYS[:2] * 30 + KEYS),
            "from": i * 0.05,
            "to": choose.choice([0.3, 9]),
        }
        for i in range(choose.choice([0, 1, 3]))
    ]
    if choose.random() < 0.3:
        tree["inputs"].append({"at": choose.choice([0, 0.1, 1e9]), "set": sets})
    if choose.random() < 0.3:
        tree["inputs"].append(_drag(choose, body))


def _drag(choose: random.Random, body: str) -> dict[str, Any]:
    path = [[i * 0.1, choose.uniform(-9, 9), choose.choice([0, 3, 1e9])] for i in range(3)]
    drag: dict[str, Any] = {"drag": body, "from": choose.choice([0, 0.1]), "path": path}
    if choose.random() < 0.5:
        drag |= {"point": [0.1, "10 cm"], "to": 0.2, "max_force": choose.choice([0, 50, 1e9])}
    return drag


def _with_motors(tree: dict[str, Any]) -> list[str]:
    """The joints that have a motor with a speed."""
    return [name for name, each in tree["joints"].items() if "speed" in each.get("motor", {})]
