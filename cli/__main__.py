# SPDX-License-Identifier: MIT
"""``python -m rigid2d.cli``."""

from .main import program

if __name__ == "__main__":
    program()
