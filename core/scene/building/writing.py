"""What all blocks need to be written back as YAML."""

from __future__ import annotations

from typing import Any


def differences(value: Any, default: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """The named fields in which a value differs from the default, bit for bit."""
    return {
        name: getattr(value, name)
        for name in names
        if repr(getattr(value, name)) != repr(getattr(default, name))
    }
