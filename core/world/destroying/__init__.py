# SPDX-License-Identifier: MIT
"""Breaks a body into pieces."""

from .destroy import destroy_body

__all__ = ["destroy_body"]
