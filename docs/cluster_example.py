# SPDX-License-Identifier: MIT
"""Start workers on this machine, have a study done by them, and end them:

python docs/cluster_example.py SCENE OUT [WORKERS]
"""

from __future__ import annotations

import sys

from distributed import LocalCluster
from rigid2d.core import run_study


def main(scene: str, out: str, workers: int = 2) -> None:
    with LocalCluster(
        n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
    ) as cluster:
        results = run_study(scene, out, cluster=cluster.scheduler_address)
    print(f"{len(results)} runs, {results.failures} failed: {results.path / 'index.html'}")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
