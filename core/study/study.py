# SPDX-License-Identifier: MIT
"""Runs a study, from its start or from where it was interrupted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .. import arguments
from ..arguments import callback, checked, one_of, optional, text, texts, whole
from ..scene import limits
from ..scene.variants import read_study
from ..storage import is_address, kept_in
from .executor import Progress, go_on
from .local import run_here
from .page import write_page
from .plan import StudyPlan
from .plots import check_plots, write_plots
from .results import PLAN, RESULTS, Results
from .running import Done
from .storing import opened
from .tables import need_pyarrow


@checked(
    scene=arguments.named,
    out=arguments.named,
    vary=optional(one_of(Mapping)),
    samples=optional(whole(1, limits.STUDY_RUNS)),
    overrides=texts,
    jobs=whole(0, 1024),
    cluster=optional(text),
    plots=texts,
    source=optional(text),
    on_progress=optional(callback),
    on_wait=optional(callback),
)
def run_study(
    scene: str | Path,
    out: str | Path,
    *,
    vary: Mapping[str, Any] | None = None,
    samples: int | None = None,
    overrides: Sequence[str] = (),
    jobs: int = 1,
    cluster: str | None = None,
    plots: Sequence[str] = (),
    source: str | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    on_wait: Callable[[str], None] | None = None,
) -> Results:
    """Execute the study of a scene file, or continue it, and write everything into a folder.

    Args:
        scene: a scene with a ``study``, or a file with a study that names its scene.
        out: the folder, which is created, or contains the same study, which is continued; or an
            address such as ``s3://bucket/name``, for one program at a time.
        vary: further or replaced varied values by paths, such as
            ``{"vars.n": [1, 2, 3], "vars.m": {"uniform": [0, 1]}}``, or texts as in ``--vary``.
        samples: the number of runs.
        overrides: ``PATH=VALUE`` texts for all runs.
        jobs: processes at a time, 0 for one per core; more than one needs a program that can be
            imported, as ``multiprocessing`` requires.
        cluster: the address of a scheduler of dask.distributed, instead of processes here.
        plots: ``y:x`` or ``y:x:color``, names of columns.
        source: the text of a scene without a file.
        on_progress: called with a ``Progress``.
        on_wait: called every few seconds with the reason of waiting for a cluster.

    Raises SceneError for a scene or study with problems, UsageError for a folder that contains
    something else, is in use or full, for missing extras, and for a lost cluster.
    Finished runs are kept in any case.
    """
    if cluster is not None:
        from .cluster import need_distributed

        need_distributed()  # its extra has all that studies need
    need_pyarrow()
    template, loaded = read_study(scene, overrides, text=source, vary=vary, samples=samples)
    assert loaded.study is not None
    plan = StudyPlan(template, loaded, loaded.study)
    check_plots(plots, plan.study)
    with kept_in(out, (RESULTS, PLAN)) as (folder, keep_up), opened(folder, plan) as store:
        pending = store.pending()
        if pending:
            portions = _portions(plan, pending, jobs, cluster, on_wait)
            go_on(store, len(plan), portions, on_progress, keep_up)
        store.merge()
        results = Results(store.path)
        pictures = write_plots(results, plots, plan)
        write_page(results, plan, pictures)
    return Results(out) if is_address(out) else results


def _portions(
    plan: StudyPlan,
    pending: Sequence[int],
    jobs: int,
    cluster: str | None,
    on_wait: Callable[[str], None] | None,
) -> Iterator[Sequence[Done]]:
    if cluster is None:
        return run_here(plan, pending, jobs)
    from .cluster import run_on_cluster

    return run_on_cluster(plan, pending, cluster, on_wait)
