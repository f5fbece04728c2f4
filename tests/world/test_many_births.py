"""Very many births and deaths: each a copy of what was built once, and nothing stays behind."""

from __future__ import annotations

import pytest
from rigid.core import World, loads
from rigid.core.scene.blocks import prototypes
from rigid.core.scene.fragments import Fragment
from rigid.core.world.assembly import build_rows
from rigid.core.world.copies import Mould
from rigid.core.world.script import spawning

RAIN = """
rigid: 1
world: {duration: 60, seed: 3}
prototypes:
  pair:
    bodies:
      one: {shapes: [{circle: 0.05}, {box: [0.2, 0.1], offset: [0.1, 0]}], points: {p: [0.1, 0]},
            tags: [drop]}
      two: {shape: {polygon: [[0, 0], [0.2, 0], [0.2, 0.2], [0.1, 0.05], [0, 0.2]]},
            position: [0.3, 0], angle: 20}
    joints: {rod: {type: revolute, bodies: [one, two], motor: {speed: 90, max_torque: 1}}}
    actuators: {jet: {type: thruster, body: two, force: [0.1, 0]}}
bodies: {floor: {type: static, shape: {box: [60, 1]}, position: [0, -3]}}
spawners: {rain: {use: pair, every: 0.004, at: ["=uniform(-9, 9)", 2], angle: "=uniform(0, 90)",
         velocity: %s}}
events: [{when: leave, tags: [drop], region: [[-20, -2], [20, 20]], do: [{delete: $a}]}]
"""


def test_births_of_a_step_together_have_the_bits_that_they_have_one_by_one() -> None:
    together = World(loads(RAIN % "[1, 0]"))
    # What reads the run is worked out after each birth.
    alone = World(loads(RAIN % "[=1 + 0*world.bodies, 0]"))
    for world in (together, alone):
        world.step(80)
    assert together.state_hash() == alone.state_hash()
    assert list(together) == list(alone)
    assert together.joint("rain[310].rod").definition == alone.joint("rain[310].rod").definition
    assert [*together["rain[310].two"].position] == [*alone["rain[310].two"].position]


@pytest.mark.parametrize("every", [0.004, 0.02], ids=["with others", "alone"])
def test_copies_of_one_body_have_the_rows_that_are_built_for_them(every: float) -> None:
    world = World(
        loads(
            f"""
rigid: 1
world: {{duration: 60, seed: 3}}
prototypes:
  star: {{bodies: {{one: {{shapes: [{{circle: 0.05}},
    {{polygon: [[0, 0], [0.2, 0], [0.2, 0.2], [0.1, 0.05], [0, 0.2]]}}],
    points: {{p: [0.1, 0]}}, angle: 20}}}}}}
bodies: {{floor: {{type: static, shape: {{box: [1, 1]}}}}}}
spawners: {{rain: {{use: star, every: {every}, at: ["=uniform(-9, 9)", 2], velocity: [1, 0],
         mirror: x, scale: 2}}}}
"""
        )
    )
    put_in, seen = spawning.put_in, []

    def compared(world: World, fragment: Fragment, path: str, mould: Mould) -> list[str]:
        bodies = [*fragment.bodies.values()]
        slots = world.native.next_bodies(len(bodies))
        index = {body.name: slot for body, slot in zip(bodies, slots, strict=True)}
        built = build_rows(world.roster.scene, bodies, (), index, {})
        rows = mould.rows_of(bodies, slots)
        seen.append(len(bodies))
        assert {name: repr(table.tolist()) for name, table in built.items()} == {
            name: repr(table.tolist()) for name, table in rows.items()
        }
        return put_in(world, fragment, path, mould)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spawning, "put_in", compared)
        world.step(5)
    assert len(seen) >= 4
    assert all(count == 1 for count in seen) == (every > 0.01)


def test_births_of_a_step_share_what_their_prototype_became(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World(loads(RAIN % "[1, 0]"))
    moulds = []
    made = spawning.mould_of
    monkeypatch.setattr(spawning, "mould_of", lambda *given: moulds.append(1) or made(*given))
    monkeypatch.setattr(prototypes.Workshop, "_build", None)  # nothing is read while it runs
    world.step(60)
    assert len(moulds) == 1
    assert "rain[200].one" in list(world)


def test_fifty_thousand_births_and_deaths_leave_nothing_behind() -> None:
    world = World(
        loads(
            """
rigid: 1
world: {duration: 60, dt: 0.01, gravity: [0, 0]}
prototypes:
  dot: {bodies: {ball: {shape: {circle: 0.1}, collide: false, tags: [dot], velocity: [9, 0]}}}
bodies: {floor: {type: static, shape: {box: [1, 1]}, position: [0, -3]}}
spawners: {gun: {use: dot, every: 0.0001}}
events: [{when: leave, tags: [dot], region: [[-1, -1], [0.2, 1]], do: [{delete: $a}]}]
"""
        )
    )
    world.step(250)
    slots, roster = world.native.body_count, world.roster
    world.step(250)
    assert world.script is not None
    assert world.script.reactions is not None
    assert world.script.reactions.acting.spawning.births == 50_001
    assert world.native.body_count == slots
    assert len(roster.bodies) == len(roster.ids) == len(roster.born) + 1 < 500
    assert len(roster.tagged["dot"]) == len(roster.born)
    assert len(roster.used.save()) == 1


def test_a_world_lists_what_was_born_in_the_order_of_the_births() -> None:
    world = World(
        loads(
            """
rigid: 1
prototypes: {dot: {bodies: {ball: {shape: {circle: 0.1}}}}}
bodies: {floor: {type: static, shape: {box: [9, 1]}}}
spawners: {gun: {use: dot, every: 0.1, at: [0, 5]}}
"""
        )
    )
    assert world.born == []
    world.step(20)
    assert world.born == [f"gun[{i}].ball" for i in range(4)]
    world.remove("gun[1].ball")
    world.add({"bodies": {"late": {"shape": {"circle": 0.1}, "position": [3, 3]}}})
    assert world.born == ["gun[0].ball", "gun[2].ball", "gun[3].ball", "late"]
