# SPDX-License-Identifier: MIT
"""The camera, layers, particles and annotations of a picture."""
