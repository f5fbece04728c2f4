# SPDX-License-Identifier: MIT
"""The script of a running scene: all it does besides its physics."""

from .native_batch import NativeScripts, catch_up, is_native
from .native_runner import Rows, why_not
from .player import Player
from .script import Script, player_of, script_of

__all__ = [
    "NativeScripts",
    "Player",
    "Rows",
    "Script",
    "catch_up",
    "is_native",
    "player_of",
    "script_of",
    "why_not",
]
