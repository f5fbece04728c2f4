# SPDX-License-Identifier: MIT
"""The registry of viewers: functions that draw plain data, by name.

A scene and a trace show themselves in a notebook, and a body shows another scene, but they lie
floors below what runs and draws. They ask here, and that is imported when it is needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

VIEWERS = {
    "notebook of a data set": "dataset.face.dataset_view",
    "notebook of a scene": "jobs.notebook.scene_view",
    "notebook of a study": "study.face.study_view",
    "notebook of a trace": "page.trace_page.notebook_view",
    "notebook of a world": "jobs.notebook.world_view",
    "page of a trace": "page.trace_page.trace_page",
    "pictures of a scene": "jobs.inner_pictures.inner_pictures",
}
"""The module of each of them, from the library's folder."""


def view(viewer: str, subject: Any, *more: Any) -> Any:
    """Return the HTML or the pictures of a subject."""
    module, _, name = VIEWERS[viewer].rpartition(".")
    return getattr(import_module(f".{module}", __package__), name)(subject, *more)
