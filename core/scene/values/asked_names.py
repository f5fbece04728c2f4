# SPDX-License-Identifier: MIT
"""State names of what is asked of a run: of probes, and of the camera's view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...nearest import nearest_name
from ..probe_model import FOUND, PROBE_STATES
from .broken import is_read
from .state_words import CAMERA, CAMERA_STATES
from .unknown_readings import unless_known

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


def probe_problem(name: str, owner: str, rest: str, scene: Scene) -> str:
    """Why a probe has no such number; empty where it has."""
    probe = scene.probes[owner]
    if not is_read(probe) or found_of(probe, rest, scene)[0]:
        return ""
    section, _, found = rest.partition(".")
    if probe.kind == "velocity" or section not in FOUND:
        more = () if probe.kind == "velocity" else tuple(f"{each}.NAME" for each in FOUND)
        return unless_known(rest, (*probe_readings(probe), *more), owner, name)
    if not found:
        such = {"bodies": "car", "tags": "wall", "groups": "cars"}[section]
        return f"`{name}` needs a name, such as `{owner}.{section}.{such}`"
    what = {"bodies": "body", "tags": "tag", "groups": "group"}[section]
    known = {"bodies": scene.bodies, "tags": scene.body_tags, "groups": scene.groups}[section]
    near = nearest_name(found, [*known][:20_000])
    return f"there is no {what} `{found}`" + (f"; did you mean `{near}`?" if near else "")


def camera_problem(rest: str, name: str, scene: Scene) -> str:
    """Why the camera's view has no such number, or none that is known in a run."""
    problem = unless_known(rest, CAMERA_STATES, CAMERA, name)
    if problem or not is_read(scene.camera):
        return problem
    mode, fit = scene.camera.mode, scene.camera.fit
    if mode == "fit" and fit == "run" and scene.camera.start is None:
        return (
            f"`{name}` would depend on the rest of the run: the camera shows all of it; give it "
            "`camera: {fit: start}`, or the mode region, follow or keys"
        )
    return ""
