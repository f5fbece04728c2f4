# SPDX-License-Identifier: MIT
"""The input models of a whole file, and of additions to a running world."""

from __future__ import annotations

from typing import ClassVar

from ..values.fields import Input, about
from .actuators.models import ActuatorInput
from .bodies.models import BodyInput
from .joints.types import JointInput
from .prototypes.instances import InstanceInput
from .table import Head, whole_model

SceneInput: type[Head] = whole_model()
"""The model of a whole file."""


class FragmentInput(Input):
    """An addition to a running world."""

    hints: ClassVar[dict[str, str]] = {
        **dict.fromkeys(
            ("vars", "materials", "defaults", "units", "world", "collision", "prototypes"),
            "those of the scene hold for what is added",
        ),
    }
    bodies: dict[str, BodyInput] | None = about(
        "Bodies by name, which are added to a running world."
    )
    joints: dict[str, JointInput] | None = about(
        "Joints by name, between these and bodies that are there."
    )
    actuators: dict[str, ActuatorInput] | None = about(
        "Actuators by name, of these and of bodies that are there."
    )
    instances: dict[str, InstanceInput] | None = about("Instances of the scene's prototypes.")
