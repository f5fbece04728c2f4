# SPDX-License-Identifier: MIT
"""Runs the variants that a scene compares: their pictures and expectations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..record import Frame, Recorder, Result
from ..scene.model import Scene
from ..world import run_variants
from ..world.running import variant_steps
from .engine import Engine

if TYPE_CHECKING:
    from .artist import Artist
    from .filming import Filmer


@dataclass(frozen=True, slots=True)
class VariantReport:
    """The report of a variant's run, with the attributes of a ``RunReport``."""

    name: str
    steps: int
    results: tuple[Result, ...] = ()
    warnings: tuple[str, ...] = ()
    outcome: str = ""

    @property
    def passed(self) -> bool:
        """Whether the variant's expectations hold, for any outcome."""
        return all(result.passed for result in self.results)


def run_compared(
    scene: Scene,
    *,
    steps: int,
    engine: Engine,
    check: bool = True,
    moments: Sequence[float] = (),
    watchers: Sequence[Artist | Filmer] = (),
    on_progress: Callable[[int, int], None] | None = None,
) -> tuple[VariantReport, ...]:
    """Run all variants of a scene side by side; none where it has none."""
    if scene.compare is None:
        return ()
    variants = scene.compare.variants
    lengths = [variant_steps(scene, variant.scene, steps) for variant in variants]
    recorders = [
        Recorder(variant.scene, steps=length, check=check)
        for variant, length in zip(variants, lengths, strict=True)
    ]
    together = run_variants(
        scene,
        steps=steps,
        threads=engine.threads,
        lanes=engine.lanes,
        times=moments,
        want_contacts=bool(watchers),
        watched=tuple(name for each in watchers for name in each.watched),
        recorders=recorders,
        on_progress=on_progress,
    )
    show(moments, together, watchers)
    return tuple(
        VariantReport(
            variant.name,
            length if recorder.ended is None else recorder.ended,
            tuple(recorder.results),
            tuple(recorder.warnings),
            recorder.outcome,
        )
        for variant, length, recorder in zip(variants, lengths, recorders, strict=True)
    )


def show(
    moments: Sequence[float],
    runs: Iterator[tuple[Frame, ...]],
    watchers: Sequence[Artist | Filmer],
) -> tuple[Frame, ...]:
    """Go through a run, or several at once, to the end, and show it; the last frames there were."""
    last: tuple[Frame, ...] = ()
    for moment, frames in zip(moments, runs, strict=False):
        last = frames
        for each in watchers:
            each.see(moment, frames)
    for _ in runs:  # past the last frame a run closes its recorder
        pass
    for each in watchers:
        each.end(last)
    return last
