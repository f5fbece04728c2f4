# SPDX-License-Identifier: MIT
"""Scenes by a grammar: most of them valid, some spoilt by what the schema allows or forbids."""

from __future__ import annotations

import math
import random
from typing import Any

import yaml
from rigid2d.core.scene.blocks.world.solver import KINDS

from .parts_grammar import a_curve, add_parts
from .rich_grammar import enrich
from .schema_values import a_value, schema, spoil

BODIES = ["b0", "b1", "b2", "b3", "b4"]
JOINTS = [
    *("revolute", "revolute", "distance", "weld", "prismatic", "wheel", "mouse"),
    *("pulley", "ratchet"),
]
FORCES = ["=-x*mass", "=10*sin(t*9)", "=-vx", "=-y/(x**2 + y**2 + 0.01)", "=1/x", 3, "=n*vy"]
SPOILT = 0.35  # of the scenes
FAST = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def a_scene(choose: random.Random) -> bytes:
    """The text of a scene; one entry a line, so that it can be made smaller by lines."""
    return written(a_tree(choose))


def a_tree(choose: random.Random) -> dict[str, Any]:
    """A scene as plain data."""
    tree = an_unspoilt_tree(choose)
    if choose.random() < SPOILT:
        for _ in range(choose.choice([1, 1, 2, 4])):
            spoil(choose, tree, schema())
    return tree


def written(tree: dict[str, Any]) -> bytes:
    """A tree as YAML, an entry a line."""
    lines = []
    for block, value in tree.items():
        if isinstance(value, dict) and value:
            lines.append(f"{_flow(block)}:")
            lines += [f"  {_flow(key)}: {_flow(entry)}" for key, entry in value.items()]
        else:
            lines.append(f"{_flow(block)}: {_flow(value)}")
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogatepass")


def _flow(value: Any) -> str:
    try:
        text = _dumped(value, FAST, 1 << 30)
    except (UnicodeEncodeError, yaml.YAMLError):
        text = _dumped(value, yaml.SafeDumper, math.inf)  # half a character, say
    return text.removesuffix("\n").removesuffix("\n...").replace("\n", " ")


def _dumped(value: Any, dumper: type, width: float) -> str:
    text: str = yaml.dump(
        value, Dumper=dumper, default_flow_style=True, width=width, allow_unicode=True
    )
    return text


def _n(choose: random.Random) -> Any:
    n = choose.randint(1, 4)
    return {"value": n, "range": [0, choose.choice([4, 9])]} if choose.random() < 0.2 else n


def an_unspoilt_tree(choose: random.Random) -> dict[str, Any]:
    """A scene that may be right."""
    names = BODIES[: choose.randint(1, 5)]
    bodies = {name: _body(choose, i) for i, name in enumerate(names)}
    bodies["floor"] = {"type": "static", "shape": _ground(choose), "position": [0, -1]}
    if choose.random() < 0.2:
        bodies["row"] = {
            "repeat": {"i": choose.randint(1, 6)},
            "shape": choose.choice([{"circle": 0.3}, {"box": [0.6, "=0.2 + i/10"]}]),
            "position": ["=i*0.7 - 2", "=4 + uniform(0, 1)"],
        }
    tree: dict[str, Any] = {"rigid": 1, "vars": {"n": _n(choose)}}
    if choose.random() < 0.2:
        tree["units"] = a_value(choose, schema()["properties"]["units"])
    tree["world"] = _world(choose)
    tree["materials"] = {"steel": {"density": 7.8}, "ice": {"friction": 0}}
    if choose.random() < 0.3:
        red, blue = "red", "blue"
        way = choose.choice(["ignore", "collide"])
        tree["collision"] = {"categories": [red, blue], way: [[red, red], ["default", blue]]}
        for body in bodies.values():
            body["category"] = choose.choice([red, blue, "default"])
    tree["bodies"] = bodies
    if is_textbook(tree["world"].get("solver", {})) and choose.random() < 0.7:
        for body in bodies.values():  # of the kinds that all textbook solvers know
            for key in {*body} - {"type", "position", "mass", "repeat"}:
                del body[key]
            body["shape"] = {"box": [choose.choice([0.5, 1]), 1]}
        enrich(choose, tree, names)
        return tree
    moved = [name for name in names if bodies[name]["type"] == "dynamic"]
    count = choose.choice([0, 1, 2, 4]) if moved else 0
    tree["joints"] = {f"j{i}": _joint(choose, names, moved) for i in range(count)}
    if count > 1 and choose.random() < 0.3:
        tree["joints"]["tie"] = _tie(choose)
        if len(moved) > 1 and choose.random() < 0.8:  # what it goes with, mostly
            tie = tree["joints"]["tie"]
            for name, body in zip(tie["joints"], choose.sample(moved, 2), strict=True):
                slides = tie["type"] == "rack" and name == tie["joints"][1]
                kind = "prismatic" if slides else "revolute"
                tree["joints"][name] = {"type": kind, "bodies": ["world", body]}
    count = choose.choice([0, 0, 2]) if moved else 0
    tree["actuators"] = {f"a{i}": _actuator(choose, moved) for i in range(count)}
    add_parts(choose, tree, names, plain=is_textbook(tree["world"].get("solver", {})))
    others = [block for block in schema()["properties"] if block not in (*tree, "expect")]
    for block in choose.sample(others, choose.choice([0] * 9 + [1, 2])):
        form = schema()["properties"][block]
        if block not in tree:
            tree[block] = a_value(choose, form, block)
    tree["expect"] = [_expectation(choose, names) for _ in range(choose.choice([0, 0, 1, 3]))]
    enrich(choose, tree, names)
    return {key: value for key, value in tree.items() if value not in ({}, [])}


