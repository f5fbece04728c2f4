# SPDX-License-Identifier: MIT
"""The same examples on every run: a suite that is green once stays so until something changes."""

import os
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from hypothesis import settings

from tests.page.chromium import browser  # noqa: F401  (one for all of a session)

# A shell's background and nohup let signals be ignored, also by what the tests start: not here.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

AGAIN = 2  # times that a test in a browser is tried anew: one short of time drops its input

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=AGAIN))


@pytest.fixture(autouse=True, scope="session")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let the many processes share compiled modules, also where none may be left behind."""
    with pytest.MonkeyPatch.context() as surroundings:
        if os.environ.get("PYTHONDONTWRITEBYTECODE"):
            surroundings.delenv("PYTHONDONTWRITEBYTECODE")
            surroundings.setenv("PYTHONPYCACHEPREFIX", str(tmp_path_factory.mktemp("compiled")))
        yield


@contextmanager
def _small_files() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def small_files() -> Callable[[], AbstractContextManager[None]]:
    """A context in which no file can grow above 1000 bytes, as on a disk that is full."""
    return _small_files
