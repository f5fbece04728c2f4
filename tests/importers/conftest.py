# SPDX-License-Identifier: MIT
"""Files to import, written for these tests, and texts as if they were files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from rigid2d.core.importers import Import

from tests.importers import given

FILES = Path(__file__).parent / "files"


@pytest.fixture
def xman() -> Callable[..., Import]:
    return given.xman


@pytest.fixture
def box2d() -> Callable[..., Import]:
    return given.box2d


@pytest.fixture
def svg() -> Callable[..., Import]:
    return given.svg
