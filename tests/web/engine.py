# SPDX-License-Identifier: MIT
"""The engine as WebAssembly in node, where both are there."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
WEB = HERE.parents[1] / "core" / "web"
OLDEST = 18
"""The first version of node with exceptions of WebAssembly and global `fetch`."""


def need_module() -> None:
    """Skip a test where the engine was not built for browsers."""
    if not (WEB / "librigid.wasm").is_file():
        pytest.skip("core/web/librigid.wasm was not built (make web, which needs ziglang)")


def node_program() -> str:
    """The path of node; skips a test where there is none."""
    need_module()
    program = shutil.which("node")
    if program is None:
        pytest.skip("node is not installed, so WebAssembly is not tried in it")
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    if int(version.stdout.strip("v\n").partition(".")[0]) < OLDEST:
        pytest.skip(f"node is older than {OLDEST}")
    return program


def run_node(script: str | Path, *arguments: str | Path) -> Any:
    """What a script of this folder prints, as JSON."""
    done = subprocess.run(
        [node_program(), str(HERE / script), *map(str, arguments)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)
