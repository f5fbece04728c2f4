# SPDX-License-Identifier: MIT
"""The plan of a study: its scene, varied and collected values, and the values of each run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..identity import engine_version
from ..scene.model import Scene
from ..scene.study_model import Study
from ..scene.variants import Template
from .changes import digest_of, written
from .running import Done, RunTask
from .sampling import Row, rows

FORMAT = 1


@dataclass(frozen=True)
class StudyPlan:
    """A planned study.

    Attributes:
        template: the scene, to be loaded with other values.
        scene: the unchanged scene.
        study: the varied and collected values.
    """

    template: Template
    scene: Scene
    study: Study

    @cached_property
    def rows(self) -> list[Row]:
        """The values of each run, in the order of the axes."""
        return rows(self.study, self.template.seed)

    def __len__(self) -> int:
        return len(self.rows)

    def task(self, runs: Sequence[tuple[int, Row]]) -> RunTask:
        """Runs, ready to be done by a worker."""
        return RunTask(self.template, self.study, tuple(runs))

    def lost(self, run: int, why: str) -> Done:
        """The message of a run whose process died repeatedly."""
        return Done(run, [None] * len(self.study.collect), "died", why)

    @cached_property
    def description(self) -> dict[str, Any]:
        """The content of ``study.json``: all that decides the table, and the scene's place."""
        return {
            "format": FORMAT,
            "rigid": engine_version(),
            "scene": {
                "name": self.scene.name,
                "path": self.scene.path,
                "hash": self.scene.hash,
                "source": self.template.digest,
                "images": self._images(),
                "written": written(self.template.plain()),
            },
            "runs": len(self),
            "rows": digest_of(self.rows),
            "study": plain(asdict(self.study)),
        }

    def _images(self) -> str:
        """A digest of the files that pictures of the runs may show."""
        if self.study.keep.gif == "none":
            return ""
        digest = hashlib.sha256()
        for file in self.scene.files:
            digest.update(hashlib.sha256(Path(file).read_bytes()).digest())
        return digest.hexdigest()


def plain(value: Any) -> Any:
    """A value as JSON gives it back."""
    return json.loads(json.dumps(value))
