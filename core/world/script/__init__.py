"""What a scene does while it runs, besides its physics."""

from .script import Script, script_of

__all__ = ["Script", "script_of"]
