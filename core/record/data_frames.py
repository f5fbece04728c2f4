# SPDX-License-Identifier: MIT
"""A trace as a table of other libraries: pandas, polars, Arrow.

Each has the columns ``t``, ``step`` and every channel by its full name, and a row for every row of
the trace. What is not there yet, or not any more, is NaN.
"""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError

if TYPE_CHECKING:
    from .trace import Trace

EXTRA = "tables"


def to_pandas(trace: Trace) -> Any:
    """A ``pandas.DataFrame``; its ``attrs`` are what ``Trace.meta`` tells."""
    frame = _library("pandas").DataFrame(_columns(trace))
    frame.attrs.update(trace.meta())
    return frame


def to_polars(trace: Trace) -> Any:
    """A ``polars.DataFrame``."""
    return _library("polars").DataFrame(_columns(trace))


def to_arrow(trace: Trace) -> Any:
    """A ``pyarrow.Table``; ``rigid`` of its metadata is what ``Trace.meta`` tells, as JSON."""
    table = _library("pyarrow").table(_columns(trace))
    return table.replace_schema_metadata({"rigid": json.dumps(trace.meta())})


def _columns(trace: Trace) -> dict[str, NDArray[Any]]:
    values = {name: np.ascontiguousarray(column) for name, column in trace.to_dict().items()}
    return {"t": values.pop("t"), "step": trace.steps, **values}


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(f"{name} is not installed; pip install 'rigid[{EXTRA}]' gets it") from None
