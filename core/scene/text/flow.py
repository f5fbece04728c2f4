# SPDX-License-Identifier: MIT
"""Values in YAML's flow style, in which numbers read back exactly."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from .yaml_reader import plain_value

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_./ -]*")


def flow(value: Any) -> str:
    """A value in YAML's flow style; numbers read back exactly."""
    if isinstance(value, float):  # most values are
        if math.isinf(value):
            return ".inf" if value > 0 else "-.inf"
        return repr(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, (tuple, list)):
        return f"[{', '.join([flow(item) for item in value])}]"
    if isinstance(value, Mapping):
        inner = ", ".join(f"{flow(str(key))}: {flow(item)}" for key, item in value.items())
        return f"{{{inner}}}"
    text = str(value)
    if _PLAIN.fullmatch(text) and isinstance(plain_value(text), str) and text == text.strip():
        return text
    return json.dumps(text, ensure_ascii=False)
