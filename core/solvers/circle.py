# SPDX-License-Identifier: MIT
"""The constraint of document 003, part 4.6, and the example of a custom joint: a
point of a body stays on a circle.

    C = |x| - radius    J = x^T / |x|

``x`` goes from the middle, the first anchor, to the point, the second one. Of a point of mass 1 at
(1, 0) that moves by (0.3, 2), the impulse is (-0.3, 0).
"""

from __future__ import annotations

import math

from .constraint import Constraint, ConstraintRow, Ends


class Circle(Constraint):
    """A point of the second body stays on a circle about a point of the first one."""

    numbers = {"radius": 1.0}  # noqa: RUF012
    lengths = ("radius",)
    radius: float

    def rows(self, ends: Ends) -> list[ConstraintRow]:
        x, y = ends.apart
        length = math.sqrt(x * x + y * y)
        u = (x / length, y / length) if length > 0.0 else (1.0, 0.0)
        return [ends.line(u, length - self.radius, name="circle")]
