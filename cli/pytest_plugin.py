# SPDX-License-Identifier: MIT
"""Scene files as tests of pytest: `pytest scenes/` runs each, as `rigid test` does.

A scene is a `.yaml` or `.yml` file with a top-level `rigid:` key. `rigid_scenes` in pytest's own
settings limits them to files and folders, from the root of the project.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from rigid2d.core.jobs.check import CheckReport

SUFFIXES = (".yaml", ".yml")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("rigid", "scenes of rigid")
    group.addoption(
        "--rigid-update", action="store_true", help="rewrite snapshots of scenes that differ"
    )
    group.addoption(
        "--rigid-threads", type=int, default=1, metavar="N", help="number of threads for each scene"
    )
    group.addoption(
        "--rigid-require-snapshots",
        action="store_true",
        help="fail for scenes without a snapshot beside them",
    )
    parser.addini(
        "rigid_scenes", "files and folders whose scenes are tests (all)", type="args", default=[]
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> SceneFile | None:
    """A scene, if the file is one and may be."""
    if file_path.suffix not in SUFFIXES or not _is_wanted(file_path, parent.config):
        return None
    from .paths import is_scene

    if not is_scene(file_path):
        return None
    return SceneFile.from_parent(parent, path=file_path, **_name(file_path, parent.config))


def _name(path: Path, config: pytest.Config) -> dict[str, Any]:
    """A name for pytest's own lists, where the file's has characters that act on terminals."""
    from .console import shown

    name = os.path.relpath(path, config.rootpath)
    safe = shown(name)
    return {} if safe == name else {"nodeid": safe}


def _is_wanted(path: Path, config: pytest.Config) -> bool:
    wanted = config.getini("rigid_scenes")
    roots = [(config.rootpath / each).resolve() for each in wanted]
    resolved = path.resolve()
    return not roots or any(root == resolved or root in resolved.parents for root in roots)


class SceneFile(pytest.File):
    """A scene file, which has one test."""

    def collect(self) -> Iterator[pytest.Item]:
        yield SceneItem.from_parent(self, name="scene")


class SceneItem(pytest.Item):
    """A scene's run, its expectations and its stored snapshot."""

    def runtest(self) -> None:
        """Run the scene; raise SceneFailed with all failures."""
        from rigid2d.core.jobs.check import CheckJob, check_scene

        job = CheckJob(
            _shown_path(self.path),
            threads=max(int(self.config.getoption("rigid_threads")), 1),
            update=bool(self.config.getoption("rigid_update")),
            require_snapshot=bool(self.config.getoption("rigid_require_snapshots")),
        )
        report = check_scene(job)
        self.user_properties.append(("rigid_checks", report.checks))
        if not report.passed:
            raise SceneFailed(report)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The failure as `rigid test` reports it, instead of a traceback."""
        if not isinstance(excinfo.value, SceneFailed):
            return super().repr_failure(excinfo, style)
        import io

        from .reporting.reports import report_lines

        return "\n".join(report_lines(excinfo.value.report, io.StringIO()))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The location of the test, for pytest's reports."""
        from .console import shown

        return Path(shown(self.path)), None, shown(_shown_path(self.path))


class SceneFailed(Exception):  # noqa: N818 (it is no error of the program)
    """A failed scene."""

    def __init__(self, report: CheckReport) -> None:
        super().__init__(report.path)
        self.report = report


def _shown_path(path: Path) -> str:
    return os.path.relpath(path)
