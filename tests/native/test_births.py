# SPDX-License-Identifier: MIT
"""Bodies and joints that come and go in a running engine: slots, ids, memory, bits."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from rigid2d.core import _native
from rigid2d.core.errors import UsageError

LANES = _native.lanes_supported()
NO_ROWS: dict[str, Any] = {
    name: np.empty(0, getattr(_native, name.removesuffix("s").upper()))
    for name in ("shapes", "joints", "forces", "bars", "points")
} | {"bodies": np.empty(0, _native.BODY), "corners": np.empty((0, 2))}
SQUARE = [(-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2)]


def rows(title: str, count: int = 1, **values: Any) -> Any:
    """``count`` rows of what the engine takes, with defaults where nothing is said."""
    made = np.empty(count, getattr(_native, title))
    for name, (default, _, _) in _native.ROWS[title].items():
        made[name] = values.get(name, default)
    return made


def ground(**options: Any) -> _native.World:
    """A floor that stays, and walls, so that nothing falls off."""
    world = _native.World(**options)
    world.add_bodies(rows("BODY", kind=0))
    corners = [(-6, -1), (6, -1), (6, 0), (-6, 0), (-7, 0), (-6, 0), (-6, 6), (-7, 6)]
    corners += [(6, 0), (7, 0), (7, 6), (6, 6)]
    shapes = rows("SHAPE", 3, body=1, kind=3, point_count=4, first_point=[0, 4, 8])
    world.add_shapes(shapes, np.array(corners, dtype=np.float64))
    world.finish()
    world.keep_slots()
    return world


def give_birth(world: _native.World, x: float, y: float, kind: int = 0) -> int:
    """The id of the first body of ``add``."""
    return add(world, x, y, kind)[0]


def add(world: _native.World, x: float, y: float, kind: int) -> list[int]:
    """A ball (0), a box (1), or two boxes on a hinge with a thruster (2): the bodies' ids."""
    count = 2 if kind == 2 else 1
    slots = world.next_bodies(count)
    given = NO_ROWS | {"bodies": rows("BODY", count, x=[x + 0.5 * i for i in range(count)], y=y)}
    if kind == 0:
        given["shapes"] = rows("SHAPE", body=slots, radius=0.2)
        given["corners"] = np.zeros((1, 2))
    else:
        given["shapes"] = rows("SHAPE", count, body=slots, kind=3, point_count=4)
        given["corners"] = np.array(SQUARE)
    if kind == 2:
        hinge = {"body_a": slots[0], "body_b": slots[1], "anchor_ax": 0.25, "anchor_bx": -0.25}
        given["joints"] = rows("JOINT", kind=_native.JOINT_KINDS["revolute"], **hinge)
        given["forces"] = rows("FORCE", body=slots[0], y=3.0)
        given["points"] = rows("POINT", body=slots[1], x=0.2)
    return world.add_fragment(**given)["bodies"]


def live(
    world: _native.World, steps: int, seed: int = 1, *, most: int = 30, end: bool = False
) -> None:
    """Births and deaths at random, one or two before each step."""
    choose = random.Random(seed)
    living: list[int] = []
    for step in range(steps):
        for _ in range(1 + step % 2):
            x, y = choose.uniform(-5, 5), choose.uniform(1, 5)
            living += add(world, x, y, choose.randrange(3))
        while len(living) > most:
            world.remove_body(living.pop(choose.randrange(len(living))))
        assert world.step() == 1
    if end:
        for body in living:
            world.remove_body(body)


def test_as_long_as_nothing_is_removed_ids_are_slots() -> None:
    world = ground()
    assert [give_birth(world, i, 1) for i in range(3)] == [2, 3, 4]


def test_the_slot_given_back_last_is_taken_first_under_another_id() -> None:
    world = ground()
    first, second = give_birth(world, 0, 1), give_birth(world, 1, 1)
    world.remove_body(first)
    world.remove_body(second)
    assert world.next_bodies(3) == [second, first, 4]
    assert give_birth(world, 2, 1) == (1 << 32) + second
    assert world.body_count == 4


def test_what_was_removed_is_not_there_under_its_id() -> None:
    world = ground()
    body = give_birth(world, 0, 1)
    world.remove_body(body)
    again = give_birth(world, 0, 1)
    assert again & 0xFFFFFFFF == body
    assert world.has_body(again)
    assert not world.has_body(body)
    for call in (world.remove_body, lambda b: world.set_velocity(b, 1, 1, 1)):
        with pytest.raises(UsageError, match="removed"):
            call(body)
    world.set_velocity(again, 1, 2, 3)


def test_a_joint_goes_with_its_body_and_its_slot_is_taken_again() -> None:
    world = ground()
    body = give_birth(world, 0, 1, kind=2)
    assert world.has_joint(0)
    world.remove_body(body)
    assert not world.has_joint(0)
    give_birth(world, 0, 1, kind=2)
    assert world.joint_count == 1
    assert world.has_joint(1 << 32)
    with pytest.raises(UsageError, match="removed"):
        world.remove_joint(0)


