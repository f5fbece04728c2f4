# SPDX-License-Identifier: MIT
"""Studies on a cluster whose machines lose their network for a while: each is a network namespace
of Linux with a cable that is pulled and put back. Only in `make test-all`, and for root."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from rigid2d.core import run_study
from rigid2d.core.study import cluster as on_cluster

from tests.search import EVERYTHING
from tests.study.studies import LONG, Write, bytes_of

if find_spec("distributed") is None:  # whose import takes seconds
    pytest.skip("clusters need the extra `cluster`", allow_module_level=True)

PATIENCE = "11s"
"""How long a connection may stay without an answer; 30 s by default, and dask takes no less."""
LONG_CUT, SHORT_CUT = 20.0, 4.0
"""Seconds for which a cable is pulled: connections are lost, and are kept."""
FOR_EVER = ["sh", "-c", 'while :; do "$@"; sleep 1; done', "sh"]
"""A worker ends when its connection is lost; what runs it starts it again."""
NETWORK = "10.231.77"
SAMPLE = "sample: {random: 1200}"


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


class Network:
    """Machines at a switch; this process is one of them, with the number 254."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tag = f"rg{os.getpid() % 100000}"
        self.machines: list[str] = []
        self.programs: list[subprocess.Popen[bytes]] = []
        ip("link", "add", self.tag, "type", "bridge")
        ip("addr", "add", f"{NETWORK}.254/24", "dev", self.tag)
        ip("link", "set", self.tag, "up")

    def add(self) -> int:
        """A machine more; its number."""
        number = len(self.machines) + 1
        name, cable, plug = f"{self.tag}n{number}", f"{self.tag}c{number}", f"{self.tag}p{number}"
        ip("netns", "add", name)
        self.machines.append(name)
        ip("link", "add", cable, "type", "veth", "peer", "name", plug)
        ip("link", "set", plug, "netns", name)
        ip("link", "set", cable, "master", self.tag)
        ip("link", "set", cable, "up")
        ip("-n", name, "addr", "add", f"{NETWORK}.{number}/24", "dev", plug)
        ip("-n", name, "link", "set", plug, "up")
        ip("-n", name, "link", "set", "lo", "up")
        return number

    def run(self, number: int, module: str, *options: str) -> None:
        """Start a program of dask on a machine."""
        log = self.folder / f"{module}-{number}.log"
        name = self.machines[number - 1]
        command = ["ip", "netns", "exec", name, *FOR_EVER, sys.executable, "-m"]
        command += [f"distributed.cli.{module}", *options, "--no-dashboard"]
        wait = {
            f"DASK_DISTRIBUTED__COMM__TIMEOUTS__{each}": PATIENCE for each in ("TCP", "CONNECT")
        }
        with log.open("wb") as file:
            self.programs.append(
                subprocess.Popen(
                    command,
                    cwd=self.folder,
                    env={**os.environ, **wait},
                    stdout=file,
                    stderr=file,
                    start_new_session=True,
                )
            )

    def plug(self, number: int, state: str) -> None:
        """Pull the cable of a machine (``down``) or put it back (``up``)."""
        ip("link", "set", f"{self.tag}c{number}", state)

    def end(self) -> None:
        for program in self.programs:
            os.killpg(program.pid, signal.SIGKILL)
            program.wait()
        for name in self.machines:
            found = subprocess.run(["ip", "netns", "pids", name], capture_output=True, text=True)
            for pid in found.stdout.split():
                os.kill(int(pid), signal.SIGKILL)
            ip("netns", "del", name)
        ip("link", "del", self.tag)


@pytest.fixture
def network(tmp_path: Path) -> Iterator[Network]:
    if not EVERYTHING:
        pytest.skip("networks are cut in `make test-all` alone: it takes a minute")
    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("network namespaces need root, and `ip` of iproute2")
    folder = tmp_path / "network"
    folder.mkdir()
    try:
        made = Network(folder)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"this system makes no bridges: {error.stderr!r}")
    try:
        yield made
    finally:
        made.end()


class Cuts:
    """Pulls cables while a study runs: at numbers of runs, of which machine, and for how long."""

    def __init__(self, network: Network, at: dict[int, tuple[int, float]]) -> None:
        self.network, self.at = network, at
        self.out: dict[int, float] = {}
        self.cuts = 0

    def __call__(self, progress: Any = None) -> None:
        now = time.monotonic()
        for runs, (machine, seconds) in [*self.at.items()]:
            if progress is not None and progress.done >= runs:
                del self.at[runs]
                self.network.plug(machine, "down")
                self.out[machine] = now + seconds
                self.cuts += 1
        for machine, until in [*self.out.items()]:
            if now >= until:
                del self.out[machine]
                self.network.plug(machine, "up")


def test_machines_that_lose_their_network_and_get_it_back_change_no_byte(
    network: Network, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import dask

    monkeypatch.setattr(on_cluster, "SECONDS", 0.1)
    collect = "collect: {top: {max: =ball.y}}"
    scene = write("vary: {vars.height: {uniform: [1, 4]}}", SAMPLE, collect, scene=LONG)
    scheduler, first, second = (network.add() for _ in range(3))
    address = f"tcp://{NETWORK}.{scheduler}:8786"
    network.run(scheduler, "dask_scheduler", "--host", f"{NETWORK}.{scheduler}", "--port", "8786")
    for worker in (first, second):
        network.run(
            worker, "dask_worker", address, "--host", f"{NETWORK}.{worker}", "--nthreads", "1"
        )
    at = {60: (first, LONG_CUT), 300: (second, SHORT_CUT), 600: (scheduler, LONG_CUT)}
    cuts = Cuts(network, at)
    told: list[str] = []

    def wait(text: str) -> None:
        told.append(text)
        cuts()

    times = {f"distributed.comm.timeouts.{each}": PATIENCE for each in ("tcp", "connect")}
    with dask.config.set(times):
        results = run_study(
            scene, tmp_path / "cut", cluster=address, on_progress=cuts, on_wait=wait
        )
    assert cuts.cuts == 3
    assert any("the scheduler went away" in text for text in told)
    assert len(results) == 1200
    run_study(scene, tmp_path / "here")
    assert bytes_of(tmp_path / "cut") == bytes_of(tmp_path / "here")
