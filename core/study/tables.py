"""The columns of a study's table, by pyarrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import UsageError
from ..scene.study_model import Axis, Collect, Study
from ..scene.text.flow import flow

MISSING = (
    "studies need pyarrow, which is not installed; pip install 'rigid[study]' gets it, and scipy "
    "and matplotlib for Sobol's samples and plots"
)


def need_pyarrow() -> Any:
    """pyarrow, with its Parquet. Raises UsageError where it is missing."""
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError:
        raise UsageError(MISSING) from None
    return pa


def axis_type(axis: Axis) -> str:
    """The type of an axis's column: what all its values are, or text."""
    if axis.kind == "randint":
        return "int64"
    if not axis.values:
        return "float64"
    kinds = {type(value) for value in axis.values}
    if kinds == {bool}:
        return "bool"
    if kinds == {int}:
        return "int64"
    return "float64" if kinds <= {int, float} else "string"


def collect_type(collect: Collect) -> str:
    """The type of a collected column."""
    if collect.kind == "outcome":
        return "string"
    if collect.kind == "count":
        return "int64"
    return "bool" if collect.is_truth else "float64"


OWN = (("status", "string"), ("message", "string"), ("hash", "string"))
"""The columns that every table has behind what was collected."""


def parameters(study: Study) -> list[tuple[str, str]]:
    """The columns of what is varied: names and types."""
    return [(axis.path, axis_type(axis)) for axis in study.axes]


def collected(study: Study) -> list[tuple[str, str]]:
    """The columns of what is collected: names and types."""
    return [(each.name, collect_type(each)) for each in study.collect]


def column(values: Sequence[Any], kind: str) -> Any:
    """An array of one of the types above; None is nothing."""
    pa = need_pyarrow()
    if kind == "string":
        values = [each if each is None or isinstance(each, str) else flow(each) for each in values]
    elif kind == "float64":
        values = [None if each is None else float(each) for each in values]
    return pa.array(values, type=getattr(pa, "bool_" if kind == "bool" else kind)())


def table(columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[Any]]) -> Any:
    """A table of rows."""
    pa = need_pyarrow()
    turned = list(zip(*rows, strict=True)) if rows else [()] * len(columns)
    arrays = [column(values, kind) for values, (_, kind) in zip(turned, columns, strict=True)]
    return pa.table(arrays, names=[name for name, _ in columns])
