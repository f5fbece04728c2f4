# SPDX-License-Identifier: MIT
"""The scene itself as display items: bodies, joints, pools, particles and layers."""
