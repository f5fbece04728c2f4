# SPDX-License-Identifier: MIT
"""Every field of the format, added to a scene of the grammar.

The fields come from the scene format's schema, and their values too: any that it allows. A field
whose meaning the schema does not tell, such as the name of a body, has a row here with values that
may be right: of what, which, when, and the values. A condition is a key that has to be there
(`plot`), must not (`!mass`), or has a value (`type=wheel`). The names of a scene's own objects
stand in capitals: BODY, OTHER, MOVED, JOINT, ACTUATOR.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

from .parts_grammar import FOLDER, PICTURE
from .scene_check import INCLUDED
from .schema_values import a_value, objects, one_of_others, schema

SCREEN = {"scene": f"{FOLDER}/film.yaml", "start": 0.1, "duration": 0.1, "speed": 2}
BOX: list[Any] = [[-4, -2], [5, 6]]
SPRING = [{"frequency": 3, "damping_ratio": 0.4}, {"stiffness": 50, "damping": 1}]
DO: list[Any] = [
    *({"impulse": {"body": "BODY", "impulse": [0, 2]}}, {"sound": "bang"}, {"log": "{world.mass}"}),
    *({"explode": {"at": [0, 0], "radius": 2, "impulse": 1}}, {"set": {"world.gravity": [0, 1]}}),
    {"spawn": {"use": "bit", "at": [0, "=uniform(3, 6)"]}},
]
BIT = {"vars": {"size": 0.1}, "bodies": {"o": {"shape": {"circle": "=size"}, "tags": ["bit"]}}}
MATERIAL: dict[str, list[Any]] = {
    "friction": [0, 0.4, "=n/5"],
    "restitution": [0, 0.5, 1],
    "rolling_resistance": [0, 0.2],
    "tangent_speed": [1, -3],
    "color": ["red", "#12345678"],
    "outline": ["tomato", "#123"],
}
BODY: dict[str, list[Any]] = MATERIAL | {
    "angle": [30, "=n*20"],
    "linear_damping": [0.5],
    "angular_damping": [0, 2],
    "bullet": [True],
    "sleep": [False],
    "awake": [False],
    "collide": [False],
    "points": [{"tip": [0.1, 0]}],
    "tags": [["light"], []],
    "z": [1, -3],
    "visible": [False],
    "trail": [{"length": 0.5}],
    "material": ["steel", "ice"],
    "category": ["default"],
    "fixed_rotation": [True],
    "gravity_scale": [0, -1],
}
JOINT: dict[str, list[Any]] = {
    "collide": [True],
    "visible": [False],
    "break": [{"force": 40}],
}
BIRTH: dict[str, list[Any]] = {
    "angle": [45, "=uniform(0, 90)"],
    "frame": ["BODY"],
    "if_free": [True],
    "max_tries": [1, 9],
    "mirror": ["x", "y"],
    "pivot": ["bottom_center", [0.1, 0]],
    "scale": [0.5, 2],
    "name": ["twin"],
    "velocity": [[1, 2]],
    "vars": [{"size": 0.2}, {"size": "=0.1 + n/20"}],
}

Row = tuple[str, str, str, list[Any]]


def _rows(owner: str, fields: dict[str, list[Any]], when: str = "") -> list[Row]:
    return [(owner, field, when, values) for field, values in fields.items()]


ROWS: list[Row] = [
    # ------------------------------------------------------------ the scene
    ("Scene", "name", "", ["Fuzz"]),
    ("Scene", "description", "", ["What is tried."]),
    ("Scene", "tags", "", [["a", "b"]]),
    ("Scene", "include", "", [[INCLUDED]]),
    (
        "Scene",
        "units",
        "",
        ["si", {"time": "ms"}, {"angle": "rad"}, {"length": "cm"}, {"y": "down"}],
    ),
    ("Scene", "groups", "", [{"all": ["BODY", "OTHER"]}]),
    ("Scene", "minimap", "", [{}, {"rect": BOX}, {"size": 0.3}]),
    ("Scene", "render", "", [{"size": [64, 48]}, {"fps": 20}, {"energy": {"corner": "top_left"}}]),
    (
        "Scene",
        "render",
        "",
        [{"time": [{"at": 0, "speed": 2}]}, {"background": {"image": PICTURE}}],
    ),
    ("Scene", "record", "", [{"channels": ["BODY.x", "world.mass"]}, {"every": 2}]),
    ("Scene", "layers", "", [[{"image": PICTURE}]]),
    ("Scene", "state", "", [{"score": 0}, {"score": "=n"}]),
    ("Scene", "outcome", "", [{"win": "=BODY.y < 0.2"}, {"lose": "=BODY.y < -3"}]),
    ("Scene", "defaults", "", [{"body": {"friction": 0.3}}, {"joint": {"collide": True}}, {}]),
    ("Scene", "collision", "", [{"pairs_ignore": [["BODY", "OTHER"]]}, {"friction_mixing": "min"}]),
    ("Scene", "annotations", "", [[{"text": "{world.mass:.1f}", "corner": "top"}]]),
    ("Scene", "annotations", "", [[{"text": "a", "at": [0, 1]}, {"text": "b", "follow": "BODY"}]]),
    (
        "Scene",
        "compare",
        "",
        [{"variants": [{"name": "a"}, {"name": "b", "set": {"world.gravity": [0, 1]}}]}],
    ),
    ("Scene", "particles", "", [{"fire": {"from": "BODY", "rate": 40, "life": 0.2}}]),
    ("Scene", "camera", "", [{"mode": "region", "rect": BOX}, {"mode": "fit"}, {"shake": []}]),
    ("Scene", "camera", "", [{"mode": "follow", "target": "BODY"}, {"fit": "start"}]),
    (
        "Scene",
        "camera",
        "",
        [
            {"mode": "keys", "keys": [[0, {"rect": BOX}], [1, {"target": "BODY"}]]},
            {
                "mode": "keys",
                "keys": [{"at": 0, "center": [0, 0], "width": 4}, {"at": 1, "rect": BOX}],
            },
        ],
    ),
    (
        "Scene",
        "task",
        "",
        [{"observe": ["BODY.y"], "act": {"BODY.velocity.x": [-1, 1]}, "reward": 1}],
    ),
    ("Scene", "study", "", [{"vary": {"world.seed": {"count": 2}}, "collect": {"y": "=BODY.y"}}]),
    ("Scene", "expect", "", [[{"at": "end", "that": "=world.mass >= 0"}]]),
    (
        "Scene",
        "inputs",
        "",
        [[{"at": 0.05, "do": [DO[0]]}], [{"at": 0.1, "set": {"BODY.friction": 0}}]],
    ),
    ("Scene", "spawners", "prototypes", [{"mist": {"use": "bit", "every": 0.05, "at": [0, 4]}}]),
    # ------------------------------------------------------------ the world
    ("WorldInput", "seed", "", [7]),
    ("WorldInput", "sleep", "", [False]),
    ("WorldInput", "on_error", "", ["warn"]),
    ("WorldInput", "length_unit", "", [100, 0.1]),
    ("WorldInput", "air", "", [{"linear_damping": 0.1}]),
    ("WorldInput", "attraction", "", [{"strength": 1}]),
    ("WorldInput", "duration", "!steps", [0.3]),
    ("WorldInput", "pools", "", [{"lake": {"region": BOX, "density": 2}}]),
    ("AirInput", "linear_damping", "", [0, 0.5]),
    ("AirInput", "angular_damping", "", [0, 2]),
    ("AttractionInput", "softening", "", [0.5]),
    ("PoolInput", "damping", "", [1]),
    ("PoolInput", "drag", "", [1]),
    ("UnitsInput", "length", "", ["m", "px"]),
    ("SolverInput", "joints", "type=sequential_impulse", ["direct", "iterative", "auto"]),
    *_rows(
        "SolverInput",
        {
            "position_correction": [False],
            "correction_rate": [0.5],
            "allowed_penetration": [0.02],
            "clamp": ["each", "none"],
            "external_force": ["before", "after"],
            "friction_limit": ["gravity"],
        },
        "type=sequential_impulse",
    ),
    ("SolverInput", "impulses", "type=iterative_impulse", [False]),
    ("SolverInput", "blocks", "type=textbook_impulse", [True]),
    ("SolverInput", "stop_below", "type=pgs_jrow", [0.01]),
    ("SolverInput", "tangent", "type=iterative_impulse", ["none", "friction_impulse"]),
    (
        "SolverInput",
        "contacts",
        "type=pgs_matrix",
        ["native", "document", "document_book", "document_deepest"],
    ),
    ("SolverInput", "springs", "type=pgs_matrix", ["soft", "force"]),
    ("SolverInput", "integrator", "type=pgs_matrix", ["explicit_euler"]),
    ("SolverInput", "grouping", "type=pgs_matrix", ["pair"]),
    ("SolverInput", "stiffness", "type=verlet", [0.5]),
    # ------------------------------------------------------------ what there is
    *_rows("MaterialInput", MATERIAL | {"density": [0.5, 3]}),
    *_rows("BodyInput", BODY),
    *_rows("BodyInput", {"density": [0.5]}, "!mass"),
    *_rows(
        "BodyInput", {"mass": [2], "inertia": [0.5], "center_of_mass": [[0.1, 0]]}, "type=dynamic"
    ),
    *_rows("BodyInput", {"velocity": [[1, 2]], "angular_velocity": [90]}, "!type"),
    ("BodyInput", "when", "", [True, "=n > 0"]),
    *_rows("BodyFields", BODY),
    *_rows("BodyFields", {"density": [2], "angular_velocity": [3], "velocity": [[0, 1]]}),
    *_rows("BodyFields", {"type": ["dynamic"], "position": [[0, 1]], "outline": ["red"]}),
    *_rows("BodyFields", {"mass": [2], "inertia": [1], "center_of_mass": [[0, 0.1]]}, "!density"),
    *_rows("BodyFields", {"shape": [{"circle": 0.4}], "shapes": [[{"circle": 0.3}]]}),
    ("BodyFields", "texture", "", [PICTURE, SCREEN]),
    *_rows("ShapeInput", MATERIAL | {"density": [2], "angle": [30], "material": ["ice"]}),
    *_rows("ShapeInput", {"category": ["default"], "sensor": [True], "offset": [[0.1, 0]]}),
    ("TrailInput", "color", "", ["red"]),
    *_rows("TextureInput", {"fps": [5], "loop": [False]}, "sheet !frame"),
    *_rows("TextureInput", {"angle": [30], "offset": [[0.1, 0]], "size": [[1, 2]], "z": [3]}),
    ("TextureInput", "pixels", "scene", [[16, 16]]),
    ("TextureInput", "along", "", [["BODY", "OTHER"]]),
    ("TextureInput", "tint", "", ["red"]),
    ("TextureInput", "color_key", "!scene", ["first_pixel", "#fff"]),
    ("TextureInput", "clip", "", [[[[0, 0], [1, 0], [1, 1]]], []]),
    ("TextureInput", "mirror_while", "", ["=world.time > 1"]),
    *_rows("JointInput", JOINT),
    ("JointInput", "break", "type=revolute", [{"torque": 5}, {"force": 9}]),
    ("JointInput", "break", "type=distance", [{"pull": 30}, {"push": 30}]),
    ("JointInput", "when", "", ["=n > 0", False]),
    ("JointInput", "repeat", "", [{"i": 1}]),
    ("JointInput", "axis", "type=prismatic", [[1, 1]]),
    ("JointInput", "axis", "type=wheel", [[0, 1]]),
    ("JointInput", "anchor", "!anchors", [[0, 1]]),
    ("JointInput", "limit_spring", "limits", SPRING),
    ("JointInput", "stiff", "type=mouse", [True]),
    ("JointInput", "length", "type=distance", ["auto"]),
    ("JointFields", "limit_spring", "", SPRING),
    *_rows("JointFields", JOINT | {"spring": SPRING, "rope": [False], "stiff": [False]}),
    *_rows("JointFields", {"limits": [[-1, 1]], "motor": [{"speed": 1}], "max_force": [9]}),
    *_rows("JointFields", {"min_length": [0.1], "max_length": [9], "length": ["auto"]}),
    *_rows("JointFields", {"type": ["weld"], "anchor": [[0, 0]], "anchors": [[[0, 0], [0, 0]]]}),
    *_rows("JointFields", {"axis": [[1, 0]], "ratio": [2], "radius": [1], "radii": [[1, 2]]}),
    *_rows("JointFields", {"teeth": [9], "pitch": [30], "direction": ["positive"]}),
    *_rows("JointFields", {"slip_torque": [5], "target": [[0, 0]], "body": ["BODY"]}),
    *_rows("JointFields", {"bodies": [["BODY", "world"]], "joints": [["j0", "j1"]]}),
    *_rows("JointFields", {"constraint": ["circle"], "numbers": [{"radius": 2}]}),
    ("JointInput", "constraint", "type=custom", ["circle"]),
    ("JointInput", "numbers", "", [{"radius": 2}]),
    ("JointFields", "ground_anchors", "", [[[0, 5], [1, 5]]]),
    ("MotorInput", "spring", "position", SPRING),
    *_rows("ActuatorInput", {"enabled": [False, "=n > 1"], "visible": [False], "until": [0.3]}),
    *_rows("ActuatorInput", {"when": ["=n > 0"], "repeat": [{"i": 2}]}),
    ("ActuatorInput", "brake", "type=rotary_motor", [False]),
    ("ActuatorInput", "angular_impulse", "type=impulse", [3]),
    ("ActuatorInput", "max_force", "type=axial_friction !friction", [5]),
    # ------------------------------------------------------------ prototypes and births
    ("InstanceInput", "controls", "use=pair", [{"up": "w"}]),
    *_rows("InstanceInput", {"tags": [["light"]], "when": ["=n > 0"], "color": ["blue"]}),
    *_rows("SpawnInput", BIRTH),
    *_rows("SpawnerInput", BIRTH | {"max": [2], "from": [0.1], "until": [0.2], "lifetime": [1]}),
    # ------------------------------------------------------------ what happens
    ("AnimationInput", "start", "", [0, 0.5]),
    ("AnimationInput", "enabled", "!type", [True, False]),
    ("AnimationInput", "enabled", "type=loop", [True, False]),
    ("AnimationInput", "return_to", "type=manual", [0, 1]),
    *_rows("EventInput", {"once": [True], "after": [0.05], "if": ["=world.mass > 1", "=n > 1"]}),
    ("EventInput", "at", "when=time", [0.1]),
    ("EventInput", "min_impulse", "when=collision", [0.1]),
    ("EventInput", "once_per", "when=collision", ["pair"]),
    ("ImpulseInput", "at", "", [[0, 1], "BODY"]),
    ("DestroyInput", "method", "", ["voronoi", "boxes"]),
    *_rows("DestroyInput", {"seed": [3], "kick": [{"radial": 1}, {"random": 2}, {"spin": 90}]}),
    *_rows("DestroyInput", {"tags": [["bits"]], "count": [2]}),
    *_rows("KickInput", {"radial": [2], "random": [1], "spin": [30]}),
    ("OutcomeInput", "lose", "", ["=BODY.y > 9"]),
    ("InputModel", "do", "at", [[DO[0]], [DO[1]]]),
    # ------------------------------------------------------------ pictures
    *_rows("CameraInput", {"shake": [[{"at": 0.1, "amplitude": 0.2}]]}),
    ("CameraInput", "margin", "mode=follow", [1]),
    ("CameraInput", "margin", "mode=fit", [1]),
    *_rows("CameraInput", {"widest": [2], "fit": ["start", "run"]}, "mode=fit"),
    *_rows("CameraInput", {"style": ["keep_in", "center"], "zoom": [40]}, "mode=follow"),
    ("CameraInput", "bounds", "mode=follow", [BOX]),
    *_rows("CameraKeyInput", {"ease": ["hold", "linear"], "width": [3]}, "!rect"),
    ("CameraKeyInput", "center", "!target !rect", [[0, 1]]),
    *_rows("ShakeInput", {"duration": [0.1], "frequency": [20]}),
    *_rows("RenderInput", {"size": [[64, 48]], "fps": [20, 0.5], "supersample": [2]}),
    *_rows("RenderInput", {"theme": ["dark"], "palette": ["forces", "categories", "materials"]}),
    *_rows("RenderInput", {"background": ["red", {"image": PICTURE}, {"color": "blue"}]}),
    ("RenderInput", "overlays", "", [["energy", "contacts", "aabbs"], ["names", "grid", "time"]]),
    ("RenderInput", "energy", "", [{"zero": "lowest"}, {"scale": 2}]),
    ("RenderInput", "speed", "!time", [0.5]),
    ("RenderInput", "time", "!speed", [[[0, 1], [0.2, 0.1]], [{"at": 0, "speed": 2}]]),
    *_rows("EnergyInput", {"corner": ["top_left"], "range": [[0, 9]], "zero": [1, "start"]}),
    ("EnergyInput", "scale", "", [0.5]),
    ("BackgroundInput", "fit", "image", ["contain", "stretch", "world", "own"]),
    ("BackgroundInput", "scale", "fit=own", [0.02]),
    ("CameraInput", "start", "!mode", ["center", "corner"]),
    *_rows("LayerInput", {"at": [[0, 2]], "repeat": ["x", "both"], "scale": [0.1], "z": [2]}),
    *_rows("LayerInput", {"tint": ["red"], "parallax": [0.5]}),
    ("MinimapInput", "corner", "", ["bottom_left"]),
    *_rows(
        "EmitterInput", {"colors": [["red", "#fff"]], "speed": [3], "spread": [40], "size": [0.1]}
    ),
    ("EmitterInput", "while", "", ["ACTUATOR"]),
    *_rows("AnnotationInput", {"from": [0.1], "until": [0.2], "while": ["=BODY.y > 0"]}),
    *_rows("AnnotationInput", {"color": ["red"], "size": [20]}),
    *_rows("AnnotationInput", {"at": [[0, 1]], "follow": ["BODY"]}, "text !corner !at !follow"),
    ("AnnotationInput", "scale", "vector", [0.5]),
    ("AnnotationInput", "offset", "dimension", [0.3]),
    *_rows("AnnotationInput", {"seconds": [1, "run"], "range": [[0, 2], "shown"]}, "plot"),
    *_rows("AnnotationInput", {"width": [90], "height": [60], "legend": ["ends"]}, "plot"),
    *_rows("AnnotationInput", {"unit": ["cm"], "x_label": ["a"], "label": ["b"]}, "plot"),
    ("AnnotationInput", "strip", "plot !corner", ["left", "below"]),
    # ------------------------------------------------------------ runs
    *_rows("CompareInput", {"columns": [2]}, "layout=grid"),
    *_rows("CompareInput", {"opacity": [0.3]}, "layout=overlay"),
    ("CompareInput", "camera", "layout=row", ["own", "shared"]),
    ("VariantInput", "color", "", ["red"]),
    ("VariantInput", "expect", "", [[{"at": "end", "that": "=n > 0"}]]),
    *_rows("ExpectInput", {"angle": [3], "velocity": [[0, 1]], "angular_velocity": [1]}, "body"),
    *_rows("CollisionInput", {"restitution_mixing": ["mean"], "friction_mixing": ["product"]}),
    ("CollisionInput", "pairs_ignore", "", [[["BODY", "OTHER"]]]),
    ("StudyInput", "until", "", ["=BODY.y < 0.1"]),
    ("StudyInput", "keep", "", [{"trace": "all"}, {"gif": "failed", "snapshot": "none"}]),
    *_rows("TaskInput", {"done": ["=BODY.y < -1"], "layouts": [2], "progress": ["=BODY.x"]}),
    *_rows("TaskInput", {"repeat": [2], "steps": [5], "start": [{"BODY.position": [0, 3]}]}),
]
COMMON = (
    "BodyInput",
    "JointInput",
    "ActuatorInput",
    "ShapeInput",
    "MaterialInput",
    "InstanceInput",
)
"""What there is much of in a scene: one in five gets a field, and the others get one or two."""
RATE = 0.2
BY_SCHEMA, COMMON_BY_SCHEMA = 0.05, 0.01
"""How many of them get a field without a row: its value is any that the schema allows."""


@cache
def rows_of(owner: str) -> tuple[Row, ...]:
    """The rows of one kind of object."""
    return tuple(row for row in ROWS if row[0] == owner)


@cache
def without_rows(owner: str) -> tuple[tuple[str, dict[str, Any]], ...]:
    """The fields of one kind of object that have no rows, with their schema."""
    form = schema() if owner == "Scene" else schema()["$defs"].get(owner, {})
    rows = {field for _, field, _, _ in rows_of(owner)}
    fields: dict[str, dict[str, Any]] = form.get("properties", {})
    return tuple(
        (key, field)
        for key, field in fields.items()
        if key not in rows and not one_of_others(form, key)
    )


def enrich(choose: random.Random, tree: dict[str, Any], names: list[str]) -> None:
    """Add some fields to some of the objects of a scene."""
    _add(choose, "Scene", tree, choose.choice([0, 1, 2, 4]), tree, names)
    if choose.random() < 0.1:
        tree["defaults"] = {"body": {}, "joint": {}, "material": "ice"}
    for owner, item in objects(tree, schema()):
        if owner not in ("Scene", *COMMON) or choose.random() < RATE:
            _add(choose, owner, item, choose.choice([0, 1, 1, 2]), tree, names)
    for owner, item in objects(tree, schema()):
        if owner not in ("Scene", *COMMON):  # what has just come
            _add(choose, owner, item, choose.choice([0, 1, 1]), tree, names)
    for owner, item in objects(tree, schema()):
        if choose.random() < (COMMON_BY_SCHEMA if owner in COMMON else BY_SCHEMA):
            fields = [each for each in without_rows(owner) if each[0] not in item]
            if fields:
                key, form = choose.choice(fields)
                item[key] = a_value(choose, form, key)
    if "bit" in _words(tree):
        tree.setdefault("prototypes", {})["bit"] = deepcopy(BIT)


def _add(
    choose: random.Random,
    owner: str,
    item: dict[str, Any],
    count: int,
    tree: dict[str, Any],
    names: list[str],
) -> None:
    """Some fields that an object has not yet."""
    rows = [row for row in rows_of(owner) if row[1] not in item and _may_have(item, row[2])]
    for _, field, when, values in choose.sample(rows, min(count, len(rows))):
        if _may_have(item, when):
            item[field] = _named(choose, deepcopy(choose.choice(values)), tree, names)


def _may_have(item: dict[str, Any], when: str) -> bool:
    return all(_holds(item, condition) for condition in when.split())


def _holds(item: dict[str, Any], condition: str) -> bool:
    key, _, value = condition.partition("=")
    if key.startswith("!"):
        return key[1:] not in item
    return key in item and (not value or item[key] == value)


def _named(choose: random.Random, value: Any, tree: dict[str, Any], names: list[str]) -> Any:
    """A value with the names of the scene's own objects in the places of words in capitals."""
    if isinstance(value, dict):
        return {
            _named(choose, key, tree, names): _named(choose, each, tree, names)
            for key, each in value.items()
        }
    if isinstance(value, list):
        return [_named(choose, each, tree, names) for each in value]
    if isinstance(value, str) and any(word in value for word in ("BODY", "OTHER", "ACTUATOR")):
        moved = [name for name in names if tree["bodies"][name].get("type") == "dynamic"]
        first = (moved or names)[0]
        actuators = [*tree.get("actuators", {}), first]
        value = value.replace("BODY", first).replace("OTHER", "floor")
        return value.replace("ACTUATOR", actuators[0])
    return value


def _words(value: Any) -> Iterator[str]:
    """The texts that are values of ``use``."""
    if isinstance(value, dict):
        if isinstance(value.get("use"), str):
            yield value["use"]
        for each in value.values():
            yield from _words(each)
    elif isinstance(value, list):
        for each in value:
            yield from _words(each)
