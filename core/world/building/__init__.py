# SPDX-License-Identifier: MIT
"""A scene as rows of the engine: bodies, shapes, joints, actuators and copies of prototypes."""
