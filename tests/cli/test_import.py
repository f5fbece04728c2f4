# SPDX-License-Identifier: MIT
"""rigid import: files, streams, exit codes."""

from __future__ import annotations

import pytest
from rigid2d.core.scene import load

DRAWING = """\
<svg xmlns="http://www.w3.org/2000/svg">
  <circle id="ball" cx="10" cy="10" r="5" data-body="dynamic"/>
</svg>
"""
WITH_TEXT = DRAWING.replace("</svg>", "  <text>hello</text>\n</svg>")


@pytest.fixture
def drawing(tmp_path):
    path = tmp_path / "drawing.svg"
    path.write_text(DRAWING)
    return path


@pytest.fixture
def lossy(tmp_path):
    path = tmp_path / "lossy.svg"
    path.write_text(WITH_TEXT)
    return path


def test_import_writes_a_scene(rigid, drawing, tmp_path):
    done = rigid("import", drawing, "-o", tmp_path / "made.yaml")
    assert (done.code, done.out) == (0, "")
    assert list(load(tmp_path / "made.yaml").bodies) == ["ball"]
    assert "svg" in done.err


def test_import_prints_the_scene_without_an_output(rigid, drawing):
    done = rigid("import", drawing, "--quiet")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("# Imported from drawing.svg (svg).\n")


def test_import_reads_standard_input(process):
    done = process("import", "-", "--from", "svg", stdin=DRAWING.encode())
    assert done.returncode == 0
    assert b"ball:" in done.stdout


def test_losses_are_told_with_their_places(rigid, lossy):
    done = rigid("import", lossy)
    assert done.code == 0
    assert f"{lossy}:3:3: svg.text[0]: <text> is not read" in done.err


def test_a_loss_fails_a_strict_import_after_the_scene_is_written(rigid, lossy, drawing, tmp_path):
    assert rigid("import", lossy, "-o", tmp_path / "made.yaml", "--strict").code == 1
    assert (tmp_path / "made.yaml").exists()
    assert rigid("import", drawing, "--strict").code == 0


def test_json_has_counts_losses_and_the_text(rigid, lossy, tmp_path):
    told = rigid("import", lossy, "--json").json
    assert (told["ok"], told["format"], told["bodies"]) == (True, "svg", 1)
    assert told["losses"] == [
        {"path": "svg.text[0]", "line": 3, "column": 3, "message": "<text> is not read"}
    ]
    assert told["text"].endswith("\n")
    told = rigid("import", lossy, "--json", "-o", tmp_path / "made.yaml").json
    assert "text" not in told
    assert told["output"] == str(tmp_path / "made.yaml")


def test_a_mistake_is_exit_code_2_and_leaves_the_older_file(rigid, tmp_path):
    path, made = tmp_path / "wrong.svg", tmp_path / "made.yaml"
    path.write_text("<svg><rect width='1q' height='2'/></svg>")
    made.write_text("older")
    done = rigid("import", path, "-o", made)
    assert (done.code, made.read_text()) == (2, "older")
    assert "wrong.svg:1:6: error: svg.rect[0]: `width` must be a length" in done.err


def test_the_file_that_is_read_is_not_written(rigid, drawing):
    assert rigid("import", drawing, "-o", drawing).code == 2
    assert drawing.read_text() == DRAWING


def test_an_unknown_format_is_exit_code_2(rigid, drawing):
    done = rigid("import", drawing, "--from", "obj")
    assert done.code == 2
    assert "xmanphysics" in done.err


def test_a_scene_of_rigid_is_not_imported(rigid, hello):
    assert "this is a scene of rigid already" in rigid("import", hello).err
