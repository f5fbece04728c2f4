"""The whole file: its blocks in the order of the reference."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar

from pydantic import create_model

from .. import limits
from ..building.block import Block
from ..values.context import Context, Wrong
from ..values.fields import Input, Words, about
from ..values.kinds import Custom, ListOf, Text, show
from .actuator_models import ActuatorInput
from .actuators import ACTUATORS
from .animations import ANIMATIONS
from .annotations import ANNOTATIONS
from .bodies import BODIES
from .body_models import BodyInput
from .camera import CAMERA
from .collision import COLLISION
from .compare import COMPARE
from .controls import CONTROLS
from .defaults import DEFAULTS
from .events import EVENTS
from .expect import EXPECT
from .groups import GROUPS
from .inputs import INPUTS
from .instances import INSTANCES, InstanceInput
from .joint_models import JointInput
from .joints import JOINTS
from .layers import LAYERS, MINIMAP
from .materials import MATERIALS
from .particles import PARTICLES
from .prototypes import PROTOTYPES
from .record import RECORD
from .render import RENDER
from .spawners import SPAWNERS
from .state import OUTCOME, STATE
from .study import STUDY
from .task import TASK
from .variables import UnitsField, VarsField
from .world import WORLD

FORMAT_VERSION = 1


def _check_version(value: Any, context: Context) -> Any:
    if value == FORMAT_VERSION and not isinstance(value, bool):
        return value
    raise Wrong("unsupported", f"the format's version must be 1 (`rigid: 1`), not {show(value)}")


BLOCKS = (
    WORLD,
    MATERIALS,
    DEFAULTS,
    COLLISION,
    BODIES,
    JOINTS,
    ACTUATORS,
    PROTOTYPES,
    INSTANCES,
    GROUPS,
    ANIMATIONS,
    CONTROLS,
    STATE,
    INPUTS,
    EVENTS,
    SPAWNERS,
    OUTCOME,
    CAMERA,
    RENDER,
    LAYERS,
    MINIMAP,
    PARTICLES,
    ANNOTATIONS,
    COMPARE,
    RECORD,
    EXPECT,
    TASK,
    STUDY,
)
"""All blocks but those that must be known before the others can be checked."""


class Head(Input):
    """What stands beside the blocks; vars, units and include are read before all others."""

    hints: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("gravity", "dt", "duration", "solver"), "it belongs in `world: {...}`"),
        **dict.fromkeys(("overlays", "size", "fps", "theme"), "it belongs in `render: {...}`"),
        "constraints": "they are `joints`",
        "forces": "they are `actuators`",
        "motors": "a joint has a `motor: {...}`; what turns a body by itself is one of `actuators`",
    }
    rigid: Annotated[Any, Custom(_check_version, {"const": 1})] = about(
        "The format's version, always 1."
    )  # the loader asks for it
    name: Annotated[str | None, Text("a text")] = about("A title, shown in the gallery.")
    description: Annotated[str | None, Text("a text")] = about("What the scene shows.")
    tags: Words = about("Words to find the scene by.")
    include: Annotated[Any, ListOf(Text("a file name"), "a list of files", 0, limits.INCLUDES)] = (
        about("Scene files that are merged first; definitions here win over theirs.")
    )
    units: UnitsField = about("si (default), screen, or the long form.")
    vars: VarsField = about("Numbers with names, for expressions; `--set vars.n=7` overrides one.")


def _field(block: Block) -> tuple[Any, Any]:
    return (block.given, about(block.about))


SceneInput: type[Head] = create_model(
    "SceneInput",
    __base__=Head,
    **{block.key: _field(block) for block in BLOCKS},  # type: ignore[call-overload]
)
"""The model of a whole file."""

_FIRST: list[type[Head]] = []


def model_of(keys: Iterable[str]) -> type[Head]:
    """The model of a file with these keys at its top.

    To prepare that of all blocks takes longer than to read a small scene; so that of the first
    file that is read knows the blocks of that alone, and serves those that have no others.
    """
    own = {key: key in SceneInput.model_fields for key in keys}
    if not all(own.values()):
        return SceneInput
    if not _FIRST:
        model = create_model(
            "FirstSceneInput",
            __base__=Head,
            **{block.key: _field(block) for block in BLOCKS if block.key in own},  # type: ignore[call-overload]
        )
        for block in BLOCKS:
            if block.key not in own:
                setattr(model, block.key, None)
        _FIRST.append(model)
    return _FIRST[0] if own.keys() <= _FIRST[0].model_fields.keys() else SceneInput


NAMED = ("vars", *(block.key for block in BLOCKS if block.named))
"""The sections whose entries have names that others refer to."""
REPEATED = tuple(block.key for block in BLOCKS if block.repeated)
"""The sections whose entries may be generators."""
GROWING = tuple(block.key for block in BLOCKS if block.grows)
"""The lists that grow when files are merged; everything else is replaced."""


class FragmentInput(Input):
    """What is added to a running world."""

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
