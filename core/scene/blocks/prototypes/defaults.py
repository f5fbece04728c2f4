# SPDX-License-Identifier: MIT
"""The block ``defaults``: default values of bodies, joints and so on."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

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
    form: ClassVar[str] = "`{body: {friction: 0.3}}`"

    material: Annotated[Any, Custom(_check_default_material, _MATERIAL_SCHEMA)] = about(
        "A material's name for bodies without one, or fields that materials lack."
    )
    body: BodyFields | None = about("Fields for all bodies that do not say them.")
    static: BodyFields | None = about("Fields for all static bodies, over those of `body`.")
    kinematic: BodyFields | None = about("The same for kinematic bodies.")
    dynamic: BodyFields | None = about("The same for dynamic bodies.")
    joint: JointFields | None = about("Fields for all joints that do not say them.")

    def of_types(self) -> dict[str, BodyFields]:
        """The fields for bodies of each type that has its own."""
        each = {"static": self.static, "kinematic": self.kinematic, "dynamic": self.dynamic}
        return {kind: fields for kind, fields in each.items() if fields is not None}


def _build(given: DefaultsInput | None, build_context: BuildContext) -> DefaultsInput | None:
    if given is BROKEN or (given is None and build_context.partial):
        return DefaultsInput.model_construct(**dict.fromkeys(DefaultsInput.model_fields, BROKEN))
    for kind, fields in given.of_types().items() if given is not None else ():
        if fields is not BROKEN and fields.type is not None:
            scope = build_context.scope("defaults", kind)
            message = f"`defaults.{kind}` is for bodies of this type; `type` is theirs to say"
            scope.fail("conflicting-keys", message, "type")
    return given


DEFAULTS = BlockSpec(
    DefaultsInput | None,
    _build,
)
