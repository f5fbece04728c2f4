# SPDX-License-Identifier: MIT
"""The plan of a data set: values, split and shard of each run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..scene.values.seeded import randint
from ..study.plan import StudyPlan, difference, plain
from ..study.sampling import Row, rows
from .making import MadeRun, MakeTask
from .recipe import SPLITS, Recipe

SEED = "world.seed"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Shard:
    """Some runs of one split, which are written together."""

    name: str
    split: str
    runs: tuple[int, ...]


@dataclass(frozen=True)
class DatasetPlan:
    """The plan of a data set.

    Attributes:
        study: the template of the scene, and the varied values; the last axis is the seed.
        recipe: its content.
    """

    study: StudyPlan
    recipe: Recipe

    @cached_property
    def rows(self) -> list[Row]:
        """The values of each run in the order of the axes; each has a seed of its own."""
        first = self.study.template.seed
        place = [axis.path for axis in self.study.study.axes].index(SEED)
        given = rows(self.study.study, first)
        return [(*row[:place], first + run, *row[place + 1 :]) for run, row in enumerate(given)]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def paths(self) -> list[str]:
        """The values that differ from run to run."""
        return [axis.path for axis in self.study.study.axes]

    def key(self, run: int) -> str:
        """The name of a run."""
        return f"{run:0{max(6, len(str(len(self) - 1)))}d}"

    @cached_property
    def splits(self) -> list[str]:
        """The split of each run, which follows from its seed alone and from how many there are."""
        first, total = self.study.template.seed, len(self)
        keys = [randint(first, "dataset.split", run, 0.0, 2.0**52) for run in range(total)]
        order = sorted(range(total), key=lambda run: (keys[run], run))
        shares, found = self.recipe.splits, [""] * total
        for place, run in enumerate(order):
            below = 0.0
            for name, share in zip(SPLITS, shares, strict=False):
                below += share
                if place < round(below * total):
                    found[run] = name
                    break
        return found

    @cached_property
    def shards(self) -> list[Shard]:
        """The shards, split by split, in the order of the runs."""
        found = []
        size = self.recipe.shard_size
        for name in SPLITS[: len(self.recipe.splits)]:
            runs = [run for run, split in enumerate(self.splits) if split == name]
            for number, start in enumerate(range(0, len(runs), size)):
                found.append(Shard(f"{name}-{number:06d}", name, tuple(runs[start : start + size])))
        return found

    def task(self, runs: Sequence[tuple[int, Row]]) -> MakeTask:
        """Runs, ready to be done by a worker."""
        named = tuple((run, self.key(run), values) for run, values in runs)
        return MakeTask(self.study.template, self.study.study, self.recipe, named)

    def lost(self, run: int, why: str) -> MadeRun:
        """The message of a run whose process died repeatedly."""
        return MadeRun(run, dict(zip(self.paths, self.rows[run], strict=True)), "died", why)

    @cached_property
    def description(self) -> dict[str, Any]:
        """Everything that determines the data set, and the scene's path."""
        told = self.study.description
        return {
            **told,
            "format": FORMAT,
            "scene": {**told["scene"], "images": self._images()},
            "dataset": plain(asdict(self.recipe)),
        }

    def _images(self) -> str:
        """A digest of the files that pictures may show."""
        if "frames" not in self.recipe.what:
            return ""
        digest = hashlib.sha256()
        for file in self.study.scene.files:
            digest.update(hashlib.sha256(Path(file).read_bytes()).digest())
        return digest.hexdigest()


def changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """Differences of two data sets: empty if they are the same."""
    found = difference(old, new)
    if found:
        return found
    if old.get("runs") != new["runs"]:
        return f"it has {old.get('runs')} runs, and not {new['runs']}"
    was, now = old.get("dataset", {}), new["dataset"]
    names = [key.replace("_", "-") for key in now if was.get(key) != now[key]]
    return f"it was made with another {' and '.join(names)}" if names else ""
