# SPDX-License-Identifier: MIT
"""Random passive worlds, and a judge that measures from outside whether laws of physics hold."""
