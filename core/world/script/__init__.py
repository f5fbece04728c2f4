# SPDX-License-Identifier: MIT
"""What a scene does while it runs, besides its physics."""

from .player import Player
from .script import Script, player_of, script_of

__all__ = ["Player", "Script", "player_of", "script_of"]
