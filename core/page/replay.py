# SPDX-License-Identifier: MIT
"""A run as one HTML file: its pictures drawn by the page, its numbers, its text."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..record.channel_units import shown_unit, unit_of
from ..record.channels import BODY_STATE, resolve_channels
from ..record.expect import Result
from ..record.frame import Frame
from ..record.trace import Trace
from ..render import Survey
from ..render.canvas.colors import parse_color
from ..render.marks.mechanics import joint_facts, parts_of, weight_of
from ..render.marks.plot_room import plot_room
from ..render.marks.scales import mass_of, mean_weight
from ..render.minimap import always_on_map, minimap_view, on_map
from ..render.renderer import line_unit
from ..render.sounds import Heard, encoded
from ..scene.model import Actuator, Body, Joint, Scene
from ..view.camera import NO_ROOM, Camera, View
from ..view.fit import fits_run
from ..view.strips import insets_of
from .backdrop import backdrop, layers
from .between import NEAR, filled
from .codes import Blob
from .document import document
from .film import Cast, add_contacts, add_film, add_sprites
from .fonts import fonts
from .notes import add_notes
from .sights import add_sights
from .sketch import Magnification, add_sketch
from .source_lines import source_lines
from .spans import add_channels, add_frame_spans
from .sparks import add_sparks
from .themes import themes, written
from .trails import Trails, add_trails

FORMAT = 1
UNITS = {
    **dict.fromkeys(("x", "y"), "length"),
    **dict.fromkeys(("vx", "vy", "speed"), "length/time"),
    **{"angle": "radian", "omega": "radian/time", "force": "force", "torque": "force*length"},
    **dict.fromkeys(("contact_force", "net_force", "motor_force"), "force"),
    "motor_torque": "force*length",
    **dict.fromkeys(("kinetic", "potential", "energy"), "energy"),
}
"""Readings of bodies, joints and the world on pages, with the engine's word for the unit."""
MOST_MARKS = 500
"""So many events have a mark on the time bar, at most."""
MOST_SOUNDS = 20_000
"""So many sounds of a run are heard in a page, at most."""
MOST_CHANNELS = 400
"""So many recorded channels are in a page, at most."""
UNMARKED = ("contact_begin", "contact_end", "end")


@dataclass(frozen=True, slots=True)
class Told:
    """Data of a run besides its frames.

    Attributes:
        events: (step, text) of events, as in a trace.
        results: results of the expectations.
        trace: recorded channels that a frame does not have.
        outcome: outcome of the run.
        spans: of each frame the least and the greatest values since the one before, as
            ``take_spans`` has them.
        sounds: the sounds of the run, in the order of time.
    """

    events: Sequence[tuple[int, str]] = ()
    results: Sequence[Result] = ()
    trace: Trace | None = None
    outcome: str = ""
    spans: Sequence[NDArray[np.float64]] = ()
    sounds: Sequence[Heard] = ()


@dataclass(frozen=True, slots=True)
class Style:
    """Style of a page: initial size and overlays, theme, frames per second; and whether somebody
    chose the theme for this page."""

    size: tuple[int, int]
    overlays: tuple[str, ...]
    theme: str
    fps: float
    chosen: bool = False


def replay_page(scene: Scene, frames: Iterable[Frame], style: Style, told: Told) -> str:
    """The page of a run, as HTML."""
    shown = list(frames)
    data, packed = pack(scene, shown, style, told)
    return document(scene.name or "A run", data, {"rigid-film": packed})


