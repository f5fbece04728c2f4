# SPDX-License-Identifier: MIT
"""A scene that is edited in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.page.chromium import Tabs

GROUND = """\
rigid: 1
# the comment that stays
bodies:
  ground: {type: static, shape: {box: [20, 1]}, position: [0, -0.5]}   # this one too
  crate: {shape: {box: [1, 1]}, position: [4, 0.5], color: "tan"}
"""


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """Note a test that has failed, also one that is tried again."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.outcome not in ("passed", "skipped")
    return report


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "scene.yaml"
    file.write_text(GROUND, encoding="utf-8")
    return file


class Shared:
    """A page that tests use one after the other, each with a text of its own."""

    def __init__(self, tabs: Tabs, folder: Path) -> None:
        self._tabs, self._path, self._edit = tabs, folder / "scene.yaml", None

    def take(self) -> Any:
        from tests.editing.edited import Edit

        if self._edit is None:
            self._path.write_text(GROUND, encoding="utf-8")
            self._edit = Edit(self._tabs, self._path)
        else:
            self._edit.begin(GROUND)
        return self._edit

    def drop(self) -> None:
        """Leave a page that may be anyhow; the next test gets a new one."""
        if self._edit is not None:
            self._edit.end()
            self._edit = None


@pytest.fixture(scope="module")
def shared(tabs: Tabs, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    pytest.importorskip("websockets", reason="needs rigid2d[play]")
    made = Shared(tabs, tmp_path_factory.mktemp("edited"))
    yield made
    made.drop()


@pytest.fixture
def edit(shared: Shared, request: pytest.FixtureRequest) -> Iterator[Any]:
    made = shared.take()
    yield made
    errors = list(made.errors)
    if errors or request.node.stash.get(FAILED, False):
        shared.drop()
    assert errors == []
