# SPDX-License-Identifier: MIT
"""Foreign files made from their contents, and stand-ins for spaces of pymunk."""

from __future__ import annotations

import json
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rigid2d.core.importers import Import, import_data

ALL = 0xFFFFFFFF


def xman(folder: Path | None = None, **lists: Any) -> Import:
    """A scene of document 000's engine from its lists: ``xman(Bodies=[...], Joints=[...])``."""
    return import_data(json.dumps(lists), "xmanphysics", file="given.json", folder=folder)


def box2d(body: list[Any], joint: Any = (), folder: Path | None = None, **world: Any) -> Import:
    """A Box2D world from its bodies and joints."""
    given = {"gravity": {"x": 0, "y": -10}, "body": body, "joint": list(joint), **world}
    return import_data(json.dumps(given), "box2d-json", file="given.json", folder=folder)


def rube(folder: Path | None = None, **meta: Any) -> Import:
    """A project of R.U.B.E. from what stands under its ``metaworld``."""
    text = json.dumps({"metaworld": meta})
    return import_data(text, "rube", file="given.rube", folder=folder)


def tiled(*objects: Any, **layer: Any) -> Import:
    """A map of Tiled with one layer of objects."""
    layers = [{"type": "objectgroup", "name": "objects", "objects": list(objects), **layer}]
    return tiled_map(layers)


def tiled_map(layers: list[Any], folder: Path | None = None, **fields: Any) -> Import:
    """A map of Tiled from its layers."""
    given = {"orientation": "orthogonal", "layers": layers, **fields}
    return import_data(json.dumps(given), "tiled", file="given.tmj", folder=folder)


def svg(inside: str, folder: Path | None = None, **attributes: str) -> Import:
    """A drawing from what stands inside of its `<svg>`."""
    said = "".join(f" {name}='{value}'" for name, value in attributes.items())
    space = "xmlns='http://www.w3.org/2000/svg'"
    return import_data(
        f"<svg {space}{said}>\n{inside}\n</svg>", "svg", file="given.svg", folder=folder
    )


def body(kind=0, **fields):
    usual = {
        "body_type": kind,
        "position": (0, 0),
        "angle": 0.0,
        "velocity": (0, 0),
        "angular_velocity": 0.0,
        "mass": 1.0,
        "moment": 0.5,
        "center_of_gravity": (0, 0),
    }
    return SimpleNamespace(**usual | fields)


class Circle(SimpleNamespace):
    pass


class Segment(SimpleNamespace):
    pass


class Poly(SimpleNamespace):
    def get_vertices(self):
        return self.points


class Blob(SimpleNamespace):
    pass


def shape(kind, owner, **fields):
    filters = SimpleNamespace(categories=ALL, mask=ALL, group=0)
    usual = {
        "body": owner,
        "friction": 0.5,
        "elasticity": 0.0,
        "filter": filters,
        "sensor": False,
        "radius": 0,
    }
    return kind(**usual | fields)


def space(bodies, shapes, constraints=(), **fields):
    usual = {"gravity": (0, -9.81), "damping": 1.0, "static_body": body(2)}
    return SimpleNamespace(
        bodies=bodies, shapes=shapes, constraints=list(constraints), **usual | fields
    )


def constraint(name, a, b, **fields):
    usual = {"a": a, "b": b, "anchor_a": (0, 0), "anchor_b": (0, 0), "max_force": math.inf}
    return type(name, (SimpleNamespace,), {})(**usual | fields)


def pair():
    a, b = body(position=(0, 0)), body(position=(2, 0))
    return a, b, [shape(Circle, each, radius=0.5, offset=(0, 0)) for each in (a, b)]