def pack(
    scene: Scene,
    frames: Sequence[Frame],
    style: Style,
    told: Told,
    seen: Sequence[Frame] | None = None,
    dressed: Callable[[Scene], Scene] | None = None,
) -> tuple[dict[str, Any], str]:
    """The page's data, and its arrays as letters; ``fit`` shows the frames ``seen``, or all.

    Bodies and joints are drawn as ``dressed`` returns them.
    """
    cast = Cast(scene, frames)
    shown = cast.scene if dressed is None else dressed(cast.scene)
    inner = insets_of(scene, style.size, line_unit(style.size)).inner(style.size)
    views = camera_views(scene, frames, inner, seen, style.overlays)
    drawn = Magnification(views[0].scale, line_unit(style.size))
    near = NEAR * drawn.unit / max(view.scale for view in views)
    moments, rows = filled(scene, frames, near)
    if len(moments) > len(frames):
        whole = frames if seen is None else seen
        views = camera_views(scene, moments, inner, whole, style.overlays)
    blob = Blob()
    sketch = add_sketch(blob, on_map(shown), drawn, scene.bodies)
    add_film(blob, cast, frames, moments, drawn.scale, style.fps)
    add_sprites(blob, frames, sketch.sprites)
    has_contacts = add_contacts(blob, cast, frames, drawn.scale)
    _add_views(blob, views)
    has_sights = add_sights(blob, frames) if scene.probes else False
    add_trails(blob, cast, frames, Trails(scene, style.overlays, drawn))
    sparks = add_sparks(blob, scene, frames, drawn.scale)
    notes = add_notes(blob, scene, moments, rows, style.size, views)
    energies, loads = add_frame_spans(blob, told.spans)
    channels = _add_channels(blob, scene, frames, told.trace)
    recorded = resolve_channels(scene, scene.record.channels) if channels else ()
    units = {each.name: unit_of(each, scene) for each in recorded}
    data = described(shown, style, drawn)
    data |= {
        "colors": sketch.colors,
        "images": sketch.images,
        "aims": sketch.aims,
        "contacts": has_contacts,
        "emitters": sparks or [],
        "probes": has_sights,
        "left": _left_out(sparks is None, bool(scene.probes) and not has_sights),
        "minimap": minimap(scene, frames[0], inner),
        "backdrop": backdrop(scene, views[0], inner),
        "layers": layers(scene, views[0], inner),
        "known": {
            "energy": any(any(frame.energy) for frame in frames),
            "forces": any(frame.joint_force.any() for frame in frames),
        },
        "notes": notes.looks,
        "texts": notes.texts,
        "formulas": notes.formulas,
        "loads": loads,
        "energySpans": energies,
        "marks": _marks(scene, told),
        "outcome": told.outcome,
        "sounds": _sounds(scene, told.sounds),
        "channels": channels,
        "channelUnits": [units.get(name, "") for name in channels],
        "arrays": blob.table,
    }
    return data, blob.text()


def _sounds(scene: Scene, sounds: Sequence[Heard]) -> dict[str, Any]:
    """The sounds of a run with their times, in order, and the bytes of their files."""
    kept = sounds[:MOST_SOUNDS]
    names = dict.fromkeys(each.name for each in kept)
    files = {name: b64encode(encoded(name, scene)).decode("ascii") for name in names}
    plays = [[each.step * scene.world.dt, each.name, each.volume] for each in kept]
    return {"files": files, "plays": plays}


def _left_out(particles: bool, probes: bool) -> list[str]:
    """The parts of a run that are too many for a page."""
    known = {"particles": particles, "probes": probes}
    return [f"{name}, of which there are too many" for name, is_out in known.items() if is_out]


def described(scene: Scene, style: Style, drawn: Magnification) -> dict[str, Any]:
    """Data of a scene for a page, with everything that ever exists in it, without its look."""
    rows = {name: row for row, name in enumerate(scene.bodies)}
    insets = insets_of(scene, style.size, line_unit(style.size))
    return {
        "format": FORMAT,
        "name": scene.name,
        "description": scene.description,
        "hasPlayer": scene.has_player,
        "text": scene.text,
        "lines": source_lines(scene.text),
        "units": {
            "length": scene.units.length,
            "time": scene.units.time,
            "second": scene.units.time_per_second,
            "yDown": scene.units.y_down,
            "of": {name: shown_unit(unit, scene.units) for name, unit in UNITS.items()},
        },
        "size": list(insets.inner(style.size)),
        "insets": [insets.left, insets.top, insets.right, insets.bottom],
        "scale": drawn.scale,
        "unit": drawn.unit,
        "fps": style.fps,
        "theme": style.theme,
        "own": style.chosen or style.theme != "light",
        "keeps": scene.render.background is not None,
        "overlays": list(style.overlays),
        "themes": themes(scene),
        "weight": mean_weight(scene),
        **fonts(scene),
        "pools": len(scene.world.pools),
        "mapped": [rows[name] for name in always_on_map(scene)],
        "bodies": [_body(body, scene) for body in scene.bodies.values()],
        "joints": [_joint(joint, rows) for joint in scene.joints.values()],
        "actuators": [_actuator(each, rows) for each in scene.actuators.values()],
    }


def minimap(scene: Scene, first: Frame, size: tuple[int, int]) -> dict[str, Any] | None:
    """Size, position and view of the minimap in a picture of a size."""
    if scene.minimap is None:
        return None
    small, view = minimap_view(scene, scene.minimap, first, size)
    place = {"scale": view.scale, "x": view.shift_x, "y": view.shift_y}
    return {"corner": scene.minimap.corner, "size": small, "view": place}


