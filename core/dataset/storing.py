# SPDX-License-Identifier: MIT
"""The folder of a data set: pieces while it is made, shards and tables when it is complete.

Results of runs are written every second as a piece: a zip archive that is written under another
name and renamed. When all runs of a shard exist, it is assembled in their order, also under another
name, with the list of its runs before it; pieces that are no longer needed are removed. So all
files in the folder are complete, and the same after any interruption.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..jobs.interrupts import interrupts_held
from ..record.atomic import cannot_be_written
from ..record.inputs import inputs_of, refuse_inputs_in
from ..record.npz import EPOCH
from ..storage import LocalFiles
from ..study.storing import Store, discard_parts
from ..unfinished import discard
from .arrays import described
from .card import CARD, card
from .coco import ANNOTATIONS, write_annotations
from .making import MadeRun
from .plan import DatasetPlan, Shard, changed
from .recipe import SPLITS
from .regions import annotations_of
from .shards import WRITERS
from .sources import source_of

DESCRIPTION = "dataset.json"
RUNS = "runs.jsonl"
PIECES = "pieces"
DAMAGED = (OSError, ValueError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)
"""Errors raised on archives that are of another kind or damaged."""


class DatasetStore:
    """The folder of a data set.

    Attributes:
        done: the numbers of the runs that are there.
        failures: how many of them are not ok.
        damaged: pieces that could not be read, whose runs are made again.
    """

    def __init__(self, path: Path, plan: DatasetPlan) -> None:
        self.path = path
        self.plan = plan
        self.done: set[int] = set()
        self.failures = 0
        self.damaged: list[str] = []
        self._piece_of: dict[int, Path] = {}
        self._next = 0
        self._written: set[str] = set()
        self._writer = WRITERS[plan.recipe.format]

    # ------------------------------------------------------------ beginning

    def begin(self) -> None:
        """Continue an existing data set, or start a new one."""
        refuse_inputs_in(self.path, inputs_of(self.plan.study.scene))
        discard_parts(self.path, self.path / PIECES)
        old = self._read_description()
        if old is None:
            self._refuse_others()
            self._write_description(complete=False)
        else:
            found = changed(old, self.plan)
            if found:
                raise UsageError(
                    f"{self.path}: holds another data set: {found}. Name another folder with "
                    "--out, or delete this one"
                )
            self._take_stages(old)
            if old["runs"] < len(self.plan):
                self._grow(old)
            elif old.get("complete") is True:
                self._note(self._all_facts(len(self.plan)))
                self._clear()
                return
        for shard in self.plan.shards:
            if self._is_there(shard):
                self._take_up_shard(shard)
        for piece in sorted((self.path / PIECES).glob("*.zip")):
            self._take_up(piece)
        self._put_together()

    def _take_stages(self, old: Mapping[str, Any]) -> None:
        """Leave the runs that there are in their splits and shards."""
        stages = [*old.get("stages", ()), *([old["runs"]] if old["runs"] < len(self.plan) else ())]
        self.plan = replace(self.plan, stages=tuple(stages))

    def _grow(self, old: Mapping[str, Any]) -> None:
        """Have more runs than there were: a finished data set is one that is made again."""
        if old.get("complete") is True:
            facts = {each["run"]: each for each in self._all_facts(old["runs"])}
            Store.make(self.path / PIECES)
            for shard in self.plan.shards:
                if all(run in facts for run in shard.runs):
                    self._write_list(shard, [self._annotated(facts[run]) for run in shard.runs])
        self._write_description(complete=False)

    def _annotated(self, facts: dict[str, Any]) -> dict[str, Any]:
        """The facts of a finished run, with its annotations again if there are to be some."""
        if not self.plan.recipe.coco or facts["status"] != "ok":
            return facts
        run = source_of(LocalFiles(self.path), self.plan.description).read(
            facts, self.plan.key(facts["run"])
        )
        categories = [body["tags"][0] if body["tags"] else "body" for body in run.bodies]
        found = annotations_of(list(run.masks), run.arrays, categories)
        return {**facts, "annotations": found} if found else facts

    def _read_description(self) -> dict[str, Any] | None:
        file = self.path / DESCRIPTION
        try:
            found = json.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise UsageError(f"{file}: cannot be read: {error}") from None
        return found if isinstance(found, dict) else {}

    def _refuse_others(self) -> None:
        there = sorted(each.name for each in self.path.iterdir())
        if there:
            raise UsageError(
                f"{self.path}: holds {there[0]!r} and no data set; name a new or empty folder"
            )

    def _note(self, facts: Iterable[dict[str, Any]]) -> None:
        for each in facts:
            if each["run"] not in self.done:
                self.done.add(each["run"])
                self.failures += each["status"] != "ok"

    def _is_there(self, shard: Shard) -> bool:
        return (self.path / self._writer.name(shard.name)).exists()

    def _list_of(self, shard: Shard) -> Path:
        """The list of a shard's runs, while the data set is made."""
        return self.path / PIECES / f"{shard.name}.jsonl"

    def _facts(self, shard: Shard) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._list_of(shard).read_text("utf-8").splitlines()]

    def _all_facts(self, runs: int) -> list[dict[str, Any]]:
        """The results of a finished data set of so many runs."""
        file = self.path / RUNS
        try:
            return _told_of_runs(file.read_text("utf-8"), range(runs))
        except (OSError, ValueError) as error:
            raise UsageError(
                f"{file}: is damaged: {error}; take the data set away to have it made again"
            ) from None

    def _take_up_shard(self, shard: Shard) -> None:
        """Register the runs of a shard; delete a shard whose list cannot be read."""
        file, there = self._list_of(shard), self.path / self._writer.name(shard.name)
        try:
            facts = _told_of_runs(file.read_text("utf-8"), shard.runs)
        except (OSError, ValueError):
            self.damaged.append(str(file))
            discard(file)
            discard(there)
            return
        self._note(facts)
        self._written.add(shard.name)

    def _take_up(self, piece: Path) -> None:
        """Register the runs of a piece; delete a piece that cannot be read."""
        try:
            with zipfile.ZipFile(piece) as archive:
                facts = _checked_facts(json.loads(archive.read("runs.json")), range(len(self.plan)))
                for each in facts:
                    archive.getinfo(f"{each['run']}.json")
                    if each["status"] == "ok":
                        archive.getinfo(f"{each['run']}.tar")
                self._next = max(self._next, int(piece.stem) + 1)
                if archive.testzip() is not None:
                    raise ValueError("damaged")
        except DAMAGED:
            self.damaged.append(str(piece))
            discard(piece)
            return
        for each in facts:
            self._piece_of.setdefault(each["run"], piece)
        self._note(facts)

    def pending(self) -> list[int]:
        """The remaining runs, shard by shard."""
        return [run for shard in self.plan.shards for run in shard.runs if run not in self.done]

    # ------------------------------------------------------------ continuing

    def append(self, done: Sequence[MadeRun]) -> None:
        """Write runs to disk. Raises UsageError if the disk is full."""
        new = [each for each in done if each.run not in self.done]
        if not new:
            return
        piece = self.path / PIECES / f"{self._next:06d}.zip"
        try:
            with interrupts_held():
                Store.make(self.path / PIECES)
                Store.write(piece, _piece(new))
                self._next += 1
                self._piece_of |= {each.run: piece for each in new}
                self._note([each.facts() for each in new])
            self._put_together()
        except UsageError as error:
            raise UsageError(
                f"{error}. {len(self.done)} of {len(self.plan)} runs are kept; the same command "
                "goes on from there"
            ) from None

    def _put_together(self) -> None:
        """Write the shards whose runs all exist, and delete the pieces used for them."""
        for shard in self.plan.shards:
            if shard.name in self._written or not self.done.issuperset(shard.runs):
                continue
            with interrupts_held():
                self._write_shard(shard)
                self._written.add(shard.name)
                for run in shard.runs:
                    self._piece_of.pop(run, None)
                needed = set(self._piece_of.values())
                for piece in (self.path / PIECES).glob("*.zip"):
                    if piece not in needed:
                        piece.unlink(missing_ok=True)

    def _write_list(self, shard: Shard, facts: Sequence[dict[str, Any]]) -> None:
        lines = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in facts)
        Store.write(self._list_of(shard), lines.encode())

    def _write_shard(self, shard: Shard) -> None:
        facts: list[dict[str, Any]] = []

        def archives() -> Iterator[tuple[int, bytes]]:
            """The runs of the shard that are ok, and their files."""
            archive: zipfile.ZipFile | None = None
            try:
                for run in shard.runs:
                    piece = self._piece_of[run]
                    if archive is None or archive.filename != str(piece):
                        if archive is not None:
                            archive.close()
                        archive = zipfile.ZipFile(piece)
                    told = json.loads(archive.read(f"{run}.json"))
                    facts.append({**told, "split": shard.split, "shard": shard.name})
                    if told["status"] == "ok":
                        yield run, archive.read(f"{run}.tar")
            finally:
                if archive is not None:
                    archive.close()

        def listed() -> None:
            self._write_list(shard, facts)

        path = self.path / self._writer.name(shard.name)
        try:
            self._writer.write(path, self.plan, archives, listed)
        except OSError as error:
            raise cannot_be_written(path, error) from None

    # ------------------------------------------------------------ ending

    def finish(self) -> None:
        """Write the files of the whole data set when all runs exist."""
        if self.is_complete:
            return
        facts = sorted(
            (each for shard in self.plan.shards for each in self._facts(shard)),
            key=lambda each: int(each["run"]),
        )
        if self.plan.recipe.coco:
            Store.make(self.path / ANNOTATIONS)
            write_annotations(self.path, self.plan, facts)
        for each in facts:
            each.pop("annotations", None)
        lines = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in facts)
        Store.write(self.path / RUNS, lines.encode())
        Store.write(self.path / CARD, card(self.plan, facts, self._described(True)).encode())
        self._write_description(complete=True)
        self._clear()

    @property
    def is_complete(self) -> bool:
        """Whether all shards and tables exist."""
        found = self._read_description()
        return found is not None and found.get("complete") is True

    def _described(self, complete: bool) -> dict[str, Any]:
        plan, recipe = self.plan, self.plan.recipe
        splits = {
            name: {
                "runs": sum(split == name for split in plan.splits),
                "shards": [
                    self._writer.name(shard.name) for shard in plan.shards if shard.split == name
                ],
            }
            for name in SPLITS[: len(recipe.splits)]
        }
        return {
            **plan.description,
            "complete": complete,
            "size": list(recipe.size or plan.study.scene.render.size),
            "fps": recipe.fps or plan.study.scene.render.fps,
            "parameters": plan.paths,
            "arrays": described(recipe.what, plan.study.scene.units),
            "splits": splits,
        }

    def _write_description(self, *, complete: bool) -> None:
        text = json.dumps(self._described(complete), indent=2, ensure_ascii=False) + "\n"
        Store.write(self.path / DESCRIPTION, text.encode())

    def _clear(self) -> None:
        """Remove intermediate files."""
        for file in (self.path / PIECES).glob("*"):
            file.unlink(missing_ok=True)
        with suppress(OSError):
            (self.path / PIECES).rmdir()


