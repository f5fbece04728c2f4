# SPDX-License-Identifier: MIT
"""The page on the Python API: its blocks run, one after the other, and it names what there is."""

from __future__ import annotations

import dataclasses
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
import rigid2d.core
from rigid2d.core.jobs.gallery import SceneOutcome
from rigid2d.core.jobs.targets import Look, Target
from rigid2d.core.record.peaks import JointPeaks
from rigid2d.core.render import Output
from rigid2d.core.world import ActuatorHandle, BodyHandle, Contact, JointHandle, RayHit, World

from tests.rows import every_row

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


def test_the_package_itself_has_the_public_names_and_the_version() -> None:
    assert set(rigid2d.core.__all__) <= set(dir(rigid2d))
    assert (rigid2d.load, rigid2d.World) == (rigid2d.core.load, rigid2d.core.World)
    assert rigid2d.__version__ == version("rigid2d")
    with pytest.raises(AttributeError, match="module 'rigid2d' has no attribute 'wrold'"):
        _ = rigid2d.wrold


def test_the_package_is_the_command() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "rigid2d", "--version"], capture_output=True, text=True, timeout=120
    )
    assert told.stdout.splitlines()[0] == f"rigid {version('rigid2d')}"


@every_row("kind", [World, BodyHandle, JointHandle, ActuatorHandle])
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
        "end_stretch",
        "take_warnings",
        "physics_hash",
        "lineup",
    }
    missing = [n for n in public if n not in internal and not re.search(rf"\b{n}\b", PAGE)]
    assert missing == []


@every_row(
    "kind",
    [Contact, RayHit, Output, JointPeaks, SceneOutcome, Target, Look, rigid2d.core.Problem],
)
def test_the_page_names_every_field(kind: type) -> None:
    missing = [f.name for f in dataclasses.fields(kind) if not re.search(rf"`{f.name}[`(]", PAGE)]
    missing = [name for name in missing if not re.search(rf"\b{name}\b[,)]", PAGE)]
    assert missing == []


def test_a_contact_tells_gap_press_and_friction_as_the_page_says() -> None:
    world = rigid2d.core.build(
        rigid2d.core.loads(
            """
            rigid: 1
            world: {gravity: [0, -10]}
            bodies:
              floor: {type: static, shape: {box: [20, 1]}, position: [0, -0.5], friction: 1}
              crate: {shape: {box: [1, 1]}, mass: 2, position: [0, 0.5], friction: 1}
            """
        )
    )
    for _ in range(60):
        world["crate"].apply_force((6, 0))
        world.step()
    contacts = world.query.contacts()
    pressed = sum(contact.normal_force for contact in contacts)
    held = sum(contact.tangent_force for contact in contacts)
    (a, b, (nx, ny)) = contacts[0].a, contacts[0].b, contacts[0].normal
    on_b = 1 if b == "crate" else -1
    assert {a, b} == {"floor", "crate"}
    assert pressed == pytest.approx(2 * 10, rel=1e-3)
    # The tangent is (ny, -nx). On the crate, pushed with 6 N, friction acts with -6 N.
    assert (ny * held * on_b, -nx * held * on_b) == pytest.approx((-6, 0), abs=0.01)
    assert all(abs(contact.separation) < 0.01 for contact in contacts)


def test_every_exported_name_exists() -> None:
    for name in rigid2d.core.__all__:
        assert getattr(rigid2d.core, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'sim'"):
        _ = rigid2d.core.sim


def test_the_package_imports_no_heavy_library() -> None:
    code = (
        "import sys, rigid2d.core;"
        "print([m for m in ('numpy', 'pydantic', 'yaml', 'PIL') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
