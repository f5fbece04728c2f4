# SPDX-License-Identifier: MIT
"""The program of a scene's script: its tables, and the bytes that the native runner reads."""

from .actuators import QUANTITIES, actuator_bytes, actuator_numbers
from .births import Birth, birth_of
from .program import ProgramWriter, ScriptProgram, program_of

__all__ = [
    "QUANTITIES",
    "Birth",
    "ProgramWriter",
    "ScriptProgram",
    "actuator_bytes",
    "actuator_numbers",
    "birth_of",
    "program_of",
]
