# SPDX-License-Identifier: MIT
"""Many runs of one scene: studies, tasks and variants."""
