# SPDX-License-Identifier: MIT
"""The state names of probes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..probe_model import FOUND, PROBE_STATES

if TYPE_CHECKING:
    from ..model import Scene
    from ..probe_model import Probe


def probe_readings(probe: Probe) -> tuple[str, ...]:
    """The names of the numbers that a probe gives, but those of what it finds."""
    return PROBE_STATES[probe.kind]


def found_of(probe: Probe, rest: str, scene: Scene) -> tuple[str, str]:
    """The section and the name in ``tags.wall``, of what a probe finds; empty for no such name."""
    section, _, name = rest.partition(".")
    if probe.kind == "velocity" or section not in FOUND or not name:
        return "", ""
    if section == "bodies":
        within = (f"{name}.", f"{name}[")
        known = name in scene.bodies or any(each.startswith(within) for each in scene.bodies)
    else:
        known = name in (scene.body_tags if section == "tags" else scene.groups)
    return (section, name) if known else ("", "")
