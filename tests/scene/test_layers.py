# SPDX-License-Identifier: MIT
"""What may stand in ``layers`` and ``minimap``."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rigid2d.core.errors import Problem


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("layers: [{at: [0, 0]}]", "`image` is missing"),
        ("layers: [{image: a.png}]", "a scene read from a text has no folder"),
        ("layers: [{image: a.png, repeat: z}]", "must be one of none, x, y, both"),
        ("layers: [{image: a.png, paralax: 1}]", "did you mean `parallax`?"),
        ("layers: [{image: a.png, scale: 0}]", "must be greater than 0"),
        ("minimap: {size: 2}", "must be at most 0.6"),
        ("minimap: {rect: [[1, 1], [0, 0]]}", "the first corner has the smaller x"),
        ("minimap: {also: [bal]}", "no body has the name or the tag `bal`; did you mean `ball`?"),
        ("minimap: {corner: top}", "must be one of top_left"),
    ],
)
def test_a_mistake_is_told(problems: Callable[..., list[Problem]], text: str, message: str) -> None:
    assert any(message in problem.message for problem in problems(text))
