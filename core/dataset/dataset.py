# SPDX-License-Identifier: MIT
"""Makes a data set, from its start or from where it was interrupted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .. import arguments
from ..arguments import (
    callback,
    checked,
    finite,
    flag,
    list_of,
    one_of,
    optional,
    real,
    text,
    texts,
    whole,
)
from ..errors import UsageError
from ..scene import limits
from ..scene.variants import read_study
from ..storage import kept_in
from ..study.executor import Progress, go_on
from ..study.local import run_here
from ..study.plan import StudyPlan
from ..study.storing import held
from .plan import SEED, DatasetPlan
from .reading import Dataset
from .recipe import MAPS, WHAT, Recipe
from .storing import DESCRIPTION, PIECES, DatasetStore


@checked(
    scene=arguments.named,
    out=arguments.named,
    runs=optional(whole(1, limits.STUDY_RUNS)),
    what=texts,
    size=optional(arguments.size),
    fps=optional(finite),
    format=text,
    video=flag,
    coco=flag,
    splits=list_of(real),
    shard_size=whole(1),
    license=text,
    vary=optional(one_of(Mapping)),
    overrides=texts,
    jobs=whole(0, 1024),
    source=optional(text),
    on_progress=optional(callback),
)
def make(
    scene: str | Path,
    out: str | Path,
    *,
    runs: int | None = None,
    what: Sequence[str] = WHAT,
    size: tuple[int, int] | None = None,
    fps: float | None = None,
    format: str = "folder",
    video: bool = False,
    coco: bool = False,
    splits: Sequence[float] = (1.0,),
    shard_size: int = 100,
    license: str = "",
    vary: Mapping[str, Any] | None = None,
    overrides: Sequence[str] = (),
    jobs: int = 1,
    source: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Dataset:
    """Make a data set of many runs of a scene, or continue one.

    Args:
        scene: a scene, or a file with a study that names its scene. Each run has its own seed,
            and the values of the study's ``vary``.
        out: the folder, which is created, or contains the same data set, which is continued; or an
            address such as ``s3://bucket/name``, for one program at a time.
        runs: the number of runs; by default that of the study.
        what: ``frames``, ``masks``, ``state``, ``contacts``, ``events``.
        size: width and height of pictures, instead of the scene's.
        fps: frames in a second of scene time, instead of the scene's.
        format: ``folder``, ``webdataset`` (tar archives) or ``parquet``.
        video: frames as an MP4 for each run.
        coco: write COCO's annotations too.
        splits: the shares of train, val and test.
        shard_size: runs in one shard.
        license: the licence that the card names, such as ``cc-by-4.0``.
        vary: further varied values, as for ``run_study``.
        overrides: ``PATH=VALUE`` texts for all runs.
        jobs: processes at a time, 0 for one a core.
        source: the text of a scene without a file.
        on_progress: called with a ``Progress``.

    Raises SceneError for a scene or study with problems, UsageError for an impossible data set, for
    a folder that contains something else, is in use or full, and for missing extras. Finished runs
    are kept in any case.
    """
    recipe = Recipe(
        tuple(word for word in (*WHAT, *MAPS) if word in what)
        + tuple(word for word in what if word not in (*WHAT, *MAPS)),
        size,
        fps,
        format,
        video,
        coco,
        tuple(splits),
        shard_size,
        license,
    )
    recipe.check()
    plan = _plan(scene, recipe, runs, vary, overrides, source)

    def needed(name: str) -> bool:
        """Whether going on reads a file: not those of shards, unless boxes are made of them."""
        return coco or "/" not in name or name.startswith(f"{PIECES}/")

    with kept_in(out, (DESCRIPTION,), needed) as (folder, keep_up), held(folder, "dataset"):
        store = DatasetStore(folder, plan)
        store.begin()
        pending = store.pending()
        if pending:
            go_on(store, len(plan), run_here(store.plan, pending, jobs), on_progress, keep_up)
        store.finish()
    return Dataset(out)


def _plan(
    scene: str | Path,
    recipe: Recipe,
    runs: int | None,
    vary: Mapping[str, Any] | None,
    overrides: Sequence[str],
    source: str | None,
) -> DatasetPlan:
    """Return the plan of the data set. The seed is always varied, with a value for each run."""
    varied = {**(vary or {}), SEED: [0]}
    template, loaded = read_study(scene, overrides, text=source, vary=varied, samples=runs)
    assert loaded.study is not None
    if runs is None and not loaded.study.samples and len(loaded.study.axes) == 1:
        raise UsageError("say how many runs there are to be, with --runs; the scene has no study")
    if loaded.compare is not None:
        raise UsageError("a data set is of one scene, and this one compares variants")
    return DatasetPlan(StudyPlan(template, loaded, loaded.study), recipe)
