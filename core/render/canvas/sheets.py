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
    """The pictures of a sheet, as rows of the table of pictures, and which is shown when."""

    texture: Texture
    pictures: tuple[int, ...]
    chosen: StateExpression | None
    seconds: float  # how many a unit of scene time is

    def picture(self, frame: Frame) -> int:
        """The picture that a frame shows."""
        texture, count = self.texture, len(self.pictures)
        if self.chosen is not None:
            number = self._reading(self.chosen, frame)
        elif texture.frame is not None:
            number = float(texture.frame)
        else:
            number = frame.time * self.seconds * texture.fps
        if not abs(number) < 1e15:
            return self.pictures[0]
        # A time that was rounded just below a picture's beginning is that beginning.
        place = floor(number + 1e-9)
        return self.pictures[place % count if texture.loop else min(max(place, 0), count - 1)]

    @staticmethod
    def _reading(chosen: StateExpression, frame: Frame) -> float:
        try:
            return float(chosen.evaluate(frame.values))
        except (ExpressionError, ArithmeticError):  # it has no value now, such as after 1 / 0
            return 0.0
