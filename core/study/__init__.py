# SPDX-License-Identifier: MIT
"""Many runs of one scene: what is varied, what is collected, and where it is kept."""
