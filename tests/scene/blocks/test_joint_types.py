# SPDX-License-Identifier: MIT
"""The descriptions of the types of joints: they agree with all that depends on them."""

from __future__ import annotations

import pytest
from rigid2d.core import _native
from rigid2d.core.render.objects.joints import DRAWINGS
from rigid2d.core.scene.blocks.actuators.models import KINDS as ACTUATORS
from rigid2d.core.scene.blocks.joints.spec import Column
from rigid2d.core.scene.blocks.joints.types import JOINT_TYPES, JointFields
from rigid2d.core.scene.blocks.placement import Placement
from rigid2d.core.scene.blocks.placing.attached_joints import placed_joint
from rigid2d.core.scene.model import Joint
from rigid2d.core.scene.schema import json_schema
from rigid2d.core.scene.values.fields import of_types
from rigid2d.core.world.building.joint_rows import JOINTS

from tests.rows import every_row

SPECS = [*JOINT_TYPES.values()]


@every_row("spec", SPECS, ids=lambda spec: spec.name)
def test_each_option_is_a_field_of_this_type(spec) -> None:
    only = of_types(JointFields)
    assert {*spec.options, *spec.columns} == {key for key, of in only.items() if spec.name in of}


def test_each_field_of_some_types_alone_is_an_option_of_one() -> None:
    assert all(of and {*of} <= {*JOINT_TYPES} for of in of_types(JointFields).values())


def test_each_type_is_drawn_and_each_drawing_is_used() -> None:
    assert {spec.drawing for spec in SPECS} == {*DRAWINGS}


def test_the_engine_has_each_type_and_no_other_joints() -> None:
    kinds = {spec.engine or spec.name for spec in SPECS}
    assert kinds == {*_native.JOINT_KINDS} - {*ACTUATORS}


def test_the_schema_has_each_type() -> None:
    types = json_schema()["$defs"]["JointInput"]["properties"]["type"]
    assert types["enum"] == [*JOINT_TYPES]


@every_row("spec", SPECS, ids=lambda spec: spec.name)
def test_columns_are_those_of_the_engine(spec) -> None:
    assert {*spec.row, *spec.columns} <= {*_native.ROWS["JOINT"]}
    assert not {*spec.columns} & {*Joint.__dataclass_fields__}


def test_what_aliases_stand_for_is_clear() -> None:
    aliases = [alias for spec in SPECS for alias in spec.aliases]
    assert len(aliases) == len({*aliases} - {*JOINT_TYPES})


def test_every_column_of_the_engine_is_written() -> None:
    assert {*JOINTS._fields} == {*_native.ROWS["JOINT"]}


@pytest.mark.parametrize(
    ("measures", "copied"), [("number", 3.0), ("length", 6.0), ("angle", -3.0)]
)
def test_a_column_is_placed_by_what_it_measures(measures, copied) -> None:
    place = Placement(scale=2.0, mirror="x")
    assert Column(default=0.0, measures=measures).placed(3.0, place) == copied


def test_an_attached_pulley_without_wheels_stays_without() -> None:
    joint = {"type": "pulley", "bodies": ["a", "b"]}
    assert placed_joint(joint, Placement(mirror="x"), lambda name: f"p.{name}") == {
        "type": "pulley",
        "bodies": ["p.a", "p.b"],
    }
