# SPDX-License-Identifier: MIT
"""The recipe of a data set: contents and format."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import UsageError, unknown_name
from ..scene.limits import FPS, FRAME_SIDE, LEAST_FPS
from ..study.tables import need_pyarrow

WHAT = ("frames", "masks", "state", "contacts", "events")
MAPS = ("amodal", "velocities", "flow")
"""Contents that only those get who ask for them, since they are large."""
SEEN = ("frames", "masks", *MAPS)
"""Contents that are seen from somewhere."""
FORMATS = ("folder", "webdataset", "parquet")
SPLITS = ("train", "val", "test")
MOST_IN_A_SHARD = 100_000


@dataclass(frozen=True)
class Recipe:
    """The recipe of a data set.

    Attributes:
        what: words of ``WHAT`` and ``MAPS``.
        size: width and height of pictures and masks; None is the scene's.
        fps: frames in a second of scene time; None is the scene's.
        format: one of ``FORMATS``.
        video: frames are an MP4 instead of a PNG each.
        coco: COCO annotations are written too.
        splits: the shares of train, val and test, one to three numbers.
        shard_size: runs in one shard.
        license: the licence that the card names.
    """

    what: tuple[str, ...] = WHAT
    size: tuple[int, int] | None = None
    fps: float | None = None
    format: str = "folder"
    video: bool = False
    coco: bool = False
    splits: tuple[float, ...] = (1.0,)
    shard_size: int = 100
    license: str = ""

    @property
    def has_pictures(self) -> bool:
        """Whether anything is seen from somewhere."""
        return any(word in SEEN for word in self.what)

    def check(self) -> None:
        """Raise UsageError for an impossible recipe."""
        if not self.what:
            raise UsageError(f"what: name at least one of {', '.join((*WHAT, *MAPS))}")
        for word in self.what:
            if word not in (*WHAT, *MAPS):
                raise unknown_name("content of a data set", word, (*WHAT, *MAPS))
        if self.format not in FORMATS:
            raise unknown_name("format of a data set", self.format, FORMATS)
        if self.size is not None and not all(
            FRAME_SIDE[0] <= side <= FRAME_SIDE[1] for side in self.size
        ):
            low, high = FRAME_SIDE
            raise UsageError(f"size: width and height are {low} to {high} pixels, not {self.size}")
        if self.fps is not None and not LEAST_FPS <= self.fps <= FPS:
            raise UsageError(f"fps: is {LEAST_FPS} to {FPS}, not {self.fps:g}")
        check_splits(self.splits)
        if not 1 <= self.shard_size <= MOST_IN_A_SHARD:
            raise UsageError(f"shard-size: is 1 to {MOST_IN_A_SHARD} runs, not {self.shard_size}")
        if not self.license.isprintable():
            raise UsageError(f"license: is one line such as cc-by-4.0, not {self.license!r}")
        self._check_together()

    def _check_together(self) -> None:
        if self.video and "frames" not in self.what:
            raise UsageError("video: there are no frames to make one of; add frames to `what`")
        if self.coco and (self.video or self.format != "folder" or not self._shows_all):
            raise UsageError(
                "coco: annotations are of pictures in files and of their masks; it goes with "
                "--format folder, without --video, and with frames and masks"
            )
        if self.format == "parquet":
            need_pyarrow("data sets in Parquet files need")

    @property
    def _shows_all(self) -> bool:
        return "frames" in self.what and "masks" in self.what


def check_splits(splits: Sequence[float]) -> None:
    """Raise UsageError for shares that are not those of one to three parts."""
    good = 1 <= len(splits) <= len(SPLITS) and all(0.0 <= each <= 1.0 for each in splits)
    if not good or abs(math.fsum(splits) - 1.0) > 1e-9:
        given = ",".join(f"{each:g}" for each in splits)
        raise UsageError(
            f"splits: the shares of {', '.join(SPLITS)} are up to three numbers that make 1, such "
            f"as 0.8,0.1,0.1, not {given}"
        )
