# SPDX-License-Identifier: MIT
"""Output in notebooks, and traces as tables of other libraries."""

from __future__ import annotations

import base64
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
import rigid2d.core
from PIL import Image
from rigid2d.core.errors import UsageError

SWING = """
rigid: 1
name: <b>Swing</b> & "co"
description: A <script>alert(1)</script> pendulum
world: {duration: 0.5}
bodies: {bob: {shape: {circle: 0.2}, position: [1, 0]}}
joints: {rod: {type: distance, bodies: [world, bob]}}
render: {size: [160, 120], fps: 20}
"""


@pytest.fixture(scope="module")
def scene():
    return rigid2d.core.loads(SWING)


def test_a_scene_shows_its_picture_and_what_it_says(scene):
    shown = scene._repr_html_()
    data = re.search(r'src="data:image/png;base64,([^"]+)"', shown)
    assert data is not None
    assert Image.open(io.BytesIO(base64.b64decode(data[1]))).size == (160, 120)
    assert "1 bodies, 1 joints, 30 steps" in shown
    assert "&lt;script&gt;" in shown
    assert "<script>" not in shown
    assert "<b>" not in shown


@pytest.mark.parametrize(("kind", "tag"), [("gif", "<img"), ("webp", "<img"), ("mp4", "<video")])
def test_a_run_shows_its_movie(scene, kind, tag, tmp_path):
    made = rigid2d.core.movie(scene, kind=kind, seconds=0.2, size=(64, 48))
    shown = made._repr_html_()
    assert shown.startswith(tag)
    assert "<b>" not in shown
    made.save(tmp_path / f"swing.{kind}")
    assert (tmp_path / f"swing.{kind}").read_bytes() == made.data
    with pytest.raises(UsageError, match=rf"its file ends in \.{kind}"):
        made.save(tmp_path / "swing.png")


def test_a_movie_is_what_the_command_writes(scene, tmp_path):
    made = rigid2d.core.movie(scene)
    assert Image.open(io.BytesIO(made.data)).n_frames == 10


@pytest.mark.parametrize("seconds", [0, -1, 3])
def test_a_movie_of_more_than_the_run_is_refused(scene, seconds):
    with pytest.raises(UsageError, match="seconds"):
        rigid2d.core.movie(scene, seconds=seconds)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_trace_is_a_table_of_another_library(scene, library):
    pytest.importorskip(library)
    trace = rigid2d.core.simulate(scene)
    method = {"pandas": trace.to_pandas, "polars": trace.to_polars, "pyarrow": trace.to_arrow}
    table = method[library]()
    names = table.column_names if library == "pyarrow" else list(table.columns)
    assert names == ["t", "step", *trace.channels]
    assert np.array_equal(np.asarray(table["bob.x"]), trace["bob"].x)
    if library == "pyarrow":
        assert json.loads(table.schema.metadata[b"rigid"])["scene_hash"] == scene.hash
    if library == "pandas":
        assert table.attrs["scene_hash"] == scene.hash


def test_a_library_that_is_missing_names_the_extra(scene, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "polars", None)
    with pytest.raises(UsageError, match=r"polars is not installed.*rigid2d\[tables\]"):
        rigid2d.core.simulate(scene).to_polars()


def test_the_notebook_runs():
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    path = Path(__file__).resolve().parents[2] / "docs/examples/pendulum.ipynb"
    notebook = nbformat.read(path, as_version=4)
    client.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": path.parent}}
    ).execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    htmls = [output.data.get("text/html", "") for output in shown if "data" in output]
    assert any("data:image/png" in each for each in htmls)
    assert any("data:image/gif" in each for each in htmls)
    assert any("srcdoc" in each for each in htmls)
