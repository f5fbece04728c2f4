# SPDX-License-Identifier: MIT
"""Scenes to start from, as texts."""

from __future__ import annotations

from pathlib import Path

STARTS = {"a hinge and a rod": "joints", "a machine": "machine", "terrain": "terrain"}
"""The templates that an empty scene offers in the page of `rigid edit`, by what they are called."""
EMPTY = """\
rigid: 1
world: {duration: 10}
bodies:
  ground: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}
"""
"""A scene with nothing but the ground."""


def scene_templates() -> dict[str, str]:
    """The texts of the templates for the page."""
    folder = Path(__file__).parent
    return {
        name: (folder / f"{file}.yaml").read_text(encoding="utf-8").replace("{title}", name)
        for name, file in STARTS.items()
    }
