# SPDX-License-Identifier: MIT
"""The program of a scene's script: its tables, and the bytes that the native runner reads."""

from .program import QUANTITIES, ScriptProgram, actuator_numbers, program_of

__all__ = ["QUANTITIES", "ScriptProgram", "actuator_numbers", "program_of"]
