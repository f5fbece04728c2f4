# SPDX-License-Identifier: MIT
"""The example of learning, shortened."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

pytest.importorskip("gymnasium", reason="environments are of the extra `env`")

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "train_cartpole.py"


def test_a_few_rounds_balance_longer_than_chance() -> None:
    train = runpy.run_path(str(EXAMPLE))["train"]
    scene = str(ROOT / "scenes" / "tasks" / "cart_pole.yaml")
    learnt, tested = train(scene, rounds=3, policies=24, worlds=2)
    again, _ = train(scene, rounds=3, policies=24, worlds=2)
    assert tested > 100  # whoever pushes by chance balances for some twenty steps
    assert learnt.tolist() == again.tolist()


def test_the_method_is_sixty_lines() -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= 60


@pytest.mark.parametrize("name", ["cart_pole", "place_a_ball"])  # choices, and ranges
def test_the_curve_of_any_task_is_learnt_and_drawn(name: str) -> None:
    module = runpy.run_path(str(EXAMPLE.with_name("learn_tasks.py")))
    learn = module["learn"]
    learn.__globals__.update(POLICIES=16, TESTED=8)
    curve = learn(str(ROOT / "scenes" / "tasks" / f"{name}.yaml"), rounds=2)
    assert len(curve) == 3
    assert max(curve) > curve[0]
    picture = module["drawn"]({name: curve, "level": [1.0, 1.0]})
    assert picture.count("<polyline") == 2
    assert "nan" not in picture
