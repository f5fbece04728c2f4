# SPDX-License-Identifier: MIT
"""A recorded trace as a page, and as output of a notebook."""

from __future__ import annotations

from html import escape

import numpy as np

from ..errors import UsageError
from ..record.trace import Trace, frames_of_trace
from ..scene.model import Scene
from .replay import Style, Told, replay_page

MOST_SHOWN = 1 << 24
"""A notebook shows a page of at most so many bytes, and of a longer run its table."""
MOST_ROWS = 60
"""A table lists at most so many channels."""


def trace_page(trace: Trace, scene: Scene | None = None) -> str:
    """Return a page that plays a recorded run, as HTML.

    ``scene`` is the scene of the run if the trace has none, as after it was read from a file.
    Contacts, sleep and forces of joints are not in a trace, and not in the page.

    Raises:
        UsageError: when the scene is not known or another one, or when bodies were not recorded.
    """
    scene = trace.scene if scene is None else scene
    if scene is None:
        raise UsageError("a trace that was read from a file needs its scene: to_html(scene=scene)")
    if not len(trace):
        raise UsageError("the trace has no rows, so that there is nothing to play")
    rate = scene.units.time_per_second / scene.render.fps
    times = np.arange(trace.t[0], trace.t[-1], rate)
    frames = frames_of_trace(scene, trace, [*times.tolist(), float(trace.t[-1])])
    render = scene.render
    style = Style(render.size, render.overlays, render.theme, render.fps)
    return replay_page(scene, frames, style, Told(trace.events, trace=trace))


def notebook_view(trace: Trace) -> str:
    """The page in a frame of a notebook; a table of the channels where there can be none."""
    try:
        page = trace_page(trace)
    except UsageError:
        return _table(trace)
    if len(page) > MOST_SHOWN:
        return _table(trace)
    return (
        f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" title="{escape(_title(trace))}" '
        'style="width:100%;height:720px;border:0"></iframe>'
    )


def _title(trace: Trace) -> str:
    return trace.scene_name or "A run"


def _table(trace: Trace) -> str:
    rows = "".join(
        f"<tr><td>{escape(name)}</td>"
        + "".join(f"<td>{value:.6g}</td>" for value in _summary(trace, column))
        + "</tr>"
        for column, name in enumerate(trace.channels[:MOST_ROWS])
    )
    more = len(trace.channels) - MOST_ROWS
    rest = f"<tr><td colspan=5>and {more} more</td></tr>" if more > 0 else ""
    return (
        f"<table><caption>{escape(_title(trace))}: {len(trace)} rows</caption><thead><tr>"
        "<th>channel</th><th>first</th><th>last</th><th>least</th><th>greatest</th></tr></thead>"
        f"<tbody>{rows}{rest}</tbody></table>"
    )


def _summary(trace: Trace, column: int) -> tuple[float, float, float, float]:
    values = trace.values[:, column]
    values = values[np.isfinite(values)]
    if not len(values):
        return (float("nan"),) * 4
    return float(values[0]), float(values[-1]), float(values.min()), float(values.max())
