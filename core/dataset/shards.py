# SPDX-License-Identifier: MIT
"""Writes shards in each format, atomically."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..record.atomic import NewFile
from ..study.storing import Store
from ..study.tables import axis_type, column, need_pyarrow
from ..unfinished import discard, finished, new_name
from .archive import END, unpack
from .arrays import arrays_of
from .plan import DatasetPlan

Archives = Callable[[], Iterator[tuple[int, bytes]]]
"""The runs of a shard that are ok, in order, and their files."""
Listed = Callable[[], None]
"""To be called once all of these were taken, before the shard is in its place."""


class ShardWriter(Protocol):
    """A format."""

    def name(self, shard: str) -> str:
        """The name of a shard in the data set's folder."""

    def write(self, path: Path, plan: DatasetPlan, archives: Archives, listed: Listed) -> None:
        """Write a shard. OSError or UsageError where that cannot be done."""


class FolderShards:
    """A folder for each run, with its files in it."""

    def name(self, shard: str) -> str:
        return shard

    def write(self, path: Path, plan: DatasetPlan, archives: Archives, listed: Listed) -> None:
        made = new_name(path.parent)
        try:
            made.mkdir()
            for run, packed in archives():
                folder = made / plan.key(run)
                folder.mkdir()
                for name, data in unpack(packed):
                    (folder / name).write_bytes(data)
            if hasattr(os, "sync"):
                os.sync()  # all these files at once, before the name that says that they are whole
            listed()
            made.replace(path)
            finished(made)
        except BaseException:
            discard(made)
            raise


class Tars:
    """A tar archive, as webdataset reads it."""

    def name(self, shard: str) -> str:
        return f"{shard}.tar"

    def write(self, path: Path, plan: DatasetPlan, archives: Archives, listed: Listed) -> None:
        output = NewFile(path)
        try:
            for _, packed in archives():
                output.file.write(packed)
            output.file.write(END)
            output.file.flush()
            os.fsync(output.file.fileno())
            listed()
            output.commit()
        finally:
            output.abort()


class Tables:
    """A Parquet file with a row for each run."""

    def name(self, shard: str) -> str:
        return f"{shard}.parquet"

    def write(self, path: Path, plan: DatasetPlan, archives: Archives, listed: Listed) -> None:
        pa = need_pyarrow()
        schema = _schema(plan)
        sink = BytesIO()
        with pa.parquet.ParquetWriter(sink, schema) as writer:
            for _, packed in archives():
                row = _row(plan, dict(unpack(packed)))
                columns = [row[field.name] for field in schema]
                writer.write_table(pa.table(columns, schema=schema))
        listed()
        Store.write(path, sink.getbuffer())


WRITERS: Mapping[str, ShardWriter] = {
    "folder": FolderShards(),
    "webdataset": Tars(),
    "parquet": Tables(),
}


# ---------------------------------------------------------------- columns

FRAMES = ("frame", "mask")
BODY = (("number", "int64"), ("name", "string"), ("type", "string"))
OBJECTS = "things"  # the column of data sets of format 1
"""The column of bodies and joints as in ``run.json``, as JSON."""
EVENT = (
    *(("step", "int64"), ("time", "float64")),
    *(("kind", "string"), ("a", "string"), ("b", "string")),
)


def _schema(plan: DatasetPlan) -> Any:
    """The columns of a table of runs."""
    pa = need_pyarrow()

    def rows(fields: tuple[tuple[str, str], ...]) -> Any:
        return pa.list_(pa.struct([(name, getattr(pa, kind)()) for name, kind in fields]))

    recipe = plan.recipe
    fields = [("run", pa.int64()), ("frames", pa.int64()), ("outcome", pa.string())]
    for axis in plan.study.study.axes:
        kind = axis_type(axis)
        fields.append((axis.path, getattr(pa, "bool_" if kind == "bool" else kind)()))
    fields += [(f"vars.{name}", pa.float64()) for name in _drawn(plan)]
    fields += [("hash", pa.string()), ("bodies", rows(BODY)), (OBJECTS, pa.string())]
    if "events" in recipe.what:
        fields.append(("events", rows(EVENT)))
    for array in arrays_of(recipe.what):
        kind = pa.bool_() if array.dtype == "bool" else getattr(pa, array.dtype)()
        for _ in array.shape:
            kind = pa.list_(kind)
        fields.append((array.name, kind))
    if "frames" in recipe.what:
        named = ("video", pa.binary()) if recipe.video else ("frame", pa.list_(pa.binary()))
        fields.append(named)
    if "masks" in recipe.what:
        fields.append(("mask", pa.list_(pa.binary())))
    return pa.schema(fields)


def _drawn(plan: DatasetPlan) -> list[str]:
    """The vars of the scene that are no varied values; some may be drawn in each run."""
    varied = {axis.path for axis in plan.study.study.axes}
    return [name for name in plan.study.scene.vars if f"vars.{name}" not in varied]


def _row(plan: DatasetPlan, files: Mapping[str, bytes]) -> dict[str, Any]:
    """One run, a column of one value for each name."""
    pa = need_pyarrow()
    told = json.loads(files["run.json"])
    row: dict[str, Any] = {}
    for name in ("run", "frames", "outcome", "hash", "events"):
        if name in told:
            row[name] = [told[name]]
    row["bodies"] = [[{name: body[name] for name, _ in BODY} for body in told["bodies"]]]
    row[OBJECTS] = [json.dumps({key: told[key] for key in ("bodies", "joints")})]
    for axis in plan.study.study.axes:
        row[axis.path] = column([told["parameters"][axis.path]], axis_type(axis))
    for name in _drawn(plan):
        row[f"vars.{name}"] = [told["vars"][name]]
    with np.load(BytesIO(files["arrays.npz"])) as arrays:
        for array in arrays_of(plan.recipe.what):
            row[array.name] = _nested(pa, arrays[array.name])
    for name in FRAMES:
        row[name] = [[data for file, data in files.items() if file.startswith(f"{name}.")]]
    if "frames.mp4" in files:
        row["video"] = [files["frames.mp4"]]
    return row


def _nested(pa: Any, array: NDArray[Any]) -> Any:
    """An array as nested lists."""
    values = pa.array(array.ravel())
    shape = (1, *array.shape)
    for level in range(len(shape) - 1, 0, -1):
        count = int(np.prod(shape[:level], dtype=np.int64))
        offsets = np.arange(count + 1, dtype=np.int32) * shape[level]
        values = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), values)
    return values
