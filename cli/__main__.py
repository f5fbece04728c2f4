# SPDX-License-Identifier: MIT
"""``python -m rigid.cli``."""

from .main import program

if __name__ == "__main__":
    program()
