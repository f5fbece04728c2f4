# SPDX-License-Identifier: MIT
"""State hashes of the small benchmark scenes, stored so that a change of a single bit is seen.

    python tests/benchmarks/hashes.py            compare with the stored ones
    python tests/benchmarks/hashes.py --write    store what this build gives

The hashes change whenever the engine's arithmetic, its order or the scenes change on purpose;
then they are written anew, in the commit that makes the change.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from benchmark_scenes import SCENES
from stage_native import NativeStage

STORE = Path(__file__).with_name("hashes.json")
STEPS = 150


def state_hash(name: str, threads: int = 1, lanes: int = 0) -> str:
    """The hash, in hexadecimal, after STEPS steps of the small form of a scene."""
    recipe = SCENES[name]
    scene = recipe.make(**recipe.small)
    stage = NativeStage(scene, threads, lanes)
    for step in range(STEPS):
        if scene.before_step is not None:
            scene.before_step(stage, step)
        stage.step()
    return f"{stage.world.state_hash():016x}"


def stored() -> dict[str, str]:
    hashes: dict[str, str] = json.loads(STORE.read_text(encoding="utf-8"))
    return hashes


def main() -> int:
    parser = argparse.ArgumentParser(description="State hashes of the small benchmark scenes.")
    parser.add_argument("--write", action="store_true", help="store the hashes of this build")
    write = parser.parse_args().write
    hashes = {name: state_hash(name) for name in SCENES}
    if write:
        STORE.write_text(json.dumps(hashes, indent=2) + "\n", encoding="utf-8")
        return 0
    known = stored()
    for name, value in hashes.items():
        print(f"{name:14} {value} {'same' if known.get(name) == value else 'DIFFERENT'}")
    return int(known != hashes)


if __name__ == "__main__":
    sys.exit(main())
