# SPDX-License-Identifier: MIT
"""Events, actions, spawners, keys and inputs of a run, its record and its checks."""
