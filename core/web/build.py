# SPDX-License-Identifier: MIT
"""Builds ``librigid.wasm``, the engine as WebAssembly, with the compiler of ``ziglang``.

``make web`` runs this. The flags of the engine are those of ``core/native/CMakeLists.txt``, so that
its bits are the same: no contraction, no relaxed vectors. Exceptions are WebAssembly's own; their
runtime is compiled from the sources that ``ziglang`` brings.
"""

from __future__ import annotations

import argparse
import gzip
import re
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).resolve().parent
NATIVE = HERE.parent / "native"
LISTS = ("geometry", "engine", "compiled", "seeded")
LEFT_OUT = re.compile(r"bind_|/bind/|kernels_avx|parallel/thread_pool\.cpp")
OWN = (
    "engine/parallel/one_thread.cpp",
    "web/api.cpp",
    "web/thread_exit.cpp",
    "web/exception_tag.s",
)
TARGET = ("-target", "wasm32-wasi", "-mcpu=generic+simd128+exception_handling", "-fwasm-exceptions")
FLAGS = (
    *("-std=c++20", "-O3", "-DNDEBUG", "-DRIGID_ONE_THREAD", "-w"),
    *("-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-Wno-psabi"),
)
BY_FILE = {"engine/solvers/kernels_base.cpp": ("-fno-tree-vectorize",)}
RARE = re.compile(
    r"engine/(state|batch|forces|data|islands|building|queries|overlaps|world|mechanisms/contact_joint_problems)"
    r"|engine/solvers/step_observer|compiled/|geometry/(decompose|triangulate|fewest|simple|query)"
    r"|engine/(channels|statistics)|seeded/|web/"
)
"""Sources whose time counts little: they are compiled for their size."""
STACK, MEMORY = 1 << 20, 1 << 30
LIMIT = 450_000
"""Bytes of the file with gzip, at most."""


def sources() -> list[str]:
    """The engine's sources, by the lists of the native build, without Python's binding."""
    found = list[str]()
    for name in LISTS:
        text = (NATIVE / name / "sources.cmake").read_text(encoding="utf-8")
        found += re.findall(r"[\w/]+\.cpp", text)
    kept = [name for name in dict.fromkeys(found) if not LEFT_OUT.search(name)]
    return [*kept, *OWN]


def _flags(name: str) -> list[str]:
    size = ("-Os",) if RARE.match(name) else ()
    return [*FLAGS, *size, "-iquote", str(NATIVE), *BY_FILE.get(name, ())]


class Compiler:
    """The compiler of ``ziglang``, and a folder of objects that are compiled again when a source,
    a header or a flag changes."""

    def __init__(self, folder: Path, jobs: int) -> None:
        import ziglang

        self._library = Path(ziglang.__file__).parent / "lib"
        self._folder, self._jobs = folder, jobs
        headers = sorted(NATIVE.rglob("*.h")) + sorted(NATIVE.rglob("*.def"))
        self._headers = sha256(b"".join(path.read_bytes() for path in headers)).digest()

    def build(self, output: Path) -> None:
        """Compile and link everything. Raises CalledProcessError."""
        self._folder.mkdir(parents=True, exist_ok=True)
        jobs = [(NATIVE / name, _flags(name)) for name in sources()]
        jobs += self._exceptions()
        with ThreadPoolExecutor(self._jobs) as pool:
            objects = list(pool.map(lambda job: self._compile(*job), jobs))
        self._run(
            "c++",
            *TARGET,
            "-O3",
            "-s",
            "-mexec-model=reactor",
            *map(str, objects),
            f"-Wl,-z,stack-size={STACK},--max-memory={MEMORY}",
            "-Wl,--gc-sections",
            "-o",
            str(output),
        )

    def _exceptions(self) -> list[tuple[Path, list[str]]]:
        """The runtime of exceptions, which the library of the compiler leaves out."""
        abi, unwind = self._library / "libcxxabi", self._library / "libunwind"
        common = ["-O3", "-D__WASM_EXCEPTIONS__", "-D_LIBCXXABI_HAS_NO_THREADS", "-w"]
        cxx = [
            *common,
            "-std=c++23",
            "-D_LIBCPP_BUILDING_LIBRARY",
            "-D_LIBCXXABI_BUILDING_LIBRARY",
            "-I",
            str(abi / "include"),
            "-I",
            str(self._library / "libcxx" / "include"),
            "-I",
            str(abi / "src"),
            "-I",
            str(self._library / "libcxx" / "src"),
        ]
        names = ("cxa_exception.cpp", "cxa_personality.cpp")
        found = [(abi / "src" / name, cxx) for name in names]
        plain = [
            *common,
            "-I",
            str(unwind / "include"),
            "-D_LIBUNWIND_HAS_NO_THREADS",
            "-fdeclspec",
        ]
        return [*found, (unwind / "src" / "Unwind-wasm.c", plain)]

    def _compile(self, source: Path, flags: Sequence[str]) -> Path:
        mark = sha256(repr(([*TARGET, *flags], source)).encode() + self._headers)
        mark.update(source.read_bytes())
        target = self._folder / f"{source.stem}-{mark.hexdigest()[:16]}.o"
        if not target.is_file():
            tool = "c++" if source.suffix == ".cpp" else "cc"
            if source.suffix == ".s":
                flags = ()
            unfinished = target.with_suffix(".part.o")
            self._run(tool, *TARGET, *flags, "-c", str(source), "-o", str(unfinished))
            unfinished.rename(target)
        return target

    def _run(self, *arguments: str) -> None:
        subprocess.run([sys.executable, "-m", "ziglang", *arguments], check=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=HERE / "librigid.wasm")
    parser.add_argument("--objects", type=Path, default=HERE.parents[1] / "build" / "web")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    unfinished = options.output.with_suffix(".part")
    try:
        Compiler(options.objects, options.jobs).build(unfinished)
    except subprocess.CalledProcessError as error:
        print(f"web: the compiler ended with {error.returncode}", file=sys.stderr)
        return 1
    content = unfinished.read_bytes()
    size = len(gzip.compress(content, 9, mtime=0))
    if size > LIMIT:
        print(f"web: {size:,} bytes with gzip are more than {LIMIT:,}", file=sys.stderr)
        return 1
    unfinished.rename(options.output)
    print(f"{options.output}: {len(content):,} bytes, {size:,} with gzip")
    return 0


if __name__ == "__main__":
    sys.exit(main())
