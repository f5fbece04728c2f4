# SPDX-License-Identifier: MIT
"""Command lines: every verb and option that there is, with values that may be right."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

from .command import LASTING, check_manners, run
from .values import NUMBERS, WORDS

GOOD = """\
rigid: 1
name: Ball
vars: {n: 2}
world: {steps: 12}
bodies:
  ground: {type: static, shape: {box: [7, 0.5]}, position: [0, -0.25]}
  ball: {repeat: {i: =n}, shape: {circle: 0.5}, position: [=i, 2], velocity: [1, 0]}
  bob: {shape: {circle: 0.1}, position: [3, 2]}
joints:
  pin: {type: revolute, bodies: [world, bob]}
render: {size: [32, 24], fps: 10}
record: {channels: [bob.x, world.energy]}
expect: [{always: "=bob.y > 0.4"}]
"""
FILES: dict[str, bytes] = {
    "good.yaml": GOOD.encode(),
    "more/again.yaml": GOOD.encode(),
    "fails.yaml": GOOD.replace("0.4", "9").encode(),
    "stops.yaml": GOOD.replace("velocity: [1, 0]", "velocity: [1e9, 0]").encode(),
    "bad.yaml": b"rigid: 1\nbodies: {ball: {shape: {circel: 1}, position: [0]}}\n",
    "part.yaml": b"bodies: {ball: {shape: {circle: 1}}}\n",
    "torn.yaml": b"rigid: 1\nbodies: {ball: [\n",
    "empty.yaml": b"",
    "bytes.yaml": bytes(range(256)),
    "old.snapshot": b"rigid snapshot 2\nnothing\n",
    "notes.txt": b"notes\n",
}
PLACES = [
    *("out.gif", "out.png", "out.csv", "out.npz", "out.webp", "out.html", "out.snapshot"),
    *("out.xml", "out/"),
    *("out", "-", "missing/out.gif", "more", "good.yaml", "old.snapshot", "/dev/null", "/dev/full"),
    *("a" * 300, "x\x1b[31m.gif", ".", "", "\udce4.png", "frames/", "out.mp5", "./good.yaml"),
]
SCENES = [*["good.yaml"] * 5, "more/", "*.yaml", ".", "-", "none.yaml", *FILES]
SETTINGS = [
    *("vars.n=3", "vars.n=1e9", "world.steps=5", "world.dt=0", "bodies.bob.position=[1, 2]"),
    *("bodies.none.x=1", "a", "=", "world={", "world.solver={type: sequential_impulse}", "=1=2"),
    *(
        "expect[0].always='=1 > 2'",
        "expect[9]=1",
        "render.size=[99999, 1]",
        "bodies=0.4",
        "x" * 300,
    ),
    *("bodies.ball[1].shape.circle=0.1", "joints.pin.type=weld", "world.steps=1" + "0" * 400),
]
WORTHWHILE = [
    *("1", "2", "5", "10", "0.5", "0", "-1", "1e9", "end", "500 ms", "64x48", "light", "text"),
    *("json", "github", "wide", "long", "time,grid", "contacts", "pin", "ball", "minimal"),
]
COSTLY = {"--jobs": ["1", "1", "1", "-1", "x", "2"], "--threads": ["1", "2", "3", "0", "257", "x"]}
"""Options whose right values start processes or threads."""
MOMENT = 0.4  # seconds for what goes on until it is ended
EXPRESSIONS = [
    "good",
    "not good",
    "good and (fails or again)",
    "((",
    "not",
    "or or",
    "(" * 200,
    "a)",
]
"""What -k may be told."""
PROJECTS = [
    'paths = ["good.yaml"]',
    'paths = ["more", "good.yaml"]\nthreads = 1',
    "paths = 3",
    "paths = [3]",
    'paths = [""]',
    "threads = 1e9",
    "threads = 0",
    "threads = [1]",
    "lanes = 3",
    'jobs = "two"',
    "quiet = 1",
    "quiet = true",
    "[tool.rigid.test]\ntolerance = nan",
    "[tool.rigid.test]\njunit = 'out.xml'",
    "[tool.rigid.run]\nset = ['vars.n=1', 3]",
    "[tool.rigid.run]\ngif = 1979-05-27",
    "[tool.rigid.play]\nport = -1",
    "test = 3",
    "unknown = 1",
    '"\\u001b[31m" = 1',
    "a.b.c = {d = [[[]]]}",
    "x = " + "[" * 3000,
    "= torn",
]
"""Tables of ``[tool.rigid]`` in a project's ``pyproject.toml``."""
MEMORIES = [
    '["good.yaml", "fails.yaml"]',
    "[3, null]",
    "{}",
    "[" * 3000,
    "\x00",
    '["../x"]',
    "torn",
]
"""What may lie where ``rigid test`` remembers what failed."""
AFTER_GALLERY = ["--size", "32x24", "--fps", "4", "--jobs", "1"]