def _piece(made: Sequence[MadeRun]) -> memoryview:
    """The results of runs as an archive."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:

        def put(name: str, data: bytes) -> None:
            archive.writestr(zipfile.ZipInfo(name, EPOCH), data)

        put("runs.json", json.dumps([each.facts() for each in made]).encode())
        for each in made:
            told = {**each.facts(), "annotations": each.annotations}
            if not each.annotations:
                del told["annotations"]
            put(f"{each.run}.json", json.dumps(told).encode())
            put(f"{each.run}.tar", each.archive)
    return out.getbuffer()


def _told_of_runs(text: str, runs: Sequence[int]) -> list[dict[str, Any]]:
    """The entries of a list for exactly these runs, in order. ValueError if it is another list."""
    facts = _checked_facts([json.loads(line) for line in text.splitlines()], frozenset(runs))
    if [each["run"] for each in facts] != list(runs):
        raise ValueError("runs are missing in it")
    return facts


def _checked_facts(facts: Any, runs: Container[int]) -> list[dict[str, Any]]:
    """Facts of runs, if they are such. ValueError if not."""
    rows: list[Any] = facts if isinstance(facts, list) else [None]
    for each in rows:
        whole = isinstance(each, dict) and isinstance(each.get("status"), str)
        if not (whole and type(each.get("run")) is int and each["run"] in runs):
            raise ValueError("it lists something other than runs")
    return rows
