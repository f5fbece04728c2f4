# SPDX-License-Identifier: MIT
"""The part of the world that a picture shows: the camera, boxes and extents."""