def is_textbook(solver: dict[str, Any]) -> bool:
    """Whether a solver is one of the documents', which know less."""
    return solver.get("type", KINDS[0]) not in (KINDS[0], "sequential_impulse")


def _world(choose: random.Random) -> dict[str, Any]:
    world: dict[str, Any] = {"steps": choose.choice([1, 5, 20, 60])}
    if choose.random() < 0.1:
        world = {"duration": choose.choice([0.3, "=n/10"])}
    if choose.random() < 0.3:
        world["gravity"] = _pair(choose, 20)
    if choose.random() < 0.3:
        world["dt"] = choose.choice([1 / 60, 0.001, 0.1, 1.0, "=1/120", "20 ms"])
    if choose.random() < 0.5:
        solver: dict[str, Any] = {"type": choose.choice(["soft_step", "sequential_impulse"])}
        if choose.random() < 0.2:
            solver = {"type": choose.choice(KINDS[1:]), "iterations": choose.choice([1, 30])}
        elif choose.random() < 0.5:
            solver["joints"] = choose.choice(["auto", "direct", "iterative"])
        if solver["type"] in ("pgs_matrix", "pgs_jrow", "textbook_impulse"):
            solver["grouping"] = choose.choice(["global", "pair", "contact"])
        if solver["type"] == "soft_step":
            solver |= choose.choice([{}, {"substeps": choose.choice([1, 2, 8, 64])}])
        elif solver["type"] == "sequential_impulse":
            warm = {"warm_start": choose.random() < 0.5, "iterations": choose.choice([1, 30])}
            solver |= choose.choice([{}, warm, {"friction_limit": "gravity"}])
        world["solver"] = solver
        if is_textbook(solver) and choose.random() < 0.9:
            return world  # which knows no forces but those of gravity and actuators
    for key, form in schema()["$defs"]["WorldInput"]["properties"].items():
        if key not in world and choose.random() < 0.003:
            world[key] = a_value(choose, form, key)
    if choose.random() < 0.1:
        world["air"] = {"density": 10 ** choose.uniform(-1, 2), "drag": choose.choice([0, 1, 50])}
    if choose.random() < 0.1:
        world["attraction"] = {"strength": _number(choose, 50), "softening": choose.choice([0, 1])}
    if choose.random() < 0.1:
        pool = {"region": [[-6, -3], [choose.choice([-1, 6]), 1.5]], "density": 2}
        more = {"damping": choose.choice([0, 1, 1e3]), "drag": choose.choice([0, 1, 50])}
        world["pools"] = {"lake": pool | more}
    if choose.random() < 0.1:
        world["bounds"] = [[-5, -5], [6, 7]]
    return world


