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


@pytest.mark.parametrize("module", ["rigid2d.core", "rigid2d.cli.main", "rigid2d.core.world"])
def test_nothing_of_an_extra_is_imported_with_the_library(module: str) -> None:
    import subprocess

    libraries = ("matplotlib", "pyarrow", "scipy", "gymnasium", "distributed", "websockets")
    code = f"import sys, {module}; print([n for n in {libraries!r} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "[]"
