# SPDX-License-Identifier: MIT
"""Examples for the fields of a scene, for editors, from their kinds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from .blocks.table import BLOCKS

Schema = Mapping[str, Any]

HEAD = {
    "rigid": "1",
    "name": "A falling ball",
    "description": "A ball falls on the floor and comes to rest.",
    "tags": "[collisions]",
    "include": "[common/materials.yaml]",
    "units": "si",
    "vars": "{n: 5, size: 0.5}",
}
"""Of each key of the top level that is no block, as YAML."""

_TOP = {**HEAD, **{block.key: block.example for block in BLOCKS if block.example}}

WORDS = {
    "path": "M 0 0 C 1 2 3 2 4 0",
    "text": "{ball.speed:.1f} m/s",
    "image": "hills.png",
    "file": "parts/car.yaml",
    "sheet": "walk.png",
    "key": "up",
    "joint": "hinge",
    "material": "rubber",
    "category": "player",
    "use": "wheel",
    "play": "wave",
    "stop": "wave",
    "log": "the ball fell",
    "sound": "ding",
    "detach": "rope",
    "target": "ball",
    "follow": "ball",
    "at": "$point",
    "sum": "rear",
}
"""Of texts, by the keys of fields; what is not here is the name of a body."""


VALUES: Mapping[str, Any] = {
    # numbers
    **dict.fromkeys(("linear_damping", "angular_damping", "amplitude"), 0.1),
    **dict.fromkeys(("friction", "rolling_friction"), 0.4),
    **dict.fromkeys(("scale", "opacity", "parallax", "volume", "gravity_scale"), 0.5),
    **dict.fromkeys(("circle", "radius", "cooldown", "every", "life", "damping_ratio"), 0.5),
    **dict.fromkeys(("density", "tangent_speed", "zoom", "mass"), 2),
    "angle": 30,
    "dt": 0.01,
    "duration": 5,
    "fps": 30,
    "frequency": 4,
    "lifetime": 3,
    "max_force": 200,
    "max_torque": 50,
    "rate": 100,
    "restitution": 0.6,
    "rolling_resistance": 0.01,
    "seed": 7,
    "SpringInput.stiffness": 100,
    "spread": 20,
    "tolerance": 0.01,
    "WorldInput.gravity": [0, -1.62],
    "WorldInput.steps": 300,
    "RecordInput.every": 2,
    "MotorInput.position": 45,
    # places and motions
    "box": [2, 1],
    "capsule": [[0, 0], [1, 0]],
    "segment": [[0, 0], [4, 1]],
    "chain": [[-5, 1], [0, 0], [5, 1]],
    "polygon": [[0, 0], [2, 0], [0, 1]],
    "holes": [[[0.2, 0.2], [0.6, 0.2], [0.2, 0.4]]],
    "clip": [[[0, 0], [2, 0], [0, 1]]],
    "ground_anchors": [[-1, 4], [1, 4]],
    "force": [0, 20],
    "BreakInput.force": 500,
    "anchor": [0, 1],
    "anchors": [[0, 1], [0, 0]],
    "axis": [1, 0],
    "bounds": [[-10, -2], [10, 12]],
    "limits": [-45, 45],
    "normal": [0, 1],
    "position": [0, 2],
    "radii": [0.5, 1],
    "range": [0, 10],
    "rect": [[-5, 0], [5, 6]],
    "region": [[-5, -3], [5, 0]],
    "velocity": [2, 0],
    # colours, files and words
    "color": "tomato",
    "outline": "black",
    "tint": "lightblue",
    "RenderInput.background": "#202428",
    "color_key": "white",
    "font": "letters.ttf",
    "texture": "crate.png",
    "TextureInput.scene": "pong.yaml",
    "tags": ["red"],
    "categories": ["player", "coin"],
    "CollisionInput.ignore": [["player", "coin"]],
    "CollisionInput.collide": [["player", "ground"]],
    "label": "weight",
    "unit": "m",
    "x_label": "place",
    "x_unit": "m",
    "VariantInput.name": "smooth",
    "UnitsInput.angle": "rad",
    "colors": ["yellow", "red"],
    # names of objects
    **dict.fromkeys(("AttachInput.name", "CopyInput.name"), "link"),
    **dict.fromkeys(("SpawnInput.name", "SpawnerInput.name"), "drop"),
    **dict.fromkeys(("CopyInput.what", "MoveInput.what"), "crate"),
    "CopyInput.to": [3, 1],
    "MoveInput.to": [3, 1],
    "JointFields.bodies": ["crate", "ball"],
    "JointInput.bodies": ["crate", "ball"],
    "BodyInput.overrides": {"2": {"color": "tomato"}},
    "InstanceInput.overrides": {"2": {"color": "tomato"}},
    "JointInput.overrides": {"2": {"length": 3}},
    "ActuatorInput.overrides": {"2": {"enabled": False}},
    "ProbeInput.overrides": {"2": {"only": "ball"}},
    "pairs_ignore": [["crate", "ball"]],
    "tracks": {"arm.motor.position": [[0, 0], [1, 45]]},
    "AttachInput.joint": {"type": "distance", "bodies": ["$a", "$b"]},
    "PrototypeInput.bodies": {"rim": {"shape": {"circle": 0.5}}},
    "PrototypeInput.joints": {"hub": {"type": "revolute", "bodies": ["frame", "rim"]}},
    "PrototypeInput.actuators": {"jet": {"type": "thruster", "body": "frame", "force": [0, 20]}},
    "ActionInput.delete": "coin",
    "ActionInput.add": {"score": 1},
    "along": ["left", "right"],
    "EmitterInput.while": "jet",
    "EventInput.actuator": "jet",
    "ControlInput.hold": "jet",
    "dimension": ["ball", "wall"],
    "vector": "ball.velocity",
    "InstanceInput.controls": {"up": "w"},
    "JointFields.joints": ["left", "right"],
    "JointInput.joints": ["left", "right"],
    "constraint": "bead_on_wire",
    "numbers": {"radius": 2},
    "BodyFields.points": {"tip": [1, 0]},
    "BodyInput.points": {"tip": [1, 0]},
    "tip": "hand.points.grip",
    "ReachInput.target": "mouse",
    "ReachInput.joints": ["elbow", "shoulder"],
    "InstanceInput.vars": {"size": 0.5},
    "SpawnInput.vars": {"size": 0.5},
    "SpawnerInput.vars": {"size": 0.5},
    # expressions
    "plot": "ball.y",
    "AnnotationInput.x": "ball.x",
    "AnnotationInput.y": "ball.y",
    "AnnotationInput.while": "=ball.speed > 1",
    "mirror_while": "=hero.vx < 0",
    "CollectInput.end": "=ball.x",
    **dict.fromkeys((f"CollectInput.{word}" for word in ("max", "min", "mean")), "=ball.y"),
    **dict.fromkeys((f"CollectInput.{word}" for word in ("first", "last", "count")), "=ball.y < 1"),
    "CollectInput.integral": "=ball.speed",
    **dict.fromkeys(("if", "unless"), "=ball.speed > 3"),
    **dict.fromkeys(("that", "always", "eventually"), "=ball.y > 0"),
    "win": "=score >= 3",
    "lose": "=ball.y < -5",
    "StudyInput.until": "=ball.x > 10",
    "StudyInput.vary": {"vars.angle": [15, 30, 45]},
    "StudyInput.collect": {"reach": "=ball.x"},
    "observe": ["cart.x", "pole.angle"],
    "act": {"push.force.x": [-10, 10]},
    "TaskInput.start": {"pole.angle": "=uniform(-5, 5)"},
    "reward": "=cart.x",
}
"""By keys of fields, or by the model and the key where keys of several models differ."""


_NAMES = {
    "animations": "wave",
    "controls": "up",
    "instances": "front",
    "particles": "flame",
    "pools": "lake",
    "spawners": "rain",
}
"""Of objects in a mapping, by its key; what is not here is a ball."""


class Examples:
    """Makes examples for the fields of a schema.

    ``forms`` are examples of whole models, as YAML, by their names.
    """

    def __init__(self, definitions: Mapping[str, Any], forms: Mapping[str, str]) -> None:
        self.definitions = definitions
        self.forms = forms

    def give(self) -> None:
        """Put one or more into every field."""
        for name, definition in self.definitions.items():
            for key, field in definition.get("properties", {}).items():
                if name == "SceneInput" and key in _TOP:
                    field["examples"] = [yaml.safe_load(_TOP[key])]
                elif (found := VALUES.get(f"{name}.{key}", VALUES.get(key))) is not None:
                    field["examples"] = [found]
                elif "examples" not in field:
                    field["examples"] = [self.of(field, key)]
            if "properties" in definition and name != "SceneInput":
                definition["examples"] = [self.of_model(name)]

    def of_model(self, name: str) -> Any:
        """Return an example of a model: a known one, or its required fields and its first field."""
        known = yaml.safe_load(self.forms.get(name, ""))
        if isinstance(known, dict):  # a form may be a short one
            return known
        definition = self.definitions[name]
        fields = definition["properties"]
        choices = definition.get("oneOf", [{}])[0]
        wanted = [*definition.get("required", ()), *choices.get("required", ())] or [*fields][:1]
        return {key: self.of(fields[key], key) for key in wanted}

    def of(self, field: Schema, key: str) -> Any:
        """Return an example value of a field."""
        if "examples" in field:
            return field["examples"][0]
        if "$ref" in field:
            return self.of_model(field["$ref"].rpartition("/")[2])
        if set(field) == {"model"}:
            return self.of_model(field["model"])
        if "const" in field or "enum" in field:
            return field["const"] if "const" in field else field["enum"][0]
        if "anyOf" in field:
            return self.of(field["anyOf"][0], key)
        kind = field.get("type", "string")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind == "object":
            return self._mapping(field, key)
        if kind == "array":
            most = field.get("maxItems", 1)
            count = max(field.get("minItems", 1), min(1, most))
            return [self.of(field.get("items", {"type": "number"}), key) for _ in range(count)]
        if kind in ("number", "integer"):
            return _number(field)
        if kind == "boolean":
            return True
        return "=i" if field.get("pattern") else WORDS.get(key, "ball")

    def _mapping(self, field: Schema, key: str) -> dict[str, Any]:
        if "properties" in field:
            required = field.get("required") or field.get("oneOf", [{}])[0].get("required", ())
            return {name: self.of(field["properties"][name], name) for name in required}
        if key in ("set", "on_release"):
            return {"jet.force": [0, 20]}
        inner = field.get("additionalProperties")
        names = {"vars": "size", "repeat": "i", **_NAMES}
        value = self.of(inner, key) if isinstance(inner, dict) and inner else 1
        return {names.get(key, "ball"): value}


def _number(field: Schema) -> float:
    """Return 1, or the nearest allowed number."""
    value = max(field.get("minimum", 1), 1)
    return float(min(value, field["maximum"])) if "maximum" in field else value
