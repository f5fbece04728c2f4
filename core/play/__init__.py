# SPDX-License-Identifier: MIT
"""Playing a scene: a session that is steered, rewound and reloaded, and its server."""
