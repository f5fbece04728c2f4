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
from ..study.changes import changes, difference, digest_of
from ..study.plan import StudyPlan, plain
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
        stages: how many runs there were each time that it grew.
    """

    study: StudyPlan
    recipe: Recipe
    stages: tuple[int, ...] = ()

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
        return f"{run:0{width_of(len(self))}d}"

    @cached_property
    def _parts(self) -> list[range]:
        """The runs that came at once: all of them, if it never grew."""
        ends = [each for each in self.stages if each < len(self)] + [len(self)]
        return [range(a, b) for a, b in zip([0, *ends], ends, strict=False)]

    @cached_property
    def splits(self) -> list[str]:
        """The split of each run, which follows from its seed alone and from how many there are.

        Where the data set grew, the splits of the runs that were there stay, and the new ones make
        up the shares of all.
        """
        first, total = self.study.template.seed, len(self)
        keys = [randint(first, "dataset.split", run, 0.0, 2.0**52) for run in range(total)]
        found: list[str] = []
        for part in self._parts:
            order = sorted(part, key=lambda run: (keys[run], run))
            fresh = {}
            taken, below = 0, 0.0
            for name, share in zip(SPLITS, self.recipe.splits, strict=False):
                below += share
                there = sum(SPLITS.index(each) <= SPLITS.index(name) for each in found)
                end = min(len(order), max(taken, round(below * part.stop) - there))
                fresh.update(dict.fromkeys(order[taken:end], name))
                taken = end
            last = SPLITS[len(self.recipe.splits) - 1]
            found += [fresh.get(run, last) for run in part]
        return found

    @cached_property
    def shards(self) -> list[Shard]:
        """The shards, split by split, in the order of the runs; runs that came later are in
        shards of their own."""
        found = []
        size = self.recipe.shard_size
        for name in SPLITS[: len(self.recipe.splits)]:
            number = 0
            for part in self._parts:
                runs = [run for run in part if self.splits[run] == name]
                for start in range(0, len(runs), size):
                    own = tuple(runs[start : start + size])
                    found.append(Shard(f"{name}-{number:06d}", name, own))
                    number += 1
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
            "rows": digest_of(self.rows),
            "stages": list(self.stages),
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


def changed(old: Mapping[str, Any], plan: DatasetPlan) -> str:
    """Why a data set cannot go on with a plan: empty if it can, perhaps with more runs."""
    new = plan.description
    found = difference(old, new, plan.rows)
    if found:
        return found
    was, now = _in_words(old.get("dataset", {})), _in_words(new["dataset"])
    names = " and ".join(key[2:] for key in now if was.get(key) != now[key])
    if names:
        return f"it was made with another {names} ({'; '.join(changes(was, now))})"
    if width_of(old["runs"]) != width_of(len(plan)):
        return f"it has {old['runs']} runs, and the names of {len(plan)} runs are longer"
    return ""


def width_of(runs: int) -> int:
    """Number of digits in the names of so many runs."""
    return max(6, len(str(runs - 1)))


def _in_words(recipe: Mapping[str, Any]) -> dict[str, str]:
    """The options of a recipe as the command has them."""
    marks = {"size": "x", "what": ",", "splits": ","}
    return {
        f"--{key.replace('_', '-')}": marks[key].join(map(str, value))
        if key in marks and value
        else str(value)
        for key, value in recipe.items()
    }
