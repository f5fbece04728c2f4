# SPDX-License-Identifier: MIT
"""Sheets of pictures on bodies, of which a frame shows one."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor

from ...record.frame import Frame
from ...scene.model import Texture
from ...scene.values.expression import ExpressionError, StateExpression


@dataclass(frozen=True, slots=True)
class Sprite:
    """The pictures of a sheet, as rows of the table of pictures, and which is shown when.

    With ``mirrored`` as many more pictures follow, the mirrored ones, which are shown while it is
    true.
    """

    texture: Texture
    pictures: tuple[int, ...]
    chosen: StateExpression | None
    seconds: float  # how many a unit of scene time is
    mirrored: StateExpression | None = None

    def picture(self, frame: Frame) -> int:
        """The picture that a frame shows."""
        if self.mirrored is None:
            return self.pictures[self._place(frame, len(self.pictures))]
        half = len(self.pictures) // 2
        after = half if self._reading(self.mirrored, frame) > 0.0 else 0
        return self.pictures[after + self._place(frame, half)]

    def _place(self, frame: Frame, count: int) -> int:
        texture = self.texture
        if self.chosen is not None:
            number = self._reading(self.chosen, frame)
        elif texture.frame is not None:
            number = float(texture.frame)
        else:
            number = frame.time * self.seconds * texture.fps
        if not abs(number) < 1e15:
            return 0
        # A time that was rounded just below a picture's beginning is that beginning.
        place = floor(number + 1e-9)
        return place % count if texture.loop else min(max(place, 0), count - 1)

    @staticmethod
    def _reading(chosen: StateExpression, frame: Frame) -> float:
        try:
            return float(chosen.evaluate(frame.values))
        except (ExpressionError, ArithmeticError):  # it has no value now, such as after 1 / 0
            return 0.0
