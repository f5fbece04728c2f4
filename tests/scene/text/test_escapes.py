# SPDX-License-Identifier: MIT
"""Commands of TeX in double quotes of which YAML makes tabs and line breaks."""

from __future__ import annotations

from rigid2d.core.scene import loads

SCENE = """\
rigid: 1
name: {}
bodies: {{ball: {{shape: {{circle: 1}}}}}}
annotations: [{{text: {}, corner: top}}]
"""
MEANT = (r"one\nnow\ttotal", r"\ttan", r"$\\theta$\ntext", r"\\nu", r"$5\nnow $6")
SLIPS = {
    r"at \theta": r"`\theta` makes a tab and `heta` here",
    r"$\nu$": r"`\nu` makes a line break and `u` here",
    r"$x \neq y$": r"`\neq` makes a line break",
    r"line\n$a \times b$": r"`\times` makes a tab",
    r"$x \to y$": r"`\to` makes a tab",
}


def test_commands_in_double_quotes_are_warned_of_at_their_text() -> None:
    for text, message in SLIPS.items():
        scene = loads(SCENE.format('"a"', f'"{text}"'))
        (warning,) = scene.warnings
        assert (warning.line, warning.column) == (4, 22)
        assert message in warning.message
        assert "single quotes" in warning.message


def test_tabs_and_line_breaks_that_are_meant_are_not() -> None:
    for text in MEANT:
        assert loads(SCENE.format('"a"', f'"{text}"')).warnings == (), text
    assert loads(SCENE.format("'a'", r"'$\theta\nu$'")).warnings == ()
