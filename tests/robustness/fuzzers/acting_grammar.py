# SPDX-License-Identifier: MIT
"""What a grammar adds to a scene of bodies: drawings, what happens by itself, and variants."""

from __future__ import annotations

import random
from typing import Any

DRAWING = "outline.svg"
OUTLINE = """\
<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40">
  <path id="curve" d="M0 0 C 10 20 30 -20 40 0 S 60 9 80 0 L 80 20 Z"/>
  <path id="open" d="M0 0 h 10 v 10 a 5 9 30 1 0 9 9"/>
  <g id="group" transform="rotate(30) scale(2 -1)"><circle id="ring" cx="3" r="4"/></g>
  <use id="copy" href="#ring" x="9"/> <use id="self" href="#self"/> <rect id="none" width="0"/>
  <polygon id="star" points="0,-30 7,-9 28,-9 11,4 18,24 0,12 -18,24 -11,4 -28,-9 -7,-9"/>
</svg>
"""


def add_drawing(choose: random.Random, tree: dict[str, Any], names: list[str]) -> None:
    """A body whose outline is in a file."""
    ids = ["curve", "open", "group", "ring", "copy", "star", "self", "none", "nobody"]
    drawn: dict[str, Any] = {"file": choose.choice([DRAWING] * 90 + ["no.svg", ".", ""])}
    if choose.random() < 0.97:
        drawn["id"] = choose.choice(ids[: choose.choice([6] * 12 + [9])])
    drawn |= choose.choice(
        [{}, {"scale": 0.05}, {"width": 2}, {"height": "=n"}] * 9 + [{"scale": 1e9}]
    )
    if choose.random() < 0.3:
        drawn["origin"] = choose.choice([[0, 0], [40, 20]] * 9 + [[1e9, 0]])
    if choose.random() < 0.2:
        drawn["contour"] = choose.choice([0] * 9 + [1, -1, 99])
    outline: dict[str, Any] = {"svg": drawn}
    if choose.random() < 0.3:
        outline["tolerance"] = choose.choice([1e-9, 0.01, 1e3])
    tree["bodies"]["drawn"] = {
        "type": choose.choice(["static"] * 6 + ["dynamic"]),
        "shape": {choose.choice(["chain", "chain", "chain", "polygon"]): outline},
        "position": [0, choose.choice([2, -9])],
    }


def add_deeds(choose: random.Random, prototype: dict[str, Any]) -> None:
    """What a prototype of two bodies `a` and `b` does by itself."""
    deeds: dict[str, Any] = {
        "animations": {
            "sway": {
                "type": "loop",
                "duration": 0.2,
                "tracks": {"a.friction": [[0, 0], [0.5, 1], [1, 0]]},
            }
        },
        "controls": {"up": {"set": {"a.gravity_scale": 0}}},
        "events": [
            {"when": "collision", "bodies": ["a"], "do": [{"set": {"b.velocity": [0, "=length"]}}]}
        ],
    }
    prototype |= {key: deeds[key] for key in choose.sample([*deeds], choose.choice([1, 2, 3]))}


def add_variants(choose: random.Random, tree: dict[str, Any], names: list[str]) -> None:
    """A comparison of the scene with itself."""
    body = choose.choice(names)
    settings = {
        "vars.n": choose.choice([1, 2, 3, 3, -1, 1e9]),
        "world.gravity": [0, choose.choice([-1, 1e9])],
        f"bodies.{body}.position": [0, "=n"],
        f"bodies.{body}.friction": choose.choice([0.2, 0.3, 0.3, -1]),
        "world.dt": 0.01,
        "bodies.none.x": 1,
    }
    variants = []
    for i in range(choose.choice([1, 2, 2, 4, 4, 4, 4, 4, 16])):
        known = [*settings][:-1] * 9 + [*settings]
        chosen = choose.sample(known, choose.choice([0, 1, 2]))
        variants.append({"name": f"v{i}", "set": {key: settings[key] for key in chosen}})
    tree["compare"] = {"variants": variants, "layout": choose.choice(["row", "grid", "overlay"])}


def add_events(choose: random.Random, tree: dict[str, Any], names: list[str]) -> None:
    """What is born, and what happens when."""
    body, number = choose.choice(names), choose.choice
    dot = {"shape": {"circle": "=size"}, "tags": ["dot"]}
    prototypes = tree.setdefault("prototypes", {})
    prototypes["dot"] = {"vars": {"size": 0.1}, "bodies": {"o": dot}}
    size = number([0.2, 0.3, "=0.1 + n/9", "=uniform(0.1, 0.3)"] * 4 + [-1, "=state.score"])
    place = [number([0, 3, "=uniform(-3, 3)"]), 5]
    rain = {
        "use": "dot",
        "vars": {"size": size},
        "every": number([0.05, 0.2, 1e-3, 1e-6]),
        "at": place,
    }
    if choose.random() < 0.5:
        rain |= number([{"max": 3}, {"from": 0.1}, {"until": 0.2}, {"if_free": True}])
    tree["spawners"] = {"rain": rain}
    lasting = number([{}, {"lifetime": 0.2}, {"lifetime": "=uniform(0.1, 1)"}])
    tree["state"] = {"score": 0}
    do: list[Any] = [
        {
            "spawn": {
                "use": "dot",
                "at": number([[0, 3]] * 20 + ["$point"]),
                "velocity": [0, 3],
                **lasting,
            }
        },
        {"delete": number([body] * 20 + ["$a", "$b"])},
        {
            "destroy": {
                **{"body": number([body] * 20 + ["$a"]), "count": number([2, 5, 9])},
                **number([{}, {"collide": False}]),
            }
        },
        {
            "move": {
                **{"what": body, "angle": 20},
                **number([{"by": [1, 0]}, {"to": [0, 4], "velocity": [0, 2]}]),
            }
        },
        {"copy": {"what": number([body, "tags.dot"]), "by": [1, 2], "angle": 5, "name": "twin"}},
        {"add": {"score": 1}},
        {"set": {f"{body}.velocity": ["=state.score", 1]}},
        {"impulse": {"body": body, "impulse": [0, number([3, 1e9])]}},
        {"explode": {"at": [0, 0], "radius": 3, "impulse": number([2, 1e9])}},
        {"attach": {"name": "rope", "joint": {"type": "distance", "bodies": ["world", body]}}},
        {"detach": number([*tree["joints"]] or ["rope"])}
        if choose.random() < 0.3
        else {"log": "n"},
        {"log": "{state.score}"},
        {"end": number(["pass", "fail"])},
    ]
    whens = [
        {"when": "collision", "bodies": [body]},
        {"when": "collision", "tags": ["dot"], "once_per": "pair"},
        {"when": f"={body}.y < 1"},
        {"when": "=state.score < 3", "after": 0.1},
        {"when": "time", "every": number([0.05, 0.1])},
        {"when": "leave", "body": body, "region": [[-2, -2], [2, 2]]},
        {"when": "deleted", "tags": ["dot"]},
        {"when": "time", "at": 0.1},
        {"when": "sensor_enter", "bodies": [body]},
        {"when": "touch_end", "bodies": [body], "if": f"={body}.speed < state.score + 9"},
    ]
    if tree.get("joints"):
        whens.append({"when": "joint_broken", "joint": number([*tree["joints"]])})
    if "animations" in tree:
        do += [{"play": "way"}, {"stop": "way"}] * 2
    tree["events"] = [
        {**when, "do": choose.sample(do, number([1, 1, 2]))}
        for when in choose.sample(whens, number([1, 2]))
    ]
    if choose.random() < 0.3:
        tree["outcome"] = {"win": "=state.score > 3"}