@cache
def verbs() -> dict[tuple[str, ...], list[Any]]:
    """The parameters of every verb, as the command's own parser knows them."""
    import typer
    from rigid2d.cli.app import VERBS, application

    group: Any = typer.main.get_command(application)
    found: dict[tuple[str, ...], list[Any]] = {}
    for verb in VERBS:
        command = group.get_command(None, verb)
        for name, each in getattr(command, "commands", {None: command}).items():
            found[(verb, name) if name else (verb,)] = each.params
    return found


def command_line(choose: random.Random) -> bytes:
    """A command line, a word a line as JSON."""
    words = choose.choice([*verbs()])
    parameters = verbs()[words]
    line = [*words]
    positional = [each for each in parameters if each.param_type_name == "argument"]
    options = [each for each in parameters if each.param_type_name == "option"]
    for _ in positional:
        line += [choose.choice(SCENES)] * choose.choice([1, 1, 1, 1, 0, 2])
    for option in choose.sample(options, min(len(options), choose.choice([0, 1, 2, 3]))):
        line += _option(choose, option)
    if words == ("bench",) and "--steps" not in line:
        line = ["bench", choose.choice(["good.yaml", "more/", "none"]), "--steps", "2", *line[2:]]
    if words == ("gallery",) and choose.random() < 0.9:
        line += AFTER_GALLERY
    if choose.random() < 0.08:
        line.insert(choose.randint(0, len(line)), choose.choice([*WORDS, "--", "--help", "-h"]))
    if choose.random() < 0.1:
        choose.shuffle(line)
    lines = [json.dumps(word) for word in line]
    if choose.random() < 0.25:
        lines.append(json.dumps({"project": choose.choice(PROJECTS)}))
    if words == ("test",) and choose.random() < 0.5:
        lines.append(json.dumps({"memory": choose.choice(MEMORIES)}))
        lines.append(json.dumps(choose.choice(["--last-failed", "--last-failed", "--update"])))
    return "\n".join(lines).encode()


def _option(choose: random.Random, option: Any) -> list[str]:
    name = choose.choice([*option.opts, *option.secondary_opts])
    if option.is_flag:
        return [name]
    if name == "--set":
        return [name, choose.choice(SETTINGS)]
    if "-k" in option.opts:
        return [name, choose.choice(EXPRESSIONS)]
    known = COSTLY.get(max(option.opts, key=len))
    if known:
        return [name, choose.choice(known)]
    how = choose.random()
    if option.metavar in ("F", "DIR") and how < 0.7:
        return [name, choose.choice(PLACES)]
    if how < 0.7:
        return [name, choose.choice(WORTHWHILE)]
    if how < 0.85:
        return [name, str(choose.choice(NUMBERS))]
    return [name, choose.choice([*WORDS, *PLACES])]


def lay_files() -> None:
    """Scenes and other files into the current folder, and nothing else."""
    for name, content in FILES.items():
        path = Path(name)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)


def _lay_project(project: str = "", memory: str = "") -> None:
    """What a project says of itself, and what was remembered of it."""
    if project:
        table = "" if project.startswith("[tool") else "[tool.rigid]\n"
        Path("pyproject.toml").write_text(table + project + "\n")
    if memory:
        Path(".rigid_cache").mkdir()
        Path(".rigid_cache/last_failed.json").write_text(memory)


def check_command_line(case: bytes) -> None:
    """Run it where there are a few files, and look at how it ends."""
    from ..frame import empty_folder

    told = [json.loads(line) for line in case.decode().splitlines()]
    arguments = [each for each in told if isinstance(each, str)]
    laid = {key: text for each in told if isinstance(each, dict) for key, text in each.items()}
    if {*LASTING} & {*arguments}:
        arguments = [each for each in arguments if each != "--open"]
        arguments += ["--no-open"] if "play" in arguments else []
    if "--install-completion" in arguments or any("\x00" in word for word in arguments):
        return
    with empty_folder():
        lay_files()
        _lay_project(**laid)
        patience = MOMENT if {*LASTING} & {*arguments} else None
        done = run(arguments, stdin=GOOD.encode(), encoding="utf-8", patience=patience)
        check_manners(arguments, done)
        if "--json" in arguments and b"{" in done.out[:1]:
            _check_json(done.out.decode())
        for name in {*FILES} - {*arguments}:
            written = name == "good.yaml" and "./good.yaml" in arguments
            kept = written or Path(name).read_bytes() == FILES[name]
            assert kept, f"{arguments} changed {name}"


def _check_json(text: str) -> None:
    """One JSON document after another: who plays tells an address first."""
    while text := text.lstrip():
        _, end = json.JSONDecoder().raw_decode(text)
        text = text[end:]