def camera_views(
    scene: Scene,
    frames: Sequence[Frame],
    size: tuple[int, int],
    seen: Sequence[Frame] | None = None,
    overlays: Sequence[str] = (),
) -> list[View]:
    """The view of the scene's own camera in each frame."""
    box, room = None, NO_ROOM
    if fits_run(scene):
        survey = Survey(scene, frames if seen is None else seen)
        box = survey.box()
        room = plot_room(scene, size, line_unit(size), overlays, survey, box)
    camera = Camera(scene, size, frames[0], box, room)
    return [camera.view(frame) for frame in frames]


def _add_views(blob: Blob, views: Sequence[View]) -> None:
    """One view if the camera rests."""
    kept = views[:1] if all(view == views[0] for view in views) else views
    numbers = np.array([(view.scale, view.shift_x, view.shift_y) for view in kept])
    for i, name in enumerate(("scale", "x", "y")):
        blob.add_exact(f"view.{name}", numbers[:, i])


def _body(body: Body, scene: Scene) -> dict[str, Any]:
    plain: dict[str, Any] = {"name": body.name, "kind": body.kind}
    if not body.visible:
        plain["hidden"] = True
    if body.kind == "dynamic":
        plain["mass"] = float(f"{mass_of(body):.6g}")
        plain["weight"] = [float(f"{part:.6g}") for part in weight_of(body, scene)]
    parts = parts_of(body)
    if parts:
        plain["parts"] = [[float(f"{x:.6g}") for point in part for x in point] for part in parts]
    if body.trail is not None:
        plain["trail"] = body.trail.length
        if body.trail.color is not None:
            plain["trailColor"] = written(parse_color(body.trail.color))
    return plain


def _joint(joint: Joint, rows: dict[str, int]) -> dict[str, Any]:
    return {
        "name": joint.name,
        "kind": joint.kind,
        "a": rows.get(joint.body_a, -1),
        "b": rows.get(joint.body_b, -1),
        "anchorA": list(joint.anchor_a),
        "anchorB": list(joint.anchor_b),
        **_facts(joint),
    }


def _facts(joint: Joint) -> dict[str, Any]:
    """The limits of a joint; null means no limit."""
    facts = asdict(joint_facts(joint))
    if not (facts["moves"] or facts["holds"]):
        return {"axis": list(joint.axis)} if joint.kind == "axial_motor" else {}
    plain = {name: None if each in (inf, -inf) else each for name, each in facts.items()}
    return {"facts": plain, "axis": list(joint.axis), "reference": joint.reference_angle}


def _actuator(each: Actuator, rows: dict[str, int]) -> dict[str, Any]:
    return {
        "name": each.name,
        "kind": each.kind,
        "bodies": [rows[name] for name in each.bodies if name in rows],
        "at": each.at,
        "force": list(each.force),
        **({"direction": list(each.direction)} if each.kind == "axial_friction" else {}),
        "visible": each.visible,
    }


def _marks(scene: Scene, told: Told) -> list[dict[str, Any]]:
    """Marks of the time bar: events and expectations, in the order of time."""
    marks: list[dict[str, Any]] = [
        {"time": step * scene.world.dt, "kind": "event", "text": text}
        for step, text in told.events
        if not text.startswith(UNMARKED)
    ][:MOST_MARKS]
    return sorted([*marks, *marks_of(told.results)], key=lambda mark: float(mark["time"]))


def marks_of(results: Sequence[Result]) -> Iterator[dict[str, Any]]:
    """Marks of expectations."""
    for result in results:
        if isfinite(result.time):
            kind = "held" if result.passed else "failed"
            text = result.text if result.passed else f"{result.text}: {result.message}"
            yield {"time": result.time, "kind": kind, "text": text}


def _add_channels(
    blob: Blob, scene: Scene, frames: Sequence[Frame], trace: Trace | None
) -> list[str]:
    """Recorded channels that the page cannot read from the frames, at the frames' times."""
    if trace is None or scene.record.channels is None or not len(trace):
        return []
    names = [name for name in trace.channels if not _is_state(name, scene)][:MOST_CHANNELS]
    times = np.array([frame.time for frame in frames])
    rows = np.clip(np.searchsorted(trace.t, times + 1e-9, side="right") - 1, 0, len(trace) - 1)
    columns = [trace.channels.index(name) for name in names]
    blob.add_floats("channels", trace.values[rows][:, columns])
    add_channels(blob, trace, columns, rows)
    return names


def _is_state(channel: str, scene: Scene) -> bool:
    """Whether the page has this channel for every body."""
    owner, _, quantity = channel.rpartition(".")
    return quantity in BODY_STATE and owner in scene.bodies
