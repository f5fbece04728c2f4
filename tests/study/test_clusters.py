# SPDX-License-Identifier: MIT
"""Studies on a cluster of dask: its scheduler and workers are processes of their own here."""

from __future__ import annotations

import gc
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest
from rigid2d.core import Results, UsageError, run_study
from rigid2d.core.study import cluster as on_cluster

from tests.search import tries
from tests.study.programs import start
from tests.study.studies import LONG, Write, bytes_of, fill_disk

if find_spec("distributed") is None:  # whose import takes seconds
    pytest.skip("clusters need the extra `cluster`", allow_module_level=True)

VARY = "vary: {vars.height: {uniform: [1, 4]}}"
COLLECT = "collect: {top: {max: =ball.y}, landed: {first: =ball.contacts > 0}}"


class Cluster:
    """A scheduler and workers, each a process that can be killed."""

    def __init__(self, folder: Path, workers: int = 2) -> None:
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = found.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.folder = folder
        self.processes: list[BaseProcess] = []
        self.scheduler = self.start_scheduler()
        self.workers = [self.start_worker() for _ in range(workers)]

    def _start(self, module: str, *options: str) -> BaseProcess:
        log = f"{module}-{len(self.processes)}.log"
        process = start(f"distributed.cli.{module}", [*options], self.folder, log)
        self.processes.append(process)
        return process

    def start_scheduler(self) -> BaseProcess:
        where = ("--host", "127.0.0.1", "--port", str(self.port))
        return self._start("dask_scheduler", *where, "--no-dashboard")

    def start_worker(self, *more: str) -> BaseProcess:
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "60")
        return self._start("dask_worker", self.address, *options, *more)

    def end(self) -> None:
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.join()


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    """Two workers, whose tasks are so small that few runs are many tasks."""
    monkeypatch.setattr(on_cluster, "SECONDS", 0.1)
    yield from started(tmp_path / "cluster", 2)


