# SPDX-License-Identifier: MIT
"""The same examples on every run: a suite that is green once stays so until something changes."""

import tests.compiled  # noqa: F401, I001  (before all others)

import gc
import itertools
import os
import re
import resource
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from tests import rows
from tests.page.chromium import browser, tabs  # noqa: F401  (one for all of a session)
from tests.scene import malformed_scenes

# A shell's background and nohup let signals be ignored, also by what the tests start: not here.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

FOLDERS = itertools.count()
AGAIN = 2  # times that a test in a browser is tried anew: one short of time drops its input

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
# Numbers and words of all sources that happen to be imported would be examples too: others in each
# process, and after each change.
providers._get_local_constants = lambda: providers._local_constants


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--row", metavar="PART", help="of tests of many rows: those named so alone")


def pytest_configure(config: pytest.Config) -> None:
    rows.only = config.getoption("--row", default=None) or ""
    # What programs remember of a user is none of the tests': they have a folder of their own.
    os.environ["XDG_STATE_HOME"] = str(Path(tempfile.gettempdir()) / "rigid-state-of-tests")


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()  # thousands of tests, which nothing has to look through again and again


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=AGAIN))


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new folder. Pytest's own looks through those of all other tests for a free number."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    folder = tmp_path_factory.getbasetemp() / "each" / f"{name}{next(FOLDERS)}"
    folder.mkdir(mode=0o700, parents=True)
    return folder


@contextmanager
def _small_files() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture(scope="session")
def malformed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the scene files that are wrong, each by its name."""
    folder = tmp_path_factory.mktemp("malformed")
    malformed_scenes.write_all(folder)
    return folder


@pytest.fixture
def small_files() -> Callable[[], AbstractContextManager[None]]:
    """A context in which no file can grow above 1000 bytes, as on a disk that is full."""
    return _small_files
