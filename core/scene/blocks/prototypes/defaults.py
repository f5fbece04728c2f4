# SPDX-License-Identifier: MIT
"""The block ``defaults``: default values of bodies, joints and so on."""

from __future__ import annotations

from typing import Annotated, Any

from ...building.block import BlockSpec, BuildContext
from ...values.broken import BROKEN
from ...values.context import Context
from ...values.fields import Input, about
from ...values.kinds import Custom
from ...values.names import Name
from ..bodies.models import BodyFields
from ..joints.types import JointFields


def _check_default_material(value: Any, context: Context) -> Any:
    if isinstance(value, dict):
        return value
    return Name("the name of a material, or a mapping of what materials do not say").check(
        value, context
    )


_MATERIAL_SCHEMA = {"anyOf": [{"type": "string"}, {"model": "MaterialInput"}]}


class DefaultsInput(Input):
    material: Annotated[Any, Custom(_check_default_material, _MATERIAL_SCHEMA)] = about(
        "A material's name for bodies without one, or fields that materials lack."
    )
    body: BodyFields | None = about("Fields for all bodies that do not say them.")
    joint: JointFields | None = about("Fields for all joints that do not say them.")


def _build(given: DefaultsInput | None, build_context: BuildContext) -> DefaultsInput | None:
    if given is BROKEN or (given is None and build_context.partial):
        return DefaultsInput.model_construct(**dict.fromkeys(DefaultsInput.model_fields, BROKEN))
    return given


DEFAULTS = BlockSpec(
    DefaultsInput | None,
    _build,
)
