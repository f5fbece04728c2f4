# SPDX-License-Identifier: MIT
"""The program of a scene's script: its tables, and the bytes that the native runner reads."""

from .actuators import QUANTITIES, actuator_bytes, actuator_numbers
from .program import ScriptProgram, program_of

__all__ = ["QUANTITIES", "ScriptProgram", "actuator_bytes", "actuator_numbers", "program_of"]
