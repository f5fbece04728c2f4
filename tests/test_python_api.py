"""The page on the Python API: its blocks run, one after the other, and it names what there is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import rigid.core
from rigid.core.world import ActuatorHandle, BodyHandle, JointHandle, World

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "python-api.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_blocks_run_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert len(BLOCKS) > 8
    names: dict[str, object] = {"__name__": "page"}
    for number, block in enumerate(BLOCKS, start=1):
        exec(compile(block, f"python-api.md, block {number}", "exec"), names)


@pytest.mark.parametrize("kind", [World, BodyHandle, JointHandle, ActuatorHandle])
def test_the_page_names_every_public_attribute(kind: type) -> None:
    public = [name for name in vars(kind) if not name.startswith("_")]
    internal = {
        "channel_codes",
        "centers",
        "raise_error",
        "native",
        "scene",
        "name",
        "index",
        "world",
        "next_stop",
    }
    missing = [n for n in public if n not in internal and not re.search(rf"\b{n}\b", PAGE)]
    assert missing == []


def test_every_exported_name_exists() -> None:
    for name in rigid.core.__all__:
        assert getattr(rigid.core, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'sim'"):
        _ = rigid.core.sim


def test_the_package_imports_no_heavy_library() -> None:
    code = (
        "import sys, rigid.core;"
        "print([m for m in ('numpy', 'pydantic', 'yaml', 'PIL') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