def _body(choose: random.Random, place: int) -> dict[str, Any]:
    body: dict[str, Any] = {"type": choose.choice(["dynamic"] * 6 + ["kinematic", "static"])}
    if choose.random() < 0.8:
        body["shape"] = _shape(choose)
    else:
        body["shapes"] = [
            _shape(choose) | {"offset": _pair(choose, 0.5)} for _ in range(choose.randint(1, 3))
        ]
    spread = choose.choice([0, 0.3, 1.2, 3])
    body["position"] = [spread * (place - 2), _number(choose, 3)]
    line = any({"segment", "chain"} & {*each} for each in body.get("shapes", [body.get("shape")]))
    if line and body["type"] == "dynamic":
        body |= {"mass": 1, "inertia": 1}
    extras = {
        "angle": _number(choose, 180),
        "friction": choose.choice([0, 0.1, 1, 20]),
        "restitution": choose.choice([0, 0.5, 1]),
        "rolling_resistance": 0.1,
        "tangent_speed": _number(choose, 2),
        "material": choose.choice(["steel", "ice"]),
        "linear_damping": choose.choice([0, 1, 1e3]),
        "angular_damping": choose.choice([0, 1, 1e3]),
        "bullet": True,
        "sleep": False,
        "awake": False,
        "collide": False,
        "points": {"p": _pair(choose, 1)},
        "tags": ["light"],
        "z": _number(choose, 3),
        "trail": {"length": 1},
    }
    if body["type"] != "static":
        extras |= {"velocity": _pair(choose, 20), "angular_velocity": _number(choose, 1000)}
    if body["type"] == "dynamic":
        extras |= {
            "gravity_scale": _number(choose, 1),
            "fixed_rotation": True,
            "mass": 10 ** choose.uniform(-3, 3),
            "center_of_mass": _pair(choose, 0.2),
        }
    for key in choose.sample([*extras], choose.choice([0, 1, 3])):
        body.setdefault(key, extras[key])
    return body


def _shape(choose: random.Random) -> dict[str, Any]:
    size = choose.choice([0.1, 0.5, 0.5, 1, 1, 3])
    kind = choose.choice(["circle", "box", "polygon", "regular", "capsule", "segment", "chain"])
    if kind == "circle":
        shape: dict[str, Any] = {"circle": size}
    elif kind == "box":
        shape = {"box": [size, size * choose.choice([0.05, 0.5, 1])]}
    elif kind == "polygon":
        count = choose.randint(3, 9)
        radii = [size * choose.choice([1, 1, 0.4]) for _ in range(count)]
        turns = [2 * math.pi * k / count for k in range(count)]
        shape = {
            "polygon": [
                [round(r * math.cos(t), 6), round(r * math.sin(t), 6)]
                for r, t in zip(radii, turns, strict=True)
            ]
        }
    elif kind == "regular":
        shape = {"regular_polygon": {"sides": choose.randint(3, 20), "radius": size}}
    elif kind == "capsule":
        shape = {"capsule": [[-size, 0], [size, 0]], "radius": size / 3}
    elif kind == "segment":
        shape = {"segment": [[-size, 0], _pair(choose, size)]}
    else:
        return _ground(choose)
    if kind in ("box", "regular") and choose.random() < 0.2:
        shape["radius"] = size * 0.02
    if choose.random() < 0.1:
        shape["sensor"] = True
    return shape


def _ground(choose: random.Random) -> dict[str, Any]:
    if choose.random() < 0.5:
        return {"box": [20, 1]}
    side = choose.choice(["right", "left", "both"])
    if choose.random() < 0.2:
        return {"chain": a_curve(choose, 8), "side": side}
    corners = choose.randint(2, 12)
    points = [[round(8 - 16 * k / corners, 4), _number(choose, 1)] for k in range(corners + 1)]
    return {"chain": points, "side": side}


