# SPDX-License-Identifier: MIT
"""A data set in a notebook: its splits, the first pictures of some runs, and their values."""

from __future__ import annotations

import base64
from html import escape
from typing import Any

from ..errors import RigidError
from ..render.encoders.images import png_bytes
from ..study.face import face, table
from .reading import Dataset

FIRST = 6
"""Runs that are shown."""


def dataset_view(found: Dataset) -> str:
    """Return a data set as HTML."""
    frames = sum(each["frames"] for each in found.runs)
    splits = ", ".join(
        f"{sum(each['split'] == name for each in found.runs):,} {name}" for name in found.splits
    )
    failed = f", {found.failures:,} failed" if found.failures else ""
    head = f"{len(found):,} runs ({splits}){failed}, {frames:,} frames"
    rows: list[dict[str, Any]] = [
        {"run": each["run"], "split": each["split"], **each["parameters"], "status": each["status"]}
        for each in found.runs[:FIRST]
    ]
    columns = [*rows[0]] if rows else []
    name = str(found.description["scene"].get("name") or found.address)
    return face(name, head, _pictures(found) + table(columns, rows, len(found.runs)))


def _pictures(found: Dataset) -> str:
    """The last pictures of the first runs, if there are any."""
    if "frames" not in found.description["dataset"]["what"]:
        return ""
    shown = []
    try:
        for run in found[:FIRST]:
            data = base64.b64encode(png_bytes(run.frames[-1])).decode()
            alt = escape(f"run {run.number}")
            shown.append(f'<img src="data:image/png;base64,{data}" alt="{alt}" height="96">')
    except RigidError as error:
        return f"<pre>{escape(str(error))}</pre>"
    return f"<div>{' '.join(shown)}</div>"
