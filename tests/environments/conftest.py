# SPDX-License-Identifier: MIT
"""Shared helpers of the tests of environments, which are skipped without Gymnasium."""

from __future__ import annotations

import pytest

pytest.importorskip("gymnasium", reason="environments are of the extra `env`")
