# SPDX-License-Identifier: MIT
"""``python -m rigid2d``: the ``rigid`` command."""

from rigid2d.cli.main import program

program()
