# SPDX-License-Identifier: MIT
"""The script of a running scene: all it does besides its physics."""

from .native_news import Rows
from .player import Player
from .script import Script, player_of, script_of

__all__ = [
    "Player",
    "Rows",
    "Script",
    "player_of",
    "script_of",
]
