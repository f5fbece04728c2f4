# SPDX-License-Identifier: MIT
"""Reads a data set in any of its formats."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator, Mapping
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ..arguments import checked, named
from ..errors import UnknownNameError, UsageError, unknown_name
from ..study.tables import need_pyarrow

DESCRIPTION = "dataset.json"


class Run:
    """One run of a data set.

    ``run["pose"]`` is an array by its name, as ``dataset.description["arrays"]`` lists them.

    Attributes:
        number, split, parameters: its number, its split, and its values by path.
        bodies: ``number`` in masks, ``name`` and ``type`` of each, in the order of arrays.
        events: ``step``, ``time``, ``kind``, ``a``, ``b`` of each event.
        arrays: all arrays, by name.
    """

    def __init__(
        self,
        facts: Mapping[str, Any],
        told: Mapping[str, Any],
        arrays: Mapping[str, NDArray[Any]],
        files: Mapping[str, bytes],
    ) -> None:
        self.number: int = facts["run"]
        self.split: str = facts["split"]
        self.parameters: dict[str, Any] = facts["parameters"]
        self.bodies: list[dict[str, Any]] = list(told["bodies"])
        self.events: list[dict[str, Any]] = list(told.get("events") or ())
        self.arrays = dict(arrays)
        self._files = files

    def __getitem__(self, name: str) -> NDArray[Any]:
        """An array. Raises UnknownNameError, also a KeyError."""
        if name not in self.arrays:
            raise unknown_name("array of the data set", name, self.arrays)
        return self.arrays[name]

    def __len__(self) -> int:
        """Number of frames."""
        return len(self.arrays["step"])

    @cached_property
    def frames(self) -> NDArray[np.uint8]:
        """[frames, height, width, 3] the pictures. Raises UsageError where there are none."""
        if "frames.mp4" in self._files:
            return _frames_of(self._files["frames.mp4"])
        return self._images("frame")

    @cached_property
    def masks(self) -> NDArray[np.uint16]:
        """[frames, height, width] the number of the body at each pixel, 0 for none."""
        return self._images("mask").astype(np.uint16)

    def _images(self, kind: str) -> NDArray[Any]:
        names = sorted(name for name in self._files if name.startswith(f"{kind}."))
        if not names:
            raise UsageError(f"this data set has no {kind}s; they were not asked for with `what`")
        return np.stack([np.asarray(Image.open(BytesIO(self._files[name]))) for name in names])


class Dataset:
    """An existing data set, a sequence of its runs.

    Attributes:
        path: its folder.
        description: the content of ``dataset.json``: arrays with types and units, splits, scene.
        runs: the entries of ``runs.jsonl``, including failed runs.
    """

    @checked(path=named)
    def __init__(self, path: str | Path) -> None:
        """Open the folder of a finished data set; raise UsageError if there is none."""
        self.path = Path(path)
        try:
            text = (self.path / DESCRIPTION).read_text(encoding="utf-8")
            self.description: dict[str, Any] = json.loads(text)
            if not self.description["complete"]:
                raise UsageError(f"{path}: is not done; the command that began it goes on with it")
            lines = (self.path / "runs.jsonl").read_text(encoding="utf-8").splitlines()
            self.runs: list[dict[str, Any]] = [json.loads(line) for line in lines]
            self._format = str(self.description["dataset"]["format"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UsageError(
                f"{path}: holds no data set that is done ({error}); `rigid dataset` makes one"
            ) from None
        self._good = [each for each in self.runs if each["status"] == "ok"]
        self._place = {each["run"]: i for i, each in enumerate(self._good)}
        self._kept: tuple[str, Any] = ("", None)  # the shard that was read last

    @property
    def splits(self) -> tuple[str, ...]:
        """The names of the splits."""
        return tuple(self.description["splits"])

    @property
    def failures(self) -> int:
        """Number of failed runs, which the data set lacks."""
        return len(self.runs) - len(self._good)

    def __len__(self) -> int:
        """Number of runs without the failed ones."""
        return len(self._good)

    def __iter__(self) -> Iterator[Run]:
        return (self._read(each) for each in self._good)

    def __getitem__(self, number: int) -> Run:
        """The run with this number. Raises UnknownNameError (a KeyError) for a failed run."""
        if number not in self._place:
            raise UnknownNameError(f"{self.path}: there is no run {number!r}")
        return self._read(self._good[self._place[number]])

    def split(self, name: str) -> Iterator[Run]:
        """The runs of a split."""
        if name not in self.splits:
            raise unknown_name("split", name, self.splits)
        return (self._read(each) for each in self._good if each["split"] == name)

    def _read(self, facts: Mapping[str, Any]) -> Run:
        reader = {"folder": self._from_folder, "webdataset": self._from_tar}
        try:
            return reader.get(self._format, self._from_table)(facts)
        except (OSError, ValueError, KeyError, tarfile.TarError) as error:
            where = self.path / str(facts["shard"])
            raise UsageError(f"{where}: run {facts['run']} cannot be read: {error}") from None

    def _key(self, facts: Mapping[str, Any]) -> str:
        return f"{facts['run']:0{max(6, len(str(len(self.runs) - 1)))}d}"

    def _from_folder(self, facts: Mapping[str, Any]) -> Run:
        folder = self.path / facts["shard"] / self._key(facts)
        return _run(facts, {file.name: file.read_bytes() for file in folder.iterdir()})

    def _from_tar(self, facts: Mapping[str, Any]) -> Run:
        name = f"{facts['shard']}.tar"
        if self._kept[0] != name:
            if self._kept[1] is not None:
                self._kept[1].close()
            self._kept = name, tarfile.open(self.path / name)  # noqa: SIM115 - kept for the next
        archive: tarfile.TarFile = self._kept[1]
        key = f"{self._key(facts)}."
        files = {}
        for member in archive.getmembers():
            file = archive.extractfile(member) if member.name.startswith(key) else None
            if file is not None:
                files[member.name.removeprefix(key)] = file.read()
        return _run(facts, files)

    def _from_table(self, facts: Mapping[str, Any]) -> Run:
        name = f"{facts['shard']}.parquet"
        if self._kept[0] != name:
            parquet = need_pyarrow("data sets in Parquet files need").parquet
            table = parquet.read_table(self.path / name)
            places = {run: i for i, run in enumerate(table["run"].to_pylist())}
            self._kept = name, (table, places)
        table, places = self._kept[1]
        row = table.slice(places[facts["run"]], 1).to_pylist()[0]
        arrays = {
            name: np.array(row[name], each["type"]).reshape(_shape(row[name], each["shape"]))
            for name, each in self.description["arrays"].items()
        }
        files = {
            f"{kind}.{i:05d}.png": data
            for kind in ("frame", "mask")
            for i, data in enumerate(row.get(kind) or ())
        }
        if "video" in row:
            files["frames.mp4"] = row["video"]
        return Run(facts, row, arrays, files)


@checked(path=named)
def open(path: str | Path) -> Dataset:
    """Open the folder of a finished data set; raise UsageError if there is none."""
    return Dataset(path)


def _run(facts: Mapping[str, Any], files: Mapping[str, bytes]) -> Run:
    with np.load(BytesIO(files["arrays.npz"])) as arrays:
        return Run(facts, json.loads(files["run.json"]), dict(arrays), files)


def _shape(rows: list[Any], named: list[int | str]) -> tuple[int, ...]:
    """The shape of nested lists, of which the last sizes are known where there are no rows."""
    found, inner = [], rows
    for size in named:
        found.append(size if isinstance(size, int) else len(inner))
        inner = inner[0] if inner else []
    return tuple(found)


def _frames_of(video: bytes) -> NDArray[np.uint8]:
    """The pictures of an MP4."""
    import tempfile

    import imageio_ffmpeg

    with tempfile.NamedTemporaryFile(suffix=".mp4") as file:
        file.write(video)
        file.flush()
        reader = imageio_ffmpeg.read_frames(file.name)
        width, height = next(reader)["size"]
        images = [np.frombuffer(image, np.uint8) for image in reader]
    return np.stack(images).reshape(-1, height, width, 3)
