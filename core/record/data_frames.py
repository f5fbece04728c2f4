# SPDX-License-Identifier: MIT
"""A trace as a table of other libraries: pandas, polars, Arrow.

Each has the columns ``t``, ``step`` and every channel by its full name, and a row for every row of
the trace. Values of objects that do not exist at the time are NaN.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from numpy.typing import NDArray

from ..errors import UsageError

Columns = dict[str, NDArray[Any]]

EXTRA = "tables"


def to_pandas(columns: Columns, meta: Mapping[str, Any]) -> Any:
    """A ``pandas.DataFrame``; its ``attrs`` are ``Trace.meta``."""
    frame = _library("pandas").DataFrame(columns)
    frame.attrs.update(meta)
    return frame


def to_polars(columns: Columns) -> Any:
    """A ``polars.DataFrame``."""
    return _library("polars").DataFrame(columns)


def to_arrow(columns: Columns, meta: Mapping[str, Any]) -> Any:
    """A ``pyarrow.Table``; ``rigid`` of its metadata is ``Trace.meta`` as JSON."""
    table = _library("pyarrow").table(columns)
    return table.replace_schema_metadata({"rigid": json.dumps(meta)})


def need_pandas() -> Any:
    """The library pandas. Raises UsageError where it is missing."""
    return _library("pandas")


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(
            f"{name} is not installed; pip install 'rigid2d[{EXTRA}]' gets it"
        ) from None