@pytest.fixture
def idle(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler without workers."""
    yield from started(tmp_path / "cluster", 0)


def started(folder: Path, workers: int) -> Iterator[Cluster]:
    folder.mkdir()
    made = Cluster(folder, workers)
    try:
        yield made
    finally:
        made.end()


class At:
    """Calls something once, when so many runs are done."""

    def __init__(self, runs: int, what: Callable[[], object]) -> None:
        self.runs, self.what, self.called = runs, what, False

    def __call__(self, progress: Any) -> None:
        if progress.done >= self.runs and not self.called:
            self.called = True
            self.what()


def test_a_cluster_makes_the_same_bytes_also_when_a_worker_is_killed(
    write: Write, tmp_path: Path, cluster: Cluster
) -> None:
    file = write(VARY, COLLECT, "sample: {random: 120}", "keep: {trace: {first: 2}}", scene=LONG)
    run_study(file, tmp_path / "here")
    kill = At(30, cluster.workers[0].kill)
    run_study(file, tmp_path / "there", cluster=cluster.address, on_progress=kill)
    assert kill.called
    assert bytes_of(tmp_path / "there") == bytes_of(tmp_path / "here")


def test_a_scheduler_that_is_restarted_is_found_again(
    write: Write, tmp_path: Path, cluster: Cluster
) -> None:
    file = write(VARY, COLLECT, "sample: {random: 120}", scene=LONG)
    run_study(file, tmp_path / "here")

    def restart() -> None:
        for process in (cluster.scheduler, *cluster.workers):
            process.kill()
            process.join()
        cluster.start_scheduler()
        cluster.start_worker()

    at = At(30, restart)
    results = run_study(file, tmp_path / "there", cluster=cluster.address, on_progress=at)
    assert at.called
    assert len(results) == 120
    assert bytes_of(tmp_path / "there") == bytes_of(tmp_path / "here")


def test_a_scheduler_that_stays_away_is_told_of_and_the_rest_is_done_later(
    write: Write, tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(VARY, COLLECT, "sample: {random: 120}", scene=LONG)

    def end() -> None:
        monkeypatch.setattr(on_cluster, "PATIENCE", 0.5)
        monkeypatch.setattr(on_cluster, "CONNECT", 0.5)
        cluster.end()

    at = At(30, end)
    told: list[str] = []
    with pytest.raises(UsageError, match="the scheduler went away and did not come back"):
        run_study(
            file, tmp_path / "there", cluster=cluster.address, on_progress=at, on_wait=told.append
        )
    assert at.called
    assert f"--cluster {cluster.address}: the scheduler went away; waiting for one there" in told
    run_study(file, tmp_path / "here")
    seen: list[int] = []
    run_study(file, tmp_path / "there", on_progress=lambda now: seen.append(now.before))
    assert seen[0] >= 30
    assert bytes_of(tmp_path / "there") == bytes_of(tmp_path / "here")


def test_a_cluster_without_workers_is_waited_for_and_that_is_told_again_and_again(
    write: Write, tmp_path: Path, idle: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_cluster, "TELL", 0.1)
    monkeypatch.setattr(on_cluster, "LOOK", 0.1)
    told: list[str] = []

    def wait(text: str) -> None:
        told.extend([text] if "workers" in text else [])
        if len(told) == 2:
            idle.start_worker()

    file = write(VARY, COLLECT, "sample: {random: 8}")
    results = run_study(file, tmp_path / "out", cluster=idle.address, on_wait=wait)
    assert (len(results), results.failures) == (8, 0)
    assert len(told) >= 2
    assert set(told) == {
        f"--cluster {idle.address}: waiting for workers, of which there are none; "
        f"`dask worker {idle.address} --nthreads 1` starts one"
    }


def test_a_wait_for_workers_is_told_on_standard_error_and_an_interrupt_ends_it(
    write: Write, tmp_path: Path, idle: Cluster
) -> None:
    file = write(VARY, COLLECT, "sample: {random: 8}")
    command = [sys.executable, "-m", "rigid2d.cli", "study", str(file)]
    command += ["--out", str(tmp_path / "out"), "--cluster", idle.address, "--json"]
    program = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )
    assert program.stderr is not None
    assert any("waiting for workers" in line for line in program.stderr)
    program.send_signal(signal.SIGINT)
    out, told = program.communicate(timeout=120)
    assert (program.returncode, json.loads(out)["error"]["kind"]) == (130, "interrupted")
    assert "Traceback" not in told


def tasks_of(address: str) -> int:
    """The number of tasks that a scheduler keeps."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        return int(client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)))


def test_a_slow_worker_does_less_and_changes_nothing_and_results_are_forgotten(
    write: Write, tmp_path: Path, cluster: Cluster
) -> None:
    file = write(VARY, COLLECT, "sample: {random: 250}")
    run_study(file, tmp_path / "here")
    over = threading.Event()

    def stutter() -> None:
        """Let one worker run for a tenth of the time only."""
        process = cluster.workers[0]
        while not over.wait(0.02):
            os.kill(process.pid, signal.SIGSTOP)
            over.wait(0.18)
            os.kill(process.pid, signal.SIGCONT)

    kept: list[int] = []
    look = At(220, lambda: kept.append(tasks_of(cluster.address)))
    thread = threading.Thread(target=stutter)
    thread.start()
    gc.disable()  # which would find the futures that are in cycles, sooner or later
    try:
        run_study(file, tmp_path / "there", cluster=cluster.address, on_progress=look)
    finally:
        gc.enable()
        over.set()
        thread.join()
    assert kept[0] <= 2 * on_cluster.AHEAD + 2
    assert bytes_of(tmp_path / "there") == bytes_of(tmp_path / "here")


def test_a_full_disk_ends_a_study_on_a_cluster_and_it_goes_on_later(
    write: Write, tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(VARY, COLLECT, "sample: {random: 250}")
    with monkeypatch.context() as patched:
        fill_disk(patched)
        with pytest.raises(UsageError, match=r"No space left on device.*the same command"):
            run_study(file, tmp_path / "there", cluster=cluster.address)
    run_study(file, tmp_path / "there", cluster=cluster.address)
    run_study(file, tmp_path / "here")
    assert bytes_of(tmp_path / "there") == bytes_of(tmp_path / "here")


def test_where_there_is_no_scheduler_the_error_says_so(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_cluster, "CONNECT", 0.5)
    file = write(VARY, COLLECT, "sample: {random: 8}")
    with pytest.raises(UsageError, match=r"--cluster tcp://127\.0\.0\.1:1: no scheduler answers"):
        run_study(file, tmp_path / "out", cluster="tcp://127.0.0.1:1")


def test_a_worker_with_another_version_is_refused(
    write: Write, tmp_path: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_cluster, "engine_version", lambda: "9.9.9")
    file = write(VARY, COLLECT, "sample: {random: 8}")
    with pytest.raises(UsageError, match=r"it has rigid .*, and the study rigid 9\.9\.9"):
        run_study(file, tmp_path / "out", cluster=cluster.address)


@pytest.mark.parametrize("other", ["0.1.0+other", ""][: tries(1, 2)])
def test_a_worker_with_another_engine_or_none_is_left_out(
    other: str, write: Write, tmp_path: Path, cluster: Cluster
) -> None:
    file = write(VARY, COLLECT, "sample: {random: 60}", scene=LONG)
    changed = tmp_path / "changed.py"
    changed.write_text(
        "import rigid2d.core.study.chunks as chunks, rigid2d.core.identity as identity\n"
        f"chunks.engine_version = identity.engine_version = lambda: {other!r}\n"
        if other
        else "import sys\n"
        "for name in [name for name in sys.modules if name.partition('.')[0] == 'rigid2d']:\n"
        "    sys.modules[name] = None\n"
    )
    cluster.start_worker("--preload", str(changed))
    with on_cluster.need_distributed().Client(cluster.address, set_as_default=False) as client:
        client.wait_for_workers(3, timeout=60)
    told: list[str] = []
    run_study(file, tmp_path / "there", cluster=cluster.address, on_wait=told.append)
    run_study(file, tmp_path / "here")
    assert bytes_of(tmp_path / "there") == bytes_of(tmp_path / "here")
    reason = f"it has rigid {re.escape(other)}" if other else "it has no rigid: ModuleNotFoundError"
    assert len([each for each in told if re.search(f"tcp://.* is left out: {reason}", each)]) == 1


def test_without_distributed_the_error_names_the_extra(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    file = write(VARY, COLLECT, "sample: {random: 8}")
    with pytest.raises(UsageError, match=r"pip install 'rigid2d\[cluster\]'"):
        run_study(file, tmp_path / "out", cluster="tcp://127.0.0.1:1")


def test_the_example_starts_a_cluster_and_ends_it(write: Write, tmp_path: Path) -> None:
    file = write(VARY, COLLECT, "sample: {random: 40}")
    example = Path(__file__).parents[2] / "docs" / "cluster_example.py"
    command = [sys.executable, str(example), str(file), str(tmp_path / "out"), "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "40 runs, 0 failed" in done.stdout
    assert len(Results(tmp_path / "out")) == 40
