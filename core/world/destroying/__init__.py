# SPDX-License-Identifier: MIT
"""Breaking a body into pieces."""

from .destroy import destroy_body

__all__ = ["destroy_body"]
