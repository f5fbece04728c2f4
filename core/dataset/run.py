# SPDX-License-Identifier: MIT
"""One run of a data set, in memory."""

from __future__ import annotations

from collections.abc import Iterator, KeysView, Mapping
from functools import cached_property
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ..errors import UsageError, unknown_name


class Run:
    """One run of a data set. It can be pickled.

    ``run["pose"]`` is an array by its name, as ``dataset.description["arrays"]`` lists them. A run
    iterates over these names, as a mapping does; its length is the number of frames.

    Attributes:
        number, split, parameters: its number, its split, and its varied values by path.
        vars: the values of the scene's vars in this run, also of those that are drawn.
        bodies: ``number`` in masks, ``name``, ``type``, ``mass``, ``inertia``, ``color`` and
            ``shapes`` of each, in the order of arrays.
        joints: ``name``, ``type``, numbers of the two ``bodies`` (0 for the world), ``anchors``,
            ``axis`` and ``limits`` of each.
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
        self.vars: dict[str, float] = dict(facts.get("vars") or {})
        self.bodies: list[dict[str, Any]] = list(told["bodies"])
        self.joints: list[dict[str, Any]] = list(told.get("joints") or ())
        self.events: list[dict[str, Any]] = list(told.get("events") or ())
        self.arrays = dict(arrays)
        self._files = files

    def __repr__(self) -> str:
        return f"Run({self.number}, {self.split!r}: {len(self)} frames)"

    def __getitem__(self, name: str) -> NDArray[Any]:
        """An array. Raises UnknownNameError, also a KeyError."""
        if name not in self.arrays:
            raise unknown_name("array of the data set", name, self.arrays)
        return self.arrays[name]

    def __iter__(self) -> Iterator[str]:
        """The names of the arrays."""
        return iter(self.arrays)

    def __contains__(self, name: object) -> bool:
        return name in self.arrays

    def keys(self) -> KeysView[str]:
        """The names of the arrays, so that ``dict(run)`` is a dictionary of them."""
        return self.arrays.keys()

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


def _frames_of(video: bytes) -> NDArray[np.uint8]:
    """The pictures of an MP4."""
    try:
        import imageio.v3 as iio
        import imageio_ffmpeg  # noqa: F401
    except ImportError:
        raise UsageError(
            "frames that are stored as MP4 need imageio and imageio-ffmpeg, which are not installed"
        ) from None
    frames: NDArray[np.uint8] = iio.imread(video, plugin="FFMPEG", extension=".mp4")
    return frames
