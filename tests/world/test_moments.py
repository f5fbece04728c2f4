# SPDX-License-Identifier: MIT
"""One moment of a step for all who tell of it: after its physics, its actions and its births."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from random import Random

import numpy as np
import pytest
from rigid2d.core import Batch, Recorder, Scene, Trace, World, loads, run, simulate
from rigid2d.core.world.running import take_snapshot

from tests.search import tries

STEPS = 45
DT = 1 / 30
QUANTITIES = ("x", "y", "angle", "vx", "vy", "omega", "mass", "alive", "contacts")
BALLS = [f"ball[{i}]" for i in range(5)]
WORLD = ("bodies", "contacts", "momentum_x", "mass")
VARIABLES = ("n", "left")
TAGS = ("coin", "spark")
ACTIONS = (
    "{delete: $a}",
    "{delete: 'ball[1]'}",
    "{add: {n: 1}}",
    "{add: {n: =$a.vy}}",
    "{set: {state.left: =tags.coin.count}}",
    "{set: {$a.velocity: [1, 4]}}",
    "{set: {'ball[2].position': [0, 5]}}",
    "{impulse: {body: $a, impulse: [0.2, 2]}}",
    "{explode: {at: [0, 0], radius: 5, impulse: 3}}",
    "{spawn: {use: spark, at: $a}}",
    "{destroy: {body: $a, count: 2, tags: [piece]}}",
    "{attach: {name: rope, joint: {type: distance, bodies: [$a, world]}}}",
    "{detach: rope}",
)
WITHOUT_BODIES = [each for each in ACTIONS if "$a" not in each]


def a_scene(seed: int) -> str:
    """A room in which much happens at once."""
    random = Random(seed)

    def do(choices: list[str] | tuple[str, ...]) -> str:
        return "[" + ", ".join(random.sample(choices, random.randint(1, 3))) + "]"

    events = [
        f"{{when: collision, tags: [coin, floor], do: {do(ACTIONS)}}}",
        f"{{when: collision, tags: [coin, coin], if: =state.n < 8, do: {do(ACTIONS)}}}",
        f"{{when: sensor_enter, tags: [gate, coin], do: {do(WITHOUT_BODIES)}}}",
        "{when: deleted, tags: [coin], do: [{spawn: {use: spark, at: $point}}]}",
        f"{{when: =tags.coin.count < {random.randint(2, 5)}, do: {do(WITHOUT_BODIES)}}}",
        f"{{when: time, at: {random.uniform(0, 1):.3f}, every: 0.11, do: {do(WITHOUT_BODIES)}}}",
        f"{{when: leave, tags: [spark], region: [[-3, 0], [3, 9]], do: {do(WITHOUT_BODIES)}}}",
    ]
    rope = "{attach: {name: rope, joint: {type: distance, bodies: ['ball[0]', world]}}}"
    chosen = [f"{{when: time, at: 0.2, do: [{rope}]}}", *random.sample(events, 4)]
    lines = "".join(f"  - {each}\n" for each in chosen)
    bounds = "bounds: [[-4, -3], [4, 9]], " if random.random() < 0.5 else ""
    outcome = "outcome: {win: =tags.coin.count < 1 or state.n > 9}\n" if seed % 3 == 0 else ""
    return f"""
rigid: 1
world: {{{bounds}dt: {DT!r}, duration: {(STEPS + 0.5) * DT!r}, seed: {seed}}}
state: {{n: 0, left: 5}}
prototypes:
  spark:
    bodies:
      dot: {{shape: {{circle: 0.15}}, velocity: ["=uniform(-6, 6)", 3], tags: [spark]}}
bodies:
  floor: {{type: static, shape: {{box: [6, 0.4]}}, tags: [floor]}}
  gate: {{type: static, shape: {{box: [6, 0.3], sensor: true}}, position: [0, 2], tags: [gate]}}
  ball:
    repeat: {{i: 5}}
    shape: {{box: [0.5, 0.5]}}
    position: ["=-1.5 + 0.7*i", "=1 + {random.random():.2f}*i"]
    velocity: ["=uniform(-2, 2)", "=uniform(-4, 2)"]
    tags: [coin]
spawners:
  rain: {{use: spark, every: {random.uniform(0.02, 0.4):.3f}, at: [0, 4], max: 12}}
