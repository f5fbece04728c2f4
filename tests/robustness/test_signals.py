# SPDX-License-Identifier: MIT
"""Being told to end: soon, whatever is going on, and with nothing left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from rigid2d.cli.failure import report
from rigid2d.core import World, build, loads, simulate
from rigid2d.core.errors import UsageError

from tests.search import tries

ENDS = [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
FOR_EVER = 10_000_000  # steps, which are the most that may be asked for

WALL = """\
rigid: 1
world: {sleep: false}
bodies:
  ground: {type: static, shape: {box: [400, 1]}, position: [0, -0.5]}
  brick: {repeat: {i: COLUMNS, j: ROWS}, shape: {box: [1, 1]}, position: [=i, =j + 0.5]}
"""


def wall(columns: int, rows: int) -> str:
    return WALL.replace("COLUMNS", str(columns)).replace("ROWS", str(rows))


@pytest.fixture
def interrupt_soon() -> Iterator[Callable[[], None]]:
    """Have an interrupt come while the next step is being done."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    yield lambda: signal.setitimer(signal.ITIMER_REAL, 0.01)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


# ---------------------------------------------------------------- stepping


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupted_world_goes_on_with_the_same_bits(interrupt_soon, threads):
    scene = loads(wall(10, 10))
    world = build(scene, threads=threads)
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        world.step(FOR_EVER)
    done = world.step_count
    world.step(20)
    straight = build(scene)
    straight.step(done + 20)
    assert world.state_hash() == straight.state_hash()


def test_a_run_is_interrupted(interrupt_soon):
    scene = loads(wall(2, 1) + "record: {channels: ['brick[0,0].x'], every: 1000000}\n")
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        simulate(scene, steps=FOR_EVER)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_world_broken_off_within_a_step_says_so(interrupt_soon, threads):
    world = endless_step(threads)
    interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        world.step()
    for call in (world.step, world.state_hash, world.energy):
        with pytest.raises(UsageError, match="interrupted in the middle of a step; build it anew"):
            call()


def endless_step(threads: int) -> World:
    """A world whose one step would take minutes."""
    scene = loads(wall(40, 40).replace("false", "false, solver: {type: sequential_impulse}"))
    solver = replace(scene.world.solver, iterations=100_000)
    return build(replace(scene, world=replace(scene.world, solver=solver)), threads=threads)


def test_a_handler_that_raises_nothing_changes_nothing():
    scene, calls = loads(wall(10, 10)), []
    before = signal.signal(signal.SIGALRM, lambda number, frame: calls.append(number))
    world = build(scene)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        while len(calls) < 3:
            world.step(100)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    quiet = build(scene)
    quiet.step(world.step_count)
    assert world.state_hash() == quiet.state_hash()


def test_a_world_that_another_thread_is_using_says_so():
    child = os.fork()
    if child == 0:  # which nothing but its end gets out of the step
        world = endless_step(1)
        threading.Thread(target=world.step, daemon=True).start()
        while not is_in_use(world):
            pass
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def is_in_use(world: World) -> bool:
    try:
        world.state_hash()
    except UsageError as error:
        return "thread" in str(error)
    return False


# ---------------------------------------------------------------- forks

FORK = """
import os
from rigid2d.core import build, loads
scene = loads({scene!r})
world = build(scene, threads=3)
world.step(2)
child = os.fork()
if child == 0:
    world.step(3)
    same = build(scene)
    same.step(5)
    right = world.state_hash() == same.state_hash()
    del world
    os._exit(0 if right else 1)
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
world.step(3)
print(code, world.step_count)
"""


def test_a_world_steps_on_in_a_fork_s_child_and_in_its_parent():
    script = FORK.format(scene=wall(40, 20))
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, timeout=120
    )
    assert (done.stdout, done.stderr) == ("0 5\n", "")


# ---------------------------------------------------------------- the command


@pytest.mark.parametrize(("how", "code"), ENDS)
def test_a_signal_ends_steps_that_take_long(tmp_path, begin, when, how, code):
    scene = tmp_path / "wall.yaml"
    scene.write_text(wall(100, 40).replace("false", "false, duration: 3000"))
    running = begin("run", scene, "--csv", tmp_path / "wall.csv")
    when(lambda: len(list(tmp_path.iterdir())) > 1)
    running.send_signal(how)
    _, messages = running.communicate(timeout=120)
    assert running.returncode == code
    assert messages == ("interrupted\n" if how == signal.SIGINT else "")
    assert list(tmp_path.iterdir()) == [scene]


