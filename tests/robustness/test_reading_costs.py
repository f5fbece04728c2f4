"""What reading a scene costs: counted calls and bytes, never the clock."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from rigid.core.errors import SceneError
from rigid.core.scene import loads
from rigid.core.scene.collector import paused_collector

BODY = "{shape: {circle: 0.1}}"


@pytest.fixture
def collector() -> Iterator[None]:
    """The collector as it was."""
    was_on = gc.isenabled()
    gc.enable()
    yield
    (gc.enable if was_on else gc.disable)()


@pytest.mark.usefixtures("collector")
def test_no_cycles_are_searched_while_a_scene_is_read() -> None:
    gc.collect()
    runs: list[str] = []
    gc.callbacks.append(lambda phase, _info: runs.append(phase))
    try:
        loads(f"rigid: 1\nbodies: {{a: {BODY[:-1]}, repeat: {{i: 20000}}, position: [=i, 0]}}}}\n")
    finally:
        gc.callbacks.pop()
    assert len(runs) <= 4
    assert gc.isenabled()


@pytest.mark.usefixtures("collector")
def test_the_collector_goes_on_after_a_mistake() -> None:
    with pytest.raises(SceneError):
        loads("rigid: 1\n")
    assert gc.isenabled()


@pytest.mark.usefixtures("collector")
def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    loads(f"rigid: 1\nbodies: {{a: {BODY}}}\n")
    assert not gc.isenabled()


@pytest.mark.usefixtures("collector")
def test_the_collector_goes_on_when_the_last_of_several_threads_has_read() -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda i: loads(f"rigid: 1\nbodies: {{a{i}: {BODY}}}\n"), range(20)))
    assert gc.isenabled()


@pytest.mark.usefixtures("collector")
def test_pauses_may_overlap() -> None:
    first, second = paused_collector(), paused_collector()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert not gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()
