# SPDX-License-Identifier: MIT
"""The columns of a study's table, by pyarrow."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..scene.study_model import Axis, Collect, Study
from ..scene.text.flow import flow


def need_pyarrow(who: str = "studies need") -> Any:
    """Return pyarrow with its Parquet. Raises UsageError for ``who`` if it is missing."""
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError:
        raise UsageError(
            f"{who} pyarrow, which is not installed; pip install 'rigid2d[study]' gets it"
        ) from None
    return pa


def axis_type(axis: Axis) -> str:
    """Return the type of an axis's column: that of all its values, or text."""
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
    """Return the columns of varied values: names and types."""
    return [(axis.path, axis_type(axis)) for axis in study.axes]


def collected(study: Study) -> list[tuple[str, str]]:
    """Return the columns of collected values: names and types."""
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


ROW_GROUP = 1 << 16


class DamagedError(Exception):
    """A file that is not the expected table."""


def as_parquet(rows: Any) -> memoryview:
    """A table as a Parquet file, whose pages have sums by which damage is found."""
    pa = need_pyarrow()
    sink = pa.BufferOutputStream()
    pa.parquet.write_table(rows, sink, row_group_size=ROW_GROUP, write_page_checksum=True)
    return memoryview(sink.getvalue())


def read_parquet(
    path: Path,
    wanted: Sequence[tuple[str, str]] | None = None,
    most: int | None = None,
    only: Sequence[str] | None = None,
) -> Any:
    """The table of a file.

    Args:
        path: the file.
        wanted: the columns that it must have, and no others.
        most: so many rows it may have.
        only: the columns that are read, all by default.

    Raises DamagedError where it is no such table.
    """
    pa = need_pyarrow()
    try:
        if not path.is_file():  # a pipe would be waited for
            raise DamagedError("it is no file")
        with path.open("rb") as stream:
            # Its claims are checked before memory is allocated.
            file = pa.parquet.ParquetFile(stream, page_checksum_verification=True)
            if most is not None and file.metadata.num_rows > most:
                raise DamagedError(f"it has more than {most:,} rows")
            if wanted is not None:
                _check_columns(file.schema_arrow, wanted)
            found = file.read(columns=None if only is None else [*only])
            found.validate(full=True)
    except (pa.ArrowException, OSError, ValueError, LookupError, TypeError, MemoryError) as error:
        raise DamagedError(str(error) or type(error).__name__) from None
    return found


def _check_columns(schema: Any, wanted: Sequence[tuple[str, str]]) -> None:
    named = {"float64": "double"}
    expected = [(name, named.get(kind, kind)) for name, kind in wanted]
    if [(field.name, str(field.type)) for field in schema] != expected:
        raise DamagedError("its columns are not those of this study")


def numbers_of_runs(rows: Any, runs: int) -> list[int]:
    """The column ``run`` of a table, of a study of so many. DamagedError where it is not that."""
    numbers: list[int] = rows["run"].to_pylist()
    if any(each is None or not 0 <= each < runs for each in numbers):
        raise DamagedError("it lists runs that do not exist")
    return numbers
