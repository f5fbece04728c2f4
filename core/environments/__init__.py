# SPDX-License-Identifier: MIT
"""Scenes with a ``task`` as environments of Gymnasium: the extra ``env``.

    import gymnasium
    import rigid2d.core.environments

    one = gymnasium.make("rigid/scene-v0", scene="cart_pole.yaml")
    many = gymnasium.make_vec("rigid/scene-v0", num_envs=1024, scene="cart_pole.yaml")

Importing this package registers them.
"""

from __future__ import annotations

from .gymnasium_extra import gymnasium
from .scene_env import SceneEnv
from .vector_env import SceneVectorEnv

__all__ = ["ENVIRONMENT", "SceneEnv", "SceneVectorEnv"]

ENVIRONMENT = "rigid/scene-v0"

if ENVIRONMENT not in gymnasium.registry:
    gymnasium.register(
        ENVIRONMENT,
        entry_point="rigid2d.core.environments:SceneEnv",
        vector_entry_point="rigid2d.core.environments:SceneVectorEnv",
    )
