# SPDX-License-Identifier: MIT
"""The words of state names, by the kind of the object whose numbers they are."""

BODY_STATES = (
    "x",
    "y",
    "angle",
    "vx",
    "vy",
    "speed",
    "omega",
    "kinetic_energy",
    "contacts",
    "asleep",
    "alive",
    "mass",
    "force",
    "push_pull",
    "potential_energy",
    "weight",
    "normal_force",
    "friction_force",
    "sliding",
)
BOX_STATES = ("left", "right", "top", "bottom")
"""The sides of the box around a body, or around all bodies of a tag or a group, on the screen."""
ACTUATOR_STATES = ("enabled",)
POINT_STATES = ("x", "y", "vx", "vy", "speed")
JOINT_STATES = (
    *("force", "torque", "angle", "length", "translation", "broken"),
    *("speed", "motor_force", "energy"),
)
WORLD_STATES = (
    *("time", "energy", "momentum", "momentum_x", "momentum_y", "angular_momentum"),
    *("contacts", "bodies", "mass", "kinetic_energy", "potential_energy"),
    *("spring_energy", "field_energy", "stored_energy", "total_energy"),
)
ENERGY_SUMS = ("field_energy", "stored_energy", "total_energy")
"""Energies of the world that include those of fields, which the engine lacks."""
CAMERA = "camera"
"""Prefix of numbers of the camera's view."""
CAMERA_STATES = ("left", "right", "top", "bottom", "x", "y", "width", "height")
"""The sides of what a picture shows, as seen on the screen, its middle and its size."""
STATE = "state"
"""Prefix of state variables: ``state.score``."""
TAGS = "tags"
"""Prefix of sums over bodies with a tag: ``tags.piece.mass``."""
GROUPS = "groups"
"""Prefix of sums over the bodies of a group."""
TAG_STATES = ("count", "mass", "area", "kinetic_energy", "potential_energy")
MOTION_STATES = ("momentum", "momentum_x", "momentum_y", "center_x", "center_y")
"""Aggregates of many bodies besides the sums."""
OVER_ALL = ("min", "max", "mean", "sum")
"""Words for aggregates of a state of many bodies: ``tags.coin.max.speed``."""
EACH_STATES = tuple(state for state in BODY_STATES if state != "alive")
GATHERED = tuple(f"{over}.{state}" for over in OVER_ALL for state in EACH_STATES)
ALL_STATES = (*TAG_STATES, *MOTION_STATES, *BOX_STATES, *GATHERED)
SOLVER_STATES = ("iterations", "residual", "error")