def test_kept_slots_are_not_taken_again() -> None:
    world = ground()
    body = give_birth(world, 0, 1)
    world.keep_slots()
    world.remove_body(body)
    assert give_birth(world, 0, 1) == body + 1
    assert not world.alive[body]


def test_a_wrong_row_adds_nothing_at_all() -> None:
    world = ground()
    live(world, 20)
    before = world.save()
    slots = world.next_bodies(1)
    good = {"bodies": rows("BODY", x=0, y=3), "corners": np.zeros((1, 2))}
    good["shapes"] = rows("SHAPE", body=slots, radius=0.2)
    bad = {"joints": rows("JOINT", kind=0, body_a=0, body_b=10_000)}
    with pytest.raises(ValueError, match="body_b"):
        world.add_fragment(**NO_ROWS | good | bad)
    assert world.save() == before


def test_rows_cannot_speak_of_bodies_that_were_removed() -> None:
    world = ground()
    body = give_birth(world, 0, 1)
    world.remove_body(body)
    for given in ({"forces": rows("FORCE", body=body)}, {"points": rows("POINT", body=body)}):
        with pytest.raises(ValueError, match="was removed"):
            world.add_fragment(**NO_ROWS | given)
    with pytest.raises(ValueError, match="was removed"):
        world.add_joints(rows("JOINT", kind=0, body_b=body))


@pytest.mark.parametrize("solver", ["soft_step", "sequential_impulse"])
def test_births_and_deaths_have_the_same_bits_for_all_threads_and_lanes(solver: str) -> None:
    states = []
    for threads, lanes in [(1, 0), (2, LANES[0]), (4, LANES[-1]), *((1, each) for each in LANES)]:
        world = ground(solver=solver, threads=threads, lanes=lanes)
        live(world, 120)
        states.append(world.save())
    assert len(set(states)) == 1


def test_a_world_saved_among_births_goes_on_with_the_same_bits() -> None:
    world = ground()
    live(world, 90)
    other = ground(threads=2, lanes=LANES[0])
    other.restore(world.save())
    fork = world.fork()
    for each in (world, fork, other):
        live(each, 60, seed=2)
    assert world.save() == fork.save() == other.save()


def test_a_world_in_which_as_much_dies_as_is_born_stays_as_large_as_it_is() -> None:
    world = ground()
    for seed in range(4):  # in which most that ever touch at once have done so
        live(world, 200, seed, end=True)
    size = len(world.save())
    for seed in range(4, 12):
        live(world, 200, seed, end=True)
    assert len(world.save()) <= 1.05 * size
    assert world.body_count <= 2 + 34


def test_events_name_what_was_there_even_when_its_slot_is_taken_again() -> None:
    world = ground()
    world.enable_contact_events(True)
    body = give_birth(world, 0, 0.2)
    for _ in range(3):
        world.step()
    world.remove_body(body)
    again = give_birth(world, 0, 0.2)
    for _ in range(3):
        world.step()
    kinds = {code: name for name, code in _native.EVENT_KINDS.items()}
    told = [(kinds[kind], second) for _, kind, _, second in world.take_events()]
    assert told == [("contact_begin", body), ("contact_end", body), ("contact_begin", again)]


def test_a_ball_led_along_a_chain_lets_go_when_the_chain_is_removed() -> None:
    """Another chain, made before, is left as it is: its links move up."""

    def loop(world: _native.World, x: float) -> int:
        turns = np.linspace(-2.0, 2.0, 61)
        line = np.stack([3 * turns, 0.4 * turns**2], axis=1)
        corners = np.concatenate([line[i : i + 4] for i in range(len(line) - 3)])
        count = len(line) - 3
        slots = world.next_bodies(1)
        first = [4 * i for i in range(count)]
        shapes = rows("SHAPE", count, body=slots * count, kind=4, point_count=4, first_point=first)
        given = NO_ROWS | {"bodies": rows("BODY", x=x, kind=0), "shapes": shapes}
        return int(world.add_fragment(**given | {"corners": corners})["bodies"][0])

    world = _native.World()
    left, right = loop(world, -10), loop(world, 10)
    balls = [give_birth(world, x, 1.2) for x in (-8.5, 11.5)]
    alone = _native.World()
    loop(alone, 10)
    ball = give_birth(alone, 11.5, 1.2)
    assert world.step(60) == alone.step(60) == 60
    world.remove_body(left)
    assert world.step(60) == alone.step(60) == 60
    assert world.y[balls[0]] < -1
    assert (world.x[balls[1]], world.y[balls[1]]) == (alone.x[ball], alone.y[ball])
    other = _native.World()
    other.restore(world.save())
    world.remove_body(right)
    other.remove_body(right)
    assert world.step(30) == other.step(30) == 30
    assert world.state_hash() == other.state_hash()
