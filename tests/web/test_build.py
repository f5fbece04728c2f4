# SPDX-License-Identifier: MIT
"""The sources of the engine for browsers."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

import pytest
from rigid2d.core import _native

from tests.scenes import ROOT


@pytest.fixture(scope="module")
def build() -> ModuleType:
    spec = spec_from_file_location("web_build", ROOT / "core" / "web" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_source_exists(build: ModuleType) -> None:
    assert [name for name in build.sources() if not (build.NATIVE / name).is_file()] == []


def test_sources_of_python_and_of_attaching_are_left_out(build: ModuleType) -> None:
    texts = [(build.NATIVE / name / "sources.cmake").read_text() for name in build.LISTS]
    left = set(re.findall(r"[\w/]+\.cpp", "\n".join(texts))) - set(build.sources())
    assert {"script/acting/attaching.cpp", "script/reading/read_attachment.cpp"} < left


def test_the_module_says_of_which_sources_it_is(build: ModuleType) -> None:
    assert build.source_digest() == _native.source_digest
    module = build.stamped(b"\0asm\1\0\0\0", _native.source_digest)
    length = 1 + len(build.SECTION) + 64
    assert module[8:10] == bytes([0, length])
    assert len(module) == 10 + length
    assert module.endswith(_native.source_digest.encode())
