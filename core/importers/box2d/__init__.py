# SPDX-License-Identifier: MIT
"""Worlds of Box2D, as the editor R.U.B.E. has them and as it exports them."""
