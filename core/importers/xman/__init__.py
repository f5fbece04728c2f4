# SPDX-License-Identifier: MIT
"""Projects of XmanPhysics: bodies, joints, actuators, levels and looks."""
