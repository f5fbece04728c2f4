# SPDX-License-Identifier: MIT
"""The task of a scene for reinforcement learning, as plain data: the block ``task``.

Values are in the model's units, angles in radians, and every name is checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from ..frozen import frozen
from .event_model import Live


@frozen
class TaskAction:
    """One thing that who learns decides on in every step.

    Attributes:
        path: what is set, such as ``push.force.x``.
        low, high: the least and the most that it may be set to, where there are no choices.
        choices: the values to choose from.
    """

    path: str
    low: float = 0.0
    high: float = 0.0
    choices: tuple[float | bool, ...] = ()


@frozen
class Task:
    """Observations, actions and rewards of a task.

    Attributes:
        observe: expressions of the state, without ``=``.
        act: what is decided on; empty where ``keys`` are.
        keys: what may be chosen to be held, each some keys of the controls, or none.
        reward: an expression of the state and of what was done (``$push.force.x``).
        progress: an expression of the state whose increase in a step is added to the reward.
        done: an expression: when an episode ends by what happened.
        steps: after how many of the task's steps an episode is cut off; 0 is never.
        repeat: how many steps of the world make one of the task.
        start: what is set when an episode begins, by settings, or by ``$names`` for those behind.
        draws: whether the rest of the scene has random numbers that are drawn before it runs.
        layouts: how many scenes those make; 0 are as many as there are seeds.
    """

    observe: tuple[str, ...]
    reward: str
    act: tuple[TaskAction, ...] = ()
    keys: tuple[tuple[str, ...], ...] = ()
    progress: str = ""
    done: str = ""
    steps: int = 0
    repeat: int = 1
    start: Mapping[str, Live] = field(default_factory=dict)
    draws: bool = False
    layouts: int = 0
