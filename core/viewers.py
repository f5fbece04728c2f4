# SPDX-License-Identifier: MIT
"""The registry of viewers: functions that draw plain data, by name.

A scene and a trace show themselves in a notebook, but lie floors below the drawing. They ask here,
and the drawing is imported when it is needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

VIEWERS = {
    "notebook of a scene": "jobs.notebook.scene_view",
    "notebook of a trace": "page.trace_page.notebook_view",
    "page of a trace": "page.trace_page.trace_page",
}
"""Where each of them is, from the library's folder."""


def view(viewer: str, subject: Any, *more: Any) -> str:
    """Return the HTML of a subject."""
    module, _, name = VIEWERS[viewer].rpartition(".")
    made: str = getattr(import_module(f".{module}", __package__), name)(subject, *more)
    return made
