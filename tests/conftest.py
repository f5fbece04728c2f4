"""The same examples on every run: a suite that is green once stays so until something changes."""

import resource
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from hypothesis import settings

from tests.page.chromium import browser  # noqa: F401  (one for all of a session)

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


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
