"""The fuzzers, by name."""

from __future__ import annotations

from ..frame import Fuzzer
from .mutation import check_mutant, mutant
from .native_calls import check_program, program
from .scene_check import check_scene
from .scene_grammar import a_scene
from .sessions import check_session, session

FUZZERS: dict[str, Fuzzer] = {
    fuzzer.name: fuzzer
    for fuzzer in (
        Fuzzer("grammar", a_scene, check_scene, quick=100),
        Fuzzer("mutation", mutant, check_mutant, quick=100),
        Fuzzer("native", program, check_program, quick=400),
        Fuzzer("sessions", session, check_session, quick=80),
    )
}