def test_a_command_reports_its_interruption_whatever_was_reported_before_its_fork(
    tmp_path, begin, when
):
    scene = tmp_path / "wall.yaml"
    scene.write_text(wall(100, 40).replace("false", "false, duration: 3000"))
    assert report(KeyboardInterrupt(), as_json=False) == 130
    for _ in range(tries(1, 3)):
        running = begin("run", scene, "--csv", tmp_path / "wall.csv")
        when(lambda: len(list(tmp_path.iterdir())) > 1)
        running.send_signal(signal.SIGINT)
        _, messages = running.communicate(timeout=120)
        assert (running.returncode, messages) == (130, "interrupted\n")


@pytest.mark.parametrize(
    ("output", "how"),
    [
        ("a.gif", signal.SIGHUP),
        ("a.mp4", signal.SIGINT),
        ("a.webp", signal.SIGTERM),
        ("frames/", signal.SIGINT),
        ("a.gif", signal.SIGINT),
        ("a.gif", signal.SIGTERM),
        ("a.mp4", signal.SIGTERM),
        ("a.webp", signal.SIGINT),
        ("a.csv", signal.SIGINT),
    ][: tries(3, 9)],
)
def test_a_signal_leaves_nothing_half_written(tmp_path, long_scene, begin, when, output, how):
    out = tmp_path / "out"
    out.mkdir()
    kind = "png" if output == "frames/" else Path(output).suffix[1:]
    running = begin("run", long_scene, f"--{kind}", f"{out}/{output}")
    when(lambda: any("part" in path.name for path in out.rglob("*")))
    running.send_signal(how)
    _, messages = running.communicate(timeout=120)
    told = "interrupted\n" if how == signal.SIGINT else ""
    assert (running.returncode, messages) == (128 + how, told)
    assert not [path for path in out.rglob("*") if path.name != "frames"]


def test_an_older_file_survives_a_signal(tmp_path, long_scene, begin, when):
    target = tmp_path / "long.gif"
    target.write_bytes(b"older")
    running = begin("run", long_scene, "--gif", target)
    when(lambda: len(list(tmp_path.iterdir())) > 2)
    running.send_signal(signal.SIGINT)
    assert running.wait(timeout=120) == 130
    assert target.read_bytes() == b"older"
    assert sorted(tmp_path.iterdir()) == [target, long_scene]


def test_further_signals_do_not_disturb_the_tidying_up(tmp_path, long_scene, begin, when):
    out = tmp_path / "out"
    out.mkdir()
    running = begin("run", long_scene, "--gif", out / "a.gif")
    when(lambda: any(out.iterdir()))
    while running.poll() is None:
        running.send_signal(signal.SIGTERM)
        running.send_signal(signal.SIGHUP)
    _, messages = running.communicate(timeout=120)
    assert running.returncode in (143, 129)
    assert "Traceback" not in messages
    assert list(out.iterdir()) == []


def test_what_was_started_deaf_to_hang_ups_stays_deaf(tmp_path, long_scene, start, when):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        running = start("run", long_scene, "--csv", tmp_path / "a.csv")
    finally:
        signal.signal(signal.SIGHUP, before)
    when(lambda: len(list(tmp_path.iterdir())) > 1)
    ignored = int(status(running.pid, "SigIgn"), 16)
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=120)
    assert ignored >> (signal.SIGHUP - 1) & 1


def status(process: int, key: str) -> str:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(line.split()[1] for line in lines if line.startswith(f"{key}:"))


