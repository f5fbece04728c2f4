# SPDX-License-Identifier: MIT
"""``python -m rigid2d``: the ``rigid`` command."""

from .cli.main import program

program()