record: {{channels: all}}
events:
{lines}{outcome}"""


def seen_by_hand(world: World) -> dict[str, float]:
    """What a program sees of a world, by its handles."""
    seen = {f"state.{name}": world.state[name] for name in VARIABLES}
    there = [name for name in world if name not in world.scene.bodies or world[name].alive]
    for tag in TAGS:
        tagged = [name for name in there if tag in world[name].definition.tags]
        seen[f"tags.{tag}.count"] = len(tagged)
    for name in there:
        body = world[name]
        seen |= {f"{name}.x": body.x, f"{name}.y": body.y, f"{name}.angle": body.angle}
        seen |= {f"{name}.vx": body.velocity[0], f"{name}.vy": body.velocity[1]}
        seen |= {f"{name}.omega": body.angular_velocity, f"{name}.mass": body.mass}
    seen |= {f"{name}.alive": float(name in there) for name in BALLS}
    seen["world.bodies"] = len(there)
    return seen


def by_hand(scene: Scene) -> tuple[list[dict[str, float]], list[set[str]], World]:
    """What is seen after each step, and who was born and is there."""
    world = World(scene)
    rows, born = [seen_by_hand(world)], [set(world.bodies.added)]
    while not world.outcome and world.step_count < scene.world.steps:
        world.step()
        rows.append(seen_by_hand(world))
        born.append(set(world.bodies.added))
    return rows, born, world


def text_with(text: str, channels: list[str] | None, *expect: str) -> Scene:
    listed = "" if channels is None else f"channels: [{', '.join(map(repr, channels))}]"
    lines = "expect:\n" + "".join(f"  - {each}\n" for each in expect) if expect else ""
    return loads(text.replace("channels: all", listed) + lines)


def channels() -> list[str]:
    named = [f"{ball}.{each}" for ball in BALLS for each in QUANTITIES]
    named += [f"world.{each}" for each in WORLD]
    return named + [f"state.{each}" for each in VARIABLES] + [f"tags.{each}.count" for each in TAGS]


@pytest.mark.parametrize("seed", range(tries(6, 24)))
def test_all_that_tells_of_a_step_tells_of_the_same_moment(seed: int, tmp_path: Path) -> None:
    text = a_scene(seed)
    scene = text_with(text, channels())
    rows, born, world = by_hand(scene)
    table = tmp_path / "run.csv"
    recorder = Recorder(scene, trace=True, csv=table)
    frames = list(run(scene, times=[k * DT for k in range(len(rows))], recorder=recorder))
    trace = recorder.trace
    assert trace.steps.tolist() == list(range(len(rows)))
    assert recorder.outcome == world.outcome
    assert recorder.state_hash == world.state_hash()
    assert recorder.ended == (world.step_count if world.outcome else None)

    # Rows, CSV and NPZ.
    column = {name: i for i, name in enumerate(trace.channels)}
    for seen, values in zip(rows, trace.values.tolist(), strict=True):
        for name in seen.keys() & column.keys():
            assert values[column[name]] == seen[name], (seed, name)
    with table.open(encoding="utf-8") as lines:
        written = list(csv.DictReader(lines))
    for seen, cells in zip(rows, written, strict=True):
        for name in seen.keys() & column.keys():
            assert float(cells[name]) == seen[name]
    trace.save(str(tmp_path / "run.npz"))
    stored = Trace.load(str(tmp_path / "run.npz"))
    assert np.array_equal(stored.values, trace.values, equal_nan=True)

    # Frames, also those that a trace gives.
    for seen, names, frame in zip(rows, born, frames, strict=True):
        bodies = list(frame.scene.bodies) if frame.scene else list(scene.bodies)
        living = {name for name, alive in zip(bodies, frame.alive, strict=True) if alive}
        assert living - scene.bodies.keys() == names
        for i, name in enumerate(bodies):
            if name in living:
                assert frame.pose[i].tolist() == [
                    seen[f"{name}.{each}"] for each in ("x", "y", "angle")
                ]

    # Expectations.
    step = Random(seed).randrange(1, len(rows))
    last = rows[-1]
    named = sorted(last.keys() & column.keys())
    named = Random(seed).sample(named, min(12, len(named)))
    that, end = (
        " and ".join(f"{name} == {seen[name]!r}" for name in named if name in seen)
        for seen in (rows[step], last)
    )
    held = [
        f"world.time < {(k - 0.5) * DT!r} or world.time > {(k + 0.5) * DT!r}"
        f" or (state.n == {seen['state.n']!r} and tags.coin.count == {seen['tags.coin.count']})"
        for k, seen in enumerate(rows)
    ]
    expecting = text_with(
        text,
        channels(),
        f'{{at: {step * DT!r}, that: "={that}"}}',
        f'{{at: end, that: "={end}"}}',
        *(f'{{always: "={each}"}}' for each in held),
    )
    checking = Recorder(expecting)
    for _ in run(expecting, times=(), recorder=checking):
        pass
    assert [str(each) for each in checking.results if not each.passed] == []

    # Snapshots.
    whole = len(rows) - 1
    if not world.outcome:
        again = World(scene)
        for point in take_snapshot(scene).checkpoints:
            again.step(point.step - again.step_count)
            assert point.hash == again.state_hash()
            assert all(
                point.bodies[name][0] == rows[point.step][f"{name}.x"] for name in point.bodies
            )
        assert point.step == whole

    # Batches, and what is restored.
    batch = Batch(scene, 2)
    names = [name for name in channels() if not name.startswith("tags.")]
    for seen in rows[1:]:
        batch.step()
        values = batch.read(names)[1].tolist()
        for name, value in zip(names, values, strict=True):
            assert name not in seen or value == seen[name]
    half = World(scene)
    half.step(whole // 2)
    later = World(scene)
    later.restore(half.save())
    later.step(whole - whole // 2)
    assert later.save() == world.save()


@pytest.mark.parametrize("seed", range(tries(6, 24)))
def test_the_rows_of_those_who_are_born_begin_and_end_with_them(seed: int) -> None:
    scene = text_with(a_scene(seed), None)
    rows, born, _ = by_hand(scene)
    trace = simulate(scene)
    for k, names in enumerate(born):
        told = {
            name.removesuffix(".x")
            for name, value in zip(trace.channels, trace.values[k].tolist(), strict=True)
            if name.endswith(".x") and not math.isnan(value)
        }
        assert told - scene.bodies.keys() == names, (seed, k)
        for name in names:
            assert trace[name].x[k] == rows[k][f"{name}.x"]
    everybody = set().union(*born)
    for name in everybody:
        there = [k for k, names in enumerate(born) if name in names]
        assert trace.born[name][0] == there[0]
        assert trace.removed.get(name, len(rows)) == there[-1] + 1


ROOM = """
rigid: 1
world: {duration: 2}
state: {left: 3}
bodies:
  k: {shape: {circle: 0.3}, position: [0, 2], tags: [hero]}
  floor: {type: static, shape: {box: [9, 1]}, position: [0, -0.5]}
  coin:
    repeat: {i: 3}
    type: static
    shape: {circle: 0.2, sensor: true}
    position: [0, =0.4 + 0.5*i]
    tags: [coin]
