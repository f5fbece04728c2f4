# SPDX-License-Identifier: MIT
"""Steps that the caller makes between the two parts of a script: the same as the script's own."""

from __future__ import annotations

import pytest
from rigid2d.core import World, loads
from rigid2d.core.world.observing import observe
from rigid2d.core.world.stepping import end_stretch, next_stop

from tests.scripts import told
from tests.world.test_growing_programs import DUST, WALKERS
from tests.world.test_native_copies import HERD
from tests.world.test_native_scripts import ALL


@pytest.mark.parametrize("looks", [False, True])
@pytest.mark.parametrize("text", [HERD, ALL, WALKERS])
def test_steps_of_a_caller_are_those_of_the_script(text: str, looks: bool) -> None:
    """One that looks takes the state from the script in the middle of a step."""
    here, there = World(loads(text)), World(loads(text))
    here.step(90)
    while there.step_count < 90:
        stop = next_stop(there, 90)
        assert there.step_count < stop <= 90
        there.native.step(stop - there.step_count)
        if looks:
            assert there.script is not None
            assert there.script.reactions is not None
        end_stretch(there)
    assert there.statistics()["script_steps"] == 90
    assert told(here) == told(there)
    assert here.save() == there.save()


@pytest.mark.parametrize("text", [HERD, ALL])
def test_observed_steps_are_those_of_the_script(text: str) -> None:
    here, there = World(loads(text)), World(loads(text))
    for _ in range(40):
        here.step(1)
        observe(there)
        assert here.state_hash() == there.state_hash()
    assert told(here) == told(there)
    assert here.save() == there.save()


def test_a_script_of_a_textbook_solver_has_steps_of_a_caller() -> None:
    text = DUST.replace("DRAWN", '"=randint(0, 3)"')
    text = text.replace("dt: 0.02", "dt: 0.02, solver: {type: iterative_impulse}")
    here, there = World(loads(text)), World(loads(text))
    here.step(40)
    while there.step_count < 40:
        there.native.step(next_stop(there, 40) - there.step_count)
        end_stretch(there)
    assert here.save() == there.save()
