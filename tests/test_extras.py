# SPDX-License-Identifier: MIT
"""What is installed apart, and what errors say of it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

tomllib = pytest.importorskip("tomllib")

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
TEXTS = {
    path: path.read_text(encoding="utf-8")
    for folder in ("core", "cli", "docs", "tests")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".py", ".md")
}


def test_each_extra_that_is_named_can_be_installed() -> None:
    named = {name for text in TEXTS.values() for name in re.findall(r"rigid2d\[([a-z-]+)\]", text)}
    assert named
    assert named <= set(EXTRAS)


def test_the_plain_install_stays_small() -> None:
    names = {re.split(r"[>=;\[ ]", each)[0] for each in PROJECT["dependencies"]}
    assert names == {
        *("typer", "rich", "pyyaml", "pydantic", "numpy", "pillow", "imageio", "imageio-ffmpeg"),
        "tomli",  # where Python itself has none
    }


def test_the_small_install_lacks_ffmpeg_alone_and_tests_scenes() -> None:
    import subprocess

    page = TEXTS[ROOT / "docs" / "ci.md"]
    listed = re.findall(r"^    pip install (typer .*)$", page, re.MULTILINE)
    names = {re.split(r"[>=;\[ ]", each)[0] for each in PROJECT["dependencies"]}
    assert [set(each.split()) for each in listed] == [
        names - {"imageio", "imageio-ffmpeg", "tomli"}
    ]
    code = (
        "import sys; sys.modules.update(imageio=None, imageio_ffmpeg=None)\n"
        "from rigid2d.cli.main import program; program()"
    )
    scene = ROOT / "scenes/basics/hello.yaml"
    done = subprocess.run([sys.executable, "-c", code, "test", scene], timeout=120)
    assert done.returncode == 0


@pytest.mark.parametrize("module", ["rigid2d.core", "rigid2d.cli.main", "rigid2d.core.world"])
def test_nothing_of_an_extra_is_imported_with_the_library(module: str) -> None:
    import subprocess

    libraries = ("matplotlib", "pyarrow", "scipy", "gymnasium", "distributed", "websockets")
    code = f"import sys, {module}; print([n for n in {libraries!r} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "[]"
