# SPDX-License-Identifier: MIT
"""The descriptions of the types of actions: they agree with all that depends on them."""

from __future__ import annotations

from rigid2d.core.scene.blocks.script.action_types import ACTION_TYPES, ActionInput
from rigid2d.core.scene.schema import json_schema
from rigid2d.core.world.script.action_executor import ActionExecutor

from tests.rows import every_row

ELSEWHERE = {"spawn", "end"}
"""Actions that the world executes otherwise than by a method of their name."""


def test_each_type_is_a_field_of_actions() -> None:
    fields = ActionInput.model_fields
    assert [*ACTION_TYPES] == [field.alias or name for name, field in fields.items()]


def test_the_schema_has_each_type() -> None:
    assert [*json_schema()["$defs"]["ActionInput"]["properties"]] == [*ACTION_TYPES]


@every_row("kind", [each for each in ACTION_TYPES if each not in ELSEWHERE])
def test_the_world_executes_each_type(kind) -> None:
    assert callable(getattr(ActionExecutor, f"_{kind}"))
