# SPDX-License-Identifier: MIT
"""Names of vectors of a running scene: ``ball.velocity``, ``a.contact.with(b).friction_force``.

The vectors are found by ``core/render/marks/annotation_vectors.py``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

OF_BODIES = (
    *("velocity", "acceleration", "momentum"),
    *("weight", "normal_force", "friction_force", "contact_force", "net_force", "force"),
)
OF_POINTS = ("velocity",)
OF_JOINTS = ("force",)
OF_CONTACTS = ("normal_force", "friction_force", "force")
OF_MOTION = ("acceleration", "net_force")
"""Those that the change of a velocity gives."""
WITH_MASS = ("momentum", "weight", "net_force")
"""Those that the mass of a body gives."""
PRESSED = ("normal_force", "friction_force", "contact_force", "force")
"""Those of a body that its touching points give."""
SCALES = ("force", "velocity", "acceleration", "momentum")
"""Vectors of one of these have one scale."""
LINES = ("velocity", "acceleration", "momentum")

_CONTACT = re.compile(r"(?P<owner>.+)\.contact\.with\((?P<other>[^()]+)\)\.(?P<quantity>\w+)")
_ON = re.compile(r"(?P<owner>.+)\.on\((?P<other>[^()]+)\)\.(?P<quantity>\w+)")


@dataclass(frozen=True, slots=True)
class VectorName:
    """A name in its parts.

    Attributes:
        owner: the body, the point of a body, or the joint.
        quantity: the last part of the name.
        other: the body that is touched, or the body that a joint acts on; empty for all, or for
            body b.
        of_contact: whether it is of touching points with ``other``.
    """

    owner: str
    quantity: str
    other: str = ""
    of_contact: bool = False

    @property
    def scale(self) -> str:
        """The one of ``SCALES`` that it is drawn in."""
        return self.quantity if self.quantity in LINES else "force"


def vector_name(text: str) -> VectorName:
    """The parts of a name, whether there is such a vector or not."""
    for pattern in (_CONTACT, _ON):
        found = pattern.fullmatch(text)
        if found:
            owner, other = found["owner"].strip(), found["other"].strip()
            return VectorName(owner, found["quantity"], other, pattern is _CONTACT)
    owner, _, quantity = text.rpartition(".")
    return VectorName(owner, quantity)