"""


def results(text: str) -> list[bool]:
    recorder = Recorder(loads(text))
    for _ in run(recorder.scene, times=(), recorder=recorder):
        pass
    return [each.passed for each in recorder.results]


def test_what_ends_a_run_holds_at_its_end() -> None:
    text = """
events: [{when: collision, bodies: [k, floor], do: [{delete: k}]}]
outcome: {win: =not k.alive}
expect: [{at: end, that: =not k.alive}, {always: =k.alive or world.bodies == 4}]
"""
    assert results(ROOM + text) == [True, True]


def test_a_count_of_the_state_agrees_with_what_is_there_at_each_step() -> None:
    text = """
events: [{when: sensor_enter, tags: [coin, hero], do: [{delete: $a}, {add: {left: -1}}]}]
expect: [{always: =state.left == tags.coin.count}, {at: end, that: =state.left == 0}]
"""
    assert results(ROOM + text) == [True, True]


def test_births_of_a_step_count_for_the_outcome_of_that_step() -> None:
    text = """
prototypes: {spark: {bodies: {dot: {shape: {circle: 0.1}, tags: [spark]}}}}
spawners: {rain: {use: spark, every: 1, at: [3, 3]}}
outcome: {lose: =tags.spark.count == 0, win: =tags.spark.count == 2}
expect: [{at: end, that: =tags.spark.count == 2 and abs(world.time - 1) < 1e-9}]
"""
    assert results(ROOM + text) == [True]
