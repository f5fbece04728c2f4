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
    """One component of a learner's action.

    Attributes:
        path: its setting, such as ``push.force.x``.
        low, high: the bounds of its value, if there are no choices.
        choices: its possible values.
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
        act: the components of an action; empty with ``keys``.
        keys: the possible actions, each some held keys of the controls, or none.
        reward: an expression of the state and of the action (``$push.force.x``).
        progress: an expression of the state whose increase in a step is added to the reward.
        done: an expression: when an episode terminates.
        steps: the number of the task's steps after which an episode is truncated; 0 is never.
        repeat: the number of the world's steps in one of the task.
        start: the values at the start of an episode, by settings, or by ``$names`` for later ones.
        draws: whether the rest of the scene has random numbers that are drawn before it runs.
        layouts: the number of different scenes from these; 0 is one for each seed.
        bounds: the lowest and the highest value of each observation, infinite without one.
        normalize: whether learners give actions from -1 to 1 for the ranges.
        places: the place in a file (``file:line:column``) of ``reward``, ``progress``, ``done`` and
            each observation (``observe[0]``) that is written.
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
    bounds: tuple[tuple[float, float], ...] = ()
    normalize: bool = False
    places: Mapping[str, str] = field(default_factory=dict, compare=False)