def _joint(choose: random.Random, names: list[str], moved: list[str]) -> dict[str, Any]:
    kind = choose.choice(JOINTS)
    if kind == "mouse":
        joint: dict[str, Any] = {"type": kind, "body": choose.choice(moved)}
        extras: dict[str, Any] = {"max_force": 50, "target": _pair(choose, 5)}
    else:
        one = choose.choice(moved)
        pair = [one, choose.choice([name for name in ["world", *names] if name != one])]
        joint = {"type": kind, "bodies": choose.sample(pair, 2)}
        ways = ["pull", "push", "force"] if kind == "distance" else ["force", "push_pull"]
        broken = {choose.choice([*ways, "force", "force"]): 10 ** choose.uniform(0, 4)}
        extras = {"spring": _spring(choose), "break": broken}
        extras |= {"collide": True, "anchors": [_pair(choose, 1), _pair(choose, 1)]}
    if kind in ("pulley", "ratchet"):
        del extras["spring"]
    if kind == "pulley":
        joint["ground_anchors"] = [_pair(choose, 5), _pair(choose, 5)]
        extras |= {"ratio": 10 ** choose.uniform(-2, 2), "rope": choose.random() < 0.5}
    if kind == "ratchet":
        joint |= choose.choice([{"teeth": choose.choice([1, 2, 12, 400])}, {"pitch": 20}])
        extras |= {"direction": "negative", "slip_torque": 10 ** choose.uniform(-2, 3)}
    turns = kind in ("revolute", "wheel")
    strength = {"max_torque" if turns else "max_force": choose.choice([0, 1, 100, math.inf])}
    if kind in ("revolute", "prismatic", "wheel"):
        low = -choose.uniform(0, 40 if kind == "revolute" else 1)
        extras["limits"] = [low, choose.choice([low, 0, -low, math.inf])]
        extras["motor"] = {"speed": _number(choose, 300)} | strength
        if kind != "wheel" and choose.random() < 0.2:
            joint["limits"] = [-1, 1]
            extras["motor"] = choose.choice(
                [
                    {"position": 0.4, "relative": True} | strength,
                    {"position": 0.4, "spring": {"frequency": 4}} | strength,
                    {"speed": 20, "stop_at_limits": True} | strength,
                ]
            )
    if kind in ("revolute", "prismatic") and choose.random() < 0.3:
        extras["motor"] = {"position": _number(choose, 1)} | strength
    if kind == "distance":
        extras |= choose.choice([{"length": 1}, {"min_length": 0.5, "max_length": 2}, {}])
        extras |= choose.choice([{"rope": True, "max_length": 2}, {}])
    for key in choose.sample([*extras], min(len(extras), choose.choice([0, 1, 2]))):
        joint[key] = extras[key]
    return joint


def _tie(choose: random.Random) -> dict[str, Any]:
    """What goes with two other joints, which may be of other kinds than it needs."""
    two = choose.sample(["j0", "j1"], 2)
    way = choose.choice([-1, 1])
    return choose.choice(
        [
            {"type": "gear", "joints": two, "ratio": way * 10 ** choose.uniform(-3, 3)},
            {"type": "gear", "joints": two, "teeth": [12, way * 40]},
            {"type": "gear", "joints": two, "radii": [0.5, way * 0.2]},
            {"type": "rack", "joints": two, "radius": 10 ** choose.uniform(-2, 1)},
        ]
    )


def _spring(choose: random.Random) -> dict[str, Any]:
    if choose.random() < 0.5:
        return {"frequency": 10 ** choose.uniform(-1, 3), "damping_ratio": choose.choice([0, 1])}
    return {"stiffness": 10 ** choose.uniform(-1, 7), "damping": choose.choice([0, 1, 1e4])}


def _actuator(choose: random.Random, names: list[str]) -> dict[str, Any]:
    body: dict[str, Any] = {"body": choose.choice(names)}
    if choose.random() < 0.2:
        body = choose.choice([{"bodies": [*names]}, {"bodies": [*names]}, {"tags": ["light"]}])
    body["start"] = choose.choice([0, 0.1])
    return body | choose.choice(
        [
            {"type": "thruster", "force": _pair(choose, 50), "at": _pair(choose, 1)},
            {"type": "force", "force": _pair(choose, 50)},
            {"type": "torque", "torque": _number(choose, 50)},
            {"type": "impulse", "impulse": _pair(choose, 50)},
            {"type": "impulse", "angular_impulse": _number(choose, 9)},
            {"type": "rotary_motor", "speed": _number(choose, 500), "max_torque": 5},
            {"type": "axial_friction", "friction": 0.7, "direction": [0, 1]},
            {"type": "axial_friction", "max_force": 4},
            {"type": "field", "field": choose.sample(FORCES, 2)},
        ]
    )


def _expectation(choose: random.Random, names: list[str]) -> dict[str, Any]:
    body = choose.choice(names)
    return choose.choice(
        [
            {"at": "end", "that": f"={body}.y > -100 and world.bodies >= 0"},
            {"always": f"={body}.speed < 1e9 or {body}.contacts > 2"},
            {"eventually": f"=abs({body}.angle) > 0.1 if n > 1 else {body}.force == 0"},
            {"at": "end", "body": body, "position": _pair(choose, 5), "tolerance": 1},
            {"at": "end", "that": "=world.mass >= 0"},
        ]
    )


def _number(choose: random.Random, size: float) -> Any:
    how = choose.random()
    if how < 0.05:
        return f"={round(size, 3)}/n"
    if how < 0.1:
        return choose.choice([0, size * 100, size * 1e-4])
    return round(choose.uniform(-size, size), choose.choice([0, 2, 12]))


def _pair(choose: random.Random, size: float) -> list[Any]:
    return [_number(choose, size), _number(choose, size)]
