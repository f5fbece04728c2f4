# SPDX-License-Identifier: MIT
"""Run the fuzzers for long: ``python -m tests.robustness --minutes 60``."""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

from .frame import attempt_once, hunt, save, shrink
from .fuzzers import FUZZERS

ROUND = 60.0  # seconds that each fuzzer has in a turn
FOUND = Path("build/fuzz")


def main() -> int:
    """Fuzz in turns until the time is over; 1 when something was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.robustness", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument(
        "--seed", type=int, default=None, help="another one for each run if left out"
    )
    parser.add_argument("--only", choices=FUZZERS, action="append", help="these fuzzers alone")
    parser.add_argument("--replay", type=Path, help="one saved input; needs --only")
    given = parser.parse_args()
    if given.replay:
        if not given.only:
            parser.error("--replay needs --only, to know what the input is for")
        what = attempt_once(FUZZERS[given.only[0]], given.replay.read_bytes())
        print(what or "nothing is wrong")
        return int(bool(what))
    seed = random.SystemRandom().randrange(1 << 32) if given.seed is None else given.seed
    print(f"seed {seed}")
    return int(_turns([*(given.only or FUZZERS)], seed, given.minutes * 60.0) > 0)


def _turns(names: list[str], seed: int, seconds: float) -> int:
    """All fuzzers in turns, each turn with a seed of its own; how many failures there were."""
    end = time.monotonic() + seconds
    tries, failures = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    kinds: set[str] = set()
    turn = 0
    while time.monotonic() < end:
        for name in names:
            left = (end - time.monotonic()) / (len(names) - names.index(name))
            if left <= 0.0:
                break
            done, found = hunt(FUZZERS[name], seed + turn, seconds=min(ROUND, left))
            tries[name] += done
            failures[name] += len(found)
            for each in found:
                if each.kind not in kinds:
                    kinds.add(each.kind)
                    small = shrink(FUZZERS[name], each)
                    print(f"\n{small}\n  saved as {save(small, FOUND)}", flush=True)
        turn += 1
    for name in names:
        print(f"{name:10} {tries[name]:9} tries {failures[name]:5} failures")
    return sum(failures.values())


if __name__ == "__main__":
    sys.exit(main())
