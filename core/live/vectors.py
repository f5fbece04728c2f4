# SPDX-License-Identifier: MIT
"""Vectors, free-body diagrams and scale bars of a scene for a live page, which finds them itself
(``run_vectors.js``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import sqrt
from typing import Any

from ..record.channel_units import shown_unit
from ..record.frame import Frame
from ..render.marks.annotation_vectors import LOOKS, VectorLook, look_of, scale_kind
from ..render.marks.thrust import PUSHING
from ..scene.model import Annotation, Joint, Scene
from ..scene.values.vector_names import OF_MOTION, PRESSED, WITH_MASS, VectorName, vector_name

KINDS = ("vector", "free_body", "scale_bar")


def sources_of(each: Annotation, scene: Scene) -> Iterator[str]:
    """The readings that such an annotation needs, besides its own expressions."""
    name = vector_name(each.vector)
    owner = each.body if each.kind == "free_body" else name.owner.partition(".points.")[0]
    if owner not in scene.bodies:
        return
    if each.kind == "free_body" or name.quantity == "weight":
        yield f"{owner}.weight"
    elif name.quantity in WITH_MASS:
        yield f"{owner}.mass"


def watched(scene: Scene) -> list[int]:
    """The slots of bodies whose accelerations are shown."""
    names = [vector_name(each.vector) for each in scene.annotations if each.vector]
    owners = dict.fromkeys(name.owner for name in names if name.quantity in OF_MOTION)
    return [_slot(owner, scene) for owner in owners]


class VectorData:
    """The data of annotations with arrows.

    Args:
        scales: length units per unit of the vectors of ``SCALES``.
        place: the place of a reading.
        followed: the data of what a vector follows.
    """

    def __init__(
        self,
        scene: Scene,
        first: Frame,
        scales: Mapping[str, float],
        place: Callable[[str], int],
        followed: Callable[[str], dict[str, Any]],
    ) -> None:
        self._scene, self._scales, self._place, self._followed = scene, scales, place, followed
        self._centers = first.center.tolist()

    def of(self, each: Annotation) -> dict[str, Any]:
        """That of an annotation of one of ``KINDS``."""
        if each.kind == "scale_bar":
            look = LOOKS[each.scale_bar]
            return {"scale": self._scales[each.scale_bar], "look": self._look(look)}
        components = each.components
        if isinstance(components, str):
            axis: Any = {"slot": _slot(components, self._scene)}
        else:
            axis = None if components is None else {"angle": components}
        data = {"show": each.show, "scale": each.scale, "components": axis, "at": each.at}
        own = self._free_body(each) if each.kind == "free_body" else self._vector(each)
        return data | own

    def _look(self, look: VectorLook) -> dict[str, Any]:
        unit = shown_unit(look.unit, self._scene.units)
        scale = self._scales.get(scale_kind(look.unit), 1.0)
        return {"symbol": look.symbol, "unit": unit, "tone": look.tone, "scale": scale}

    def _vector(self, each: Annotation) -> dict[str, Any]:
        scene = self._scene
        data: dict[str, Any] = {"look": self._look(look_of(each.vector, scene))}
        if not each.vector:
            data["follow"] = None if each.follow is None else self._followed(each.follow)
            return data | {"what": "expressions"}
        name = vector_name(each.vector)
        if name.owner in scene.joints:
            joint = scene.joints[name.owner]
            return data | {"what": "joint", "joint": self._joint(joint, name.other or joint.body_b)}
        return data | self._of_body(name)

    def _of_body(self, name: VectorName) -> dict[str, Any]:
        body, _, point = name.owner.partition(".points.")
        data = self._body(body)
        data["point"] = self._scene.bodies[body].points[point] if point else None
        quantity = name.quantity
        if quantity in PRESSED:
            whole = quantity == "force" and not name.of_contact
            parts = "both" if quantity in ("contact_force", "force") and not whole else "normal"
            parts = "friction" if quantity == "friction_force" else parts
            other = _slot(name.other, self._scene) if name.of_contact else None
            return data | {"what": "pressed", "parts": parts, "other": other, "isWhole": whole}
        if quantity == "weight":
            return data | {"what": "weight", **self._weight(body)}
        mass = self._place(f"{body}.mass") if quantity in WITH_MASS else -1
        return data | {"what": "motion" if quantity in OF_MOTION else "velocity", "mass": mass}

    def _body(self, name: str) -> dict[str, Any]:
        slot = _slot(name, self._scene)
        return {"body": slot, "center": self._centers[slot - 1]}

    def _weight(self, name: str) -> dict[str, Any]:
        """The direction of a weight, and the place of its size."""
        body, (gx, gy) = self._scene.bodies[name], self._scene.world.gravity
        size = sqrt(gx * gx + gy * gy)
        if not size > 0.0 or body.kind != "dynamic":
            return {"weight": [0.0, 0.0], "weighs": -1}
        size = -size if body.gravity_scale < 0.0 else size
        return {"weight": [gx / size, gy / size], "weighs": self._place(f"{name}.weight")}

    def _joint(self, joint: Joint, body: str) -> dict[str, Any]:
        first = joint.body_a == body
        return {
            "name": joint.name,
            "row": [*self._scene.joints].index(joint.name),
            "body": _slot(body, self._scene),
            "anchor": joint.anchor_a if first else joint.anchor_b,
            "isFirst": first,
        }

    def _free_body(self, each: Annotation) -> dict[str, Any]:
        scene, name = self._scene, each.body
        acting = [joint for joint in scene.joints.values() if name in (joint.body_a, joint.body_b)]
        tones = {"weight": "weight", "normal": "normal_force", "friction": "friction_force"}
        looks = {key: self._look(LOOKS[quantity]) for key, quantity in tones.items()}
        return {
            **self._body(name),
            **self._weight(name),
            "looks": looks | {"joint": self._look(LOOKS["force"])},
            "joints": [self._joint(joint, name) for joint in acting],
            "pushes": [*self._pushes(name)],
            "names": dict(enumerate(scene.bodies, 1)),
        }

    def _pushes(self, name: str) -> Iterator[dict[str, Any]]:
        for row, each in enumerate(self._scene.actuators.values()):
            if each.kind in PUSHING and name in each.bodies:
                yield {
                    "name": each.name,
                    "actuator": row,
                    "force": each.force,
                    "point": each.at,
                    "turns": each.kind == "thruster",
                }


def _slot(name: str, scene: Scene) -> int:
    """The slot of a body of a live page; that of the world is 0."""
    names: Sequence[str] = [*scene.bodies]
    return 0 if name == "world" else names.index(name) + 1