IMPORTING = """
import json, os, signal, sys, tempfile, threading
from rigid2d.cli import signals

told = []

class Interrupting:
    \"""Lets a fork of the program be interrupted at the import of each module.\"""

    def find_spec(self, name, path=None, target=None):
        for number in {numbers!r} if name in {modules!r} else ():
            with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
                child = os.fork()
                if child == 0:
                    os.dup2(out.fileno(), 1)
                    os.dup2(err.fileno(), 2)
                    sys.meta_path.remove(self)
                    signals.end_soon({as_json!r})  # its thread stayed in the parent
                    os.kill(os.getpid(), number)
                    return
                code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
                texts = [each.seek(0) or each.read().decode() for each in (out, err)]
                told.append([name, number, code, *texts])
        if len(told) == {cases!r}:
            print(json.dumps(told), flush=True)
            os._exit(0)

sys.meta_path.insert(0, Interrupting())
sys.argv = ["rigid", "run", {scene!r}, *{more!r}]
from rigid2d.cli.main import program
program()
"""
MODULES = [
    "rigid2d.cli.app",
    "typer",
    "rigid2d.core.scene",
    "yaml",
    "pydantic",
    "numpy",
    "numpy.linalg",
]


def test_a_signal_during_an_import_ends_quietly(ball):
    found = importing(ball, MODULES, [number for number, _ in ENDS])
    right = {signal.SIGINT: "interrupted\n"}
    assert found == {
        (module, how): (code, "", right.get(how, "")) for module in MODULES for how, code in ENDS
    }


def test_an_interrupt_during_an_import_is_told_as_json_where_that_was_asked_for(ball):
    ((code, told, messages),) = importing(ball, ["numpy"], [signal.SIGINT], "--json").values()
    assert (code, messages) == (130, "")
    assert '"kind": "interrupted"' in told


def importing(
    scene: Path, modules: list[str], numbers: list[signal.Signals], *more: str
) -> dict[tuple[str, int], tuple[int, str, str]]:
    """Exit code, output and messages of a command that gets a signal while it imports a module."""
    script = IMPORTING.format(
        modules=modules,
        numbers=[int(number) for number in numbers],
        cases=len(modules) * len(numbers),
        as_json="--json" in more,
        scene=str(scene),
        more=more,
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stderr == ""
    return {
        (name, number): (code, out, err) for name, number, code, out, err in json.loads(done.stdout)
    }


LOST = """
import os, sys
from rigid2d.cli import main as entry

def lose(arguments, debug, as_json):
    class Loser:
        def __del__(self):
            os.kill(os.getpid(), {number})
            for _ in range(1000):
                pass
    Loser()
    while True:
        pass

entry._run = lose
sys.argv = ["rigid"]
entry.program()
"""


@pytest.mark.parametrize(("how", "code"), ENDS)
def test_a_signal_whose_exception_is_lost_ends_the_program_all_the_same(how, code):
    done = subprocess.run(
        [sys.executable, "-c", LOST.format(number=int(how))],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (code, "interrupted\n" if code == 130 else "")


# ---------------------------------------------------------------- workers


def children(process: int) -> list[str]:
    try:
        return Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []


@pytest.fixture
def scenes(tmp_path: Path, long_scene: Path) -> Path:
    folder = tmp_path / "scenes"
    folder.mkdir()
    for name in ("a", "b", "c"):
        (folder / f"{name}.yaml").write_text(long_scene.read_text())
    return folder


@pytest.mark.parametrize(
    ("how", "workers"),  # of which the first is what looks after the others
    [
        (signal.SIGINT, 2),
        (signal.SIGTERM, 3),
        (signal.SIGINT, 1),
        (signal.SIGINT, 3),
        (signal.SIGHUP, 2),
    ][: tries(1, 5)],
)
def test_workers_that_are_interrupted_while_they_start_end_quietly(
    tmp_path, scenes, start, when, how, workers
):
    running = start("gallery", scenes, "-o", tmp_path / "out", "-j", "2")
    when(lambda: len(children(running.pid)) >= workers or running.poll() is not None)
    os.killpg(running.pid, how)  # as a terminal does
    _, messages = running.communicate(timeout=120)
    assert running.returncode == 128 + how
    assert messages == ("interrupted\n" if how == signal.SIGINT else "")
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(("how", "code"), ENDS[: tries(1, 2)])
def test_no_worker_outlives_an_interrupt_of_its_parent(tmp_path, scenes, start, when, how, code):
    running = start("gallery", scenes, "-o", tmp_path / "out", "-j", "2")
    when(lambda: bool(list(tmp_path.glob("out/*/*.part"))))  # a worker has begun to draw
    running.send_signal(how)
    _, messages = running.communicate(timeout=120)  # waits for all that hold its streams open
    assert (running.returncode, messages) == (code, "interrupted\n" if code == 130 else "")
    assert list((tmp_path / "out").iterdir()) == []
