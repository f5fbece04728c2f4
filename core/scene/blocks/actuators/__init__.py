# SPDX-License-Identifier: MIT
"""Actuators and force fields."""
