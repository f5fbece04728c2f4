# SPDX-License-Identifier: MIT
"""Rows of the engine's arrays, by the names of their fields.

The engine defines the fields (``_native.ROWS``); this module converts objects of a scene
to rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from ... import _native

Rows = NDArray[np.void]
Item = TypeVar("Item")


class RowWriter(Generic[Item]):
    """The conversion of objects to rows of one dtype, field by field.

    A missing field, or a field that the engine does not have, raises KeyError when the writer is
    made, which is at the import of its module.

    Attributes:
        title: the name of the dtype, such as ``BODY``.
    """

    def __init__(self, title: str, fields: Mapping[str, Callable[[Item], Any]]) -> None:
        known = _native.ROWS[title]
        wrong = sorted(known.keys() ^ fields.keys())
        if wrong:
            raise KeyError(f"rows of {title} lack, or do not have: {', '.join(wrong)}")
        self.title = title
        self._dtype: np.dtype[np.void] = getattr(_native, title)
        self._fields = dict(fields)

    def rows(self, objects: Iterable[Item]) -> Rows:
        """One row for each object, [objects]."""
        objects = list(objects)
        rows = np.empty(len(objects), self._dtype)
        if not objects:
            return rows
        for name, take in self._fields.items():
            rows[name] = [take(item) for item in objects]
        return rows


def row_bytes(rows: Rows) -> bytes:
    """Rows as the engine has them in memory, with zeros between their fields."""
    clean = np.zeros(len(rows), rows.dtype)
    for name in rows.dtype.names or ():
        clean[name] = rows[name]
    return clean.tobytes()


def joined(*parts: Rows) -> Rows:
    """Rows of one dtype one after the other; unlike ``np.concatenate`` with the dtype's padding."""
    whole = np.empty(sum(map(len, parts)), parts[0].dtype)
    at = 0
    for part in parts:
        whole[at : at + len(part)] = part
        at += len(part)
    return whole


def default_fields(title: str) -> dict[str, Callable[[Any], Any]]:
    """The engine's default value of each field of a dtype."""
    return {name: _constant(value) for name, (value, _, _) in _native.ROWS[title].items()}


def _constant(value: float) -> Callable[[Any], float]:
    return lambda _item: value


def columns(rows: Rows, *names: str) -> NDArray[Any]:
    """[rows, names] the named fields side by side."""
    return np.stack([rows[name] for name in names], axis=1)
