# SPDX-License-Identifier: MIT
"""Rows of the engine's arrays: by name, of one dtype, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from rigid2d.core import _native
from rigid2d.core.world.building.assembly import BODIES
from rigid2d.core.world.building.rows import RowWriter

from tests.rows import every_row

TITLES = sorted(_native.ROWS)


def world() -> _native.World:
    return _native.World(gravity=(0.0, 0.0))


@every_row("title", TITLES)
def test_a_dtype_has_the_fields_that_the_table_shows(title):
    assert set(getattr(_native, title).names) == set(_native.ROWS[title])
    assert all(unit for _, unit, _ in _native.ROWS[title].values())


def test_a_writer_that_lacks_a_field_is_refused_where_it_is_made():
    with pytest.raises(KeyError, match="until"):
        RowWriter("FORCE", {name: float for name in _native.FORCE.names if name != "until"})


def test_a_writer_with_a_field_that_the_engine_lacks_is_refused_where_it_is_made():
    with pytest.raises(KeyError, match="colour"):
        RowWriter("FORCE", dict.fromkeys([*_native.FORCE.names, "colour"], float))


def test_no_bodies_are_no_rows():
    assert BODIES.rows([]).shape == (0,)
    assert world().add_bodies(BODIES.rows([])) == 1


@every_row(
    "rows",
    [
        None,
        [[0.0] * 19],
        np.zeros((1, 19)),
        np.zeros(1, _native.SHAPE),
        np.zeros((1, 1), _native.BODY),
        np.zeros((), _native.BODY),
        np.zeros(4, _native.BODY)[::2],
        np.zeros(1, _native.BODY.newbyteorder()),
        np.frombuffer(bytes(_native.BODY.itemsize + 1), np.uint8)[1:].view(_native.BODY),
    ],
    ids=["none", "list", "floats", "other", "table", "scalar", "strided", "swapped", "shifted"],
)
def test_what_is_no_row_of_bodies_is_refused(rows):
    with pytest.raises((ValueError, TypeError), match=r"BODY|argument"):
        world().add_bodies(rows)


def test_rows_that_may_not_be_written_are_read():
    rows = np.zeros(2, _native.BODY)
    rows["mass"] = 1
    rows.flags.writeable = False
    assert world().add_bodies(rows) == 1


def test_one_wrong_row_leaves_the_world_as_it_was():
    rows = np.zeros(3, _native.BODY)
    rows["mass"][2] = -1
    empty = world()
    with pytest.raises(ValueError, match="body 3: mass"):
        empty.add_bodies(rows)
    assert empty.body_count == 1


def test_flags_are_read_whatever_bits_they_have():
    rows = np.zeros(1, _native.BODY)
    rows["kind"] = _native.BODY_KINDS["dynamic"]
    rows["mass"] = 1
    rows.view(np.uint8)[_native.BODY.fields["awake"][1]] = 7
    one = world()
    one.add_bodies(rows)
    one.step()
    assert one.awake[1] == 1


def unaligned(array: np.ndarray) -> np.ndarray:
    """The same numbers, from an odd byte on."""
    raw = np.zeros(array.nbytes + 1, np.uint8)[1:]
    view = raw.view(array.dtype).reshape(array.shape)
    view[...] = array
    return view


def test_arrays_that_begin_at_an_odd_byte_are_refused():
    one = world()
    rows = np.zeros(1, _native.BODY)
    rows["mass"] = 1
    one.add_bodies(rows)
    shape = np.zeros(1, _native.SHAPE)
    shape["body"], shape["point_count"], shape["radius"] = 1, 1, 0.5
    points = unaligned(np.zeros((1, 2)))
    codes = unaligned(np.zeros((1, 2), np.int32))
    calls = [
        lambda: one.add_shapes(shape, points),
        lambda: one.sample(codes),
        lambda: one.run(1, 1, np.zeros((1, 2), np.int32), unaligned(np.zeros((1, 1)))),
        lambda: one.ignore_pairs(codes),
        lambda: _native.shape_mass(0, points, 0.5, 1.0),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="aligned"):
            call()
