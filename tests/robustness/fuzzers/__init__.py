# SPDX-License-Identifier: MIT
"""The fuzzers, by name."""

from __future__ import annotations

from ..frame import Fuzzer
from .compiled_scenes import changed_scene, check_changed_scene
from .files import attack, check_attack
from .growth import check_growth, construct
from .imports import changed_file, check_import
from .laws import check_laws, passive_world
from .lessons import check_lesson, lesson
from .mutation import check_mutant, mutant
from .native_calls import check_program, program
from .options import check_command_line, command_line
from .pages import a_page, check_page
from .playing import check_played, played
from .recordings import check_recording, recording
from .saved_states import changed_state, check_state_change
from .scene_check import check_scene
from .scene_grammar import a_scene
from .script_grammar import a_script
from .scripts import check_script
from .sessions import check_session, session
from .sockets import check_conversation, conversation
from .streams import check_redirected, redirected
from .studies import check_damage, damage
from .tasks import a_training, check_training

FUZZERS: dict[str, Fuzzer] = {
    fuzzer.name: fuzzer
    for fuzzer in (
        Fuzzer("grammar", a_scene, check_scene, quick=14),
        Fuzzer("mutation", mutant, check_mutant, quick=30),
        Fuzzer("native", program, check_program, quick=150),
        Fuzzer("sessions", session, check_session, quick=25),
        Fuzzer("lessons", lesson, check_lesson, quick=12),
        Fuzzer("imports", changed_file, check_import, quick=70),
        Fuzzer("options", command_line, check_command_line, quick=12),
        Fuzzer("streams", redirected, check_redirected, quick=6),
        Fuzzer("files", attack, check_attack, quick=70),
        Fuzzer("playing", played, check_played, quick=12),
        Fuzzer("recordings", recording, check_recording, quick=30),
        Fuzzer("sockets", conversation, check_conversation, quick=14),
        Fuzzer("tasks", a_training, check_training, quick=15),
        Fuzzer("pages", a_page, check_page, quick=15),
        Fuzzer("states", changed_state, check_state_change, quick=80),
        Fuzzer("scripts", a_script, check_script, quick=24),
        Fuzzer("compiled", changed_scene, check_changed_scene, quick=150),
        Fuzzer("growth", construct, check_growth, quick=4),
        Fuzzer("studies", damage, check_damage, quick=30),
        Fuzzer("laws", passive_world, check_laws, quick=0),  # test_laws.py tries them
    )
}
