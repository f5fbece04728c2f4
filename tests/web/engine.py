# SPDX-License-Identifier: MIT
"""The engine as WebAssembly in node, where both are there."""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from rigid2d.core import _native

HERE = Path(__file__).parent
WEB = HERE.parents[1] / "core" / "web"
OLDEST = 18
"""The first version of node with exceptions of WebAssembly and global `fetch`."""


def need_module() -> None:
    """Skip a test where the engine was not built for browsers, or not of these sources."""
    file = WEB / "librigid.wasm"
    if not file.is_file():
        pytest.skip("core/web/librigid.wasm was not built (make web, which needs ziglang)")
    if not file.read_bytes().endswith(_native.source_digest.encode()):
        pytest.skip("core/web/librigid.wasm was built from other sources (make web)")


@cache
def node() -> str | None:
    """The path of a node that is new enough, if there is one."""
    program = shutil.which("node")
    if program is None:
        return None
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    return program if int(version.stdout.strip("v\n").partition(".")[0]) >= OLDEST else None


def node_program() -> str:
    """The path of node; skips a test where there is none, or no module for it."""
    need_module()
    program = node()
    if program is None:
        pytest.skip(f"node {OLDEST} or a newer one is not installed")
    return program


def run_node(script: str | Path, *arguments: str | Path) -> Any:
    """What a script of this folder prints of the module, as JSON."""
    node_program()
    return run_script(script, *arguments)


def run_script(script: str | Path, *arguments: str | Path) -> Any:
    """What a script of this folder prints, as JSON."""
    done = subprocess.run(
        [node() or "node", str(HERE / script), *map(str, arguments)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)
