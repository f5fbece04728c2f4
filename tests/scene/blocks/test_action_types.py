# SPDX-License-Identifier: MIT
"""The descriptions of the types of actions: they agree with all that depends on them."""

from __future__ import annotations

from rigid2d.core.scene.blocks.script.action_types import ACTION_TYPES, ActionInput
from rigid2d.core.scene.schema import json_schema
from rigid2d.core.world.script.program.actions import DEEDS

from tests.rows import every_row


def test_each_type_is_a_field_of_actions() -> None:
    fields = ActionInput.model_fields
    assert [*ACTION_TYPES] == [field.alias or name for name, field in fields.items()]


def test_the_schema_has_each_type() -> None:
    assert [*json_schema()["$defs"]["ActionInput"]["properties"]] == [*ACTION_TYPES]


@every_row("kind", ACTION_TYPES)
def test_the_program_has_a_deed_for_each_type(kind) -> None:
    assert kind in DEEDS
