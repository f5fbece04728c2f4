# SPDX-License-Identifier: MIT
"""The input models of prototypes."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from ...values.context import Context
from ...values.fields import Input, about
from ...values.kinds import Custom, Text
from ..actuators.models import ActuatorInput
from ..bodies.collision import CollisionInput
from ..bodies.materials import MaterialInput
from ..bodies.models import BodyInput
from ..joints.types import JointInput
from ..picture.particles import EmitterInput
from ..script.controls import ControlsField
from ..script.events import EventInput
from ..script.spawners import SpawnerInput
from ..settings.animations import AnimationInput
from ..variables import UnitsField, VarsField
from .defaults import DefaultsInput
from .instances import InstanceInput


def _pass(value: Any, context: Context) -> Any:
    return value


TREES = dict[str, Annotated[Any, Custom(_pass, {"model": "PrototypeInput"})]] | None
"""Prototypes as they are written: each is checked with the vars of each instance."""


class PrototypeInput(Input):
    hints: ClassVar[dict[str, str]] = {
        **dict.fromkeys(
            ("materials", "defaults", "collision", "world", "inputs", "outcome"),
            "the scene's own holds",
        ),
        "state": "the state variables of the scene are those of all its prototypes",
        "groups": "they are of the scene; its own bodies a prototype knows by name",
    }
    file: Annotated[str | None, Text("a file name")] = about(
        "A scene file that is the prototype as a whole."
    )
    vars: VarsField = about("Numbers with names, which instances may give other values.")
    bodies: dict[str, BodyInput] | None = about("Bodies by name, in the prototype's coordinates.")
    joints: dict[str, JointInput] | None = about(
        "Joints by name, between these bodies and `world`."
    )
    actuators: dict[str, ActuatorInput] | None = about("Forces on these bodies, by name.")
    instances: dict[str, InstanceInput] | None = about("Instances of other prototypes, by name.")
    animations: dict[str, AnimationInput] | None = about("Set-points over time of these objects.")
    controls: ControlsField = about("Actions of keys on these objects.")
    events: list[EventInput] | None = about("Actions on events of these objects.")
    spawners: dict[str, SpawnerInput] | None = about("Repeated births of prototypes.")
    particles: dict[str, EmitterInput] | None = about("Sparks and flames that leave these bodies.")


class PrototypeFileInput(PrototypeInput):
    """A whole file, without the blocks for the run and its look."""

    units: UnitsField = about("Must be those of the scene.")
    materials: dict[str, MaterialInput] | None = about("Materials by name.")
    defaults: DefaultsInput | None = about("Default values of these objects.")
    collision: CollisionInput | None = about("Its `pairs_ignore`; the rest is the scene's.")
    prototypes: TREES = about("Prototypes by name.")
