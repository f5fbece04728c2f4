# SPDX-License-Identifier: MIT
"""What the tests of environments share; without Gymnasium they are left out."""

from __future__ import annotations

import pytest

pytest.importorskip("gymnasium", reason="environments are of the extra `env`")
