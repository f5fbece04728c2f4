# SPDX-License-Identifier: MIT
"""Builds ``librigid.wasm``, the engine as WebAssembly, with the compiler of ``ziglang``.

``make web`` runs this. The flags of the engine are those of ``core/native/CMakeLists.txt``, so that
its bits are the same: no contraction, no relaxed vectors. Exceptions are WebAssembly's own; their
runtime is compiled from the sources that ``ziglang`` brings. Binaryen makes the file smaller.
"""

from __future__ import annotations

import argparse
import ctypes
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
LISTS = ("geometry", "engine", "expressions", "cutting", "script", "compiled", "seeded")
SECTION = "rigid sources"
LEFT_OUT = re.compile(
    r"bind_|/bind/|solvers/kernels_|script/(batch|mounting|acting/(asking|attaching|dragging))"
    r"|script/copies/|script/reading/read_attachment|cutting/hollowing"
    r"|parallel/thread_pool\.cpp"
)
OWN = (
    "engine/parallel/one_thread.cpp",
    "web/api.cpp",
    "web/kernels.cpp",
    "web/kernels_one.cpp",
    "web/no_attaching.cpp",
    "web/no_copies.cpp",
    "web/thread_exit.cpp",
    "web/exception_tag.s",
)
TARGET = ("-target", "wasm32-wasi", "-mcpu=generic+simd128+exception_handling", "-fwasm-exceptions")
FLAGS = (
    *("-std=c++20", "-DNDEBUG", "-DRIGID_ONE_THREAD", "-w"),
    *("-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-Wno-psabi"),
    *("-DRIGID_SMALL", "-fno-threadsafe-statics", "-fno-rtti"),
)
BY_FILE = dict.fromkeys(("web/kernels.cpp", "web/kernels_one.cpp"), ("-fno-tree-vectorize",))
HOT = re.compile(
    r"geometry/manifold(\.|_outline)|engine/(bodies|broadphase)|engine/collision/narrow"
    r"|engine/contacts/contacts|engine/mechanisms/joint_system"
    r"|engine/solvers/(island|soft)|web/kernels\.cpp"
)
"""Sources that take most of the time. All others are compiled for their size."""
STACK, MEMORY = 1 << 20, 1 << 30
LIMIT = 450_000
"""Bytes of the file with gzip, at most."""
PRINTING = ("__abort_message", "vfprintf")
"""Functions of the libraries that print last words before the module aborts, which no page shows:
they abort at once."""
FEATURES = ("MutableGlobals", "SIMD128", "ExceptionHandling", "BulkMemory")


def sources() -> list[str]:
    """The engine's sources, by the lists of the native build, without Python's binding."""
    found = list[str]()
    for name in LISTS:
        text = (NATIVE / name / "sources.cmake").read_text(encoding="utf-8")
        found += re.findall(r"[\w/]+\.cpp", text)
    kept = [name for name in dict.fromkeys(found) if not LEFT_OUT.search(name)]
    return [*kept, *OWN]


def _flags(name: str) -> list[str]:
    speed = "-O2" if HOT.match(name) else "-Oz"
    return [speed, *FLAGS, "-iquote", str(NATIVE), *BY_FILE.get(name, ())]


def smaller(module: bytes) -> bytes:
    """The module as Binaryen makes it smaller, which changes no result.

    Raises ImportError where Binaryen is not installed.
    """
    import icpp_binaryen

    (path,) = (Path(icpp_binaryen.__file__).parent / "lib").glob("*binaryen.*")
    library = ctypes.CDLL(str(path))

    class Written(ctypes.Structure):
        _fields_ = (
            ("binary", ctypes.c_void_p),
            ("size", ctypes.c_size_t),
            ("map", ctypes.c_void_p),
        )

    library.BinaryenModuleRead.restype = ctypes.c_void_p
    library.BinaryenModuleAllocateAndWrite.restype = Written
    known = ctypes.c_void_p(library.BinaryenModuleRead(module, ctypes.c_size_t(len(module))))
    features = 0
    for name in FEATURES:
        features |= int(getattr(library, f"BinaryenFeature{name}")())
    library.BinaryenModuleSetFeatures(known, features)
    library.BinaryenGetFunction.restype = ctypes.c_void_p
    library.BinaryenUnreachable.restype = ctypes.c_void_p
    for name in PRINTING:
        function = ctypes.c_void_p(library.BinaryenGetFunction(known, name.encode()))
        if function:
            trap = ctypes.c_void_p(library.BinaryenUnreachable(known))
            library.BinaryenFunctionSetBody(function, trap)
    passes = (ctypes.c_char_p * 2)(b"strip-debug", b"strip-producers")
    library.BinaryenModuleRunPasses(known, passes, ctypes.c_uint32(len(passes)))
    library.BinaryenSetOptimizeLevel(2)
    library.BinaryenSetShrinkLevel(2)
    # Addresses below 1,024 are the end of the stack, which the linker lays first: constants up to
    # there may be added by loads and stores themselves, which trap where a sum would wrap around.
    library.BinaryenSetLowMemoryUnused(True)
    for _ in range(2):  # the second time finds what the first has left
        library.BinaryenModuleOptimize(known)
    written = library.BinaryenModuleAllocateAndWrite(known, None)
    return ctypes.string_at(written.binary, written.size)


def _tell(done: int, count: int) -> None:
    """Count the compiled files on a terminal; in a log, every twentieth."""
    if sys.stderr.isatty():
        end = "\n" if done == count else ""
        print(f"\rweb: {done} of {count} files are compiled", end=end, file=sys.stderr, flush=True)
    elif done % 20 == 0 or done == count:
        print(f"web: {done} of {count} files are compiled", file=sys.stderr, flush=True)


class ZigCompiler:
    """The compiler of ``ziglang``, and a folder of objects."""

    def __init__(self, folder: Path, jobs: int) -> None:
        import ziglang

        self._library = Path(ziglang.__file__).parent / "lib"
        self._folder, self._jobs = folder, jobs

    def build(self, output: Path) -> None:
        """Compile and link everything, with the names of functions. Raises CalledProcessError."""
        self._folder.mkdir(parents=True, exist_ok=True)
        jobs = [(NATIVE / name, _flags(name)) for name in sources()]
        jobs += self._exceptions()
        with ThreadPoolExecutor(self._jobs) as pool:
            objects = []
            for done in pool.map(lambda job: self._compile(*job), jobs):
                objects.append(done)
                _tell(len(objects), len(jobs))
        self._run(
            "c++",
            *TARGET,
            "-O3",
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
        """The object of a source; the compiler keeps those that it has made before."""
        mark = sha256(f"{source} {flags}".encode()).hexdigest()
        target = self._folder / f"{source.stem}-{mark[:16]}.o"
        tool = "c++" if source.suffix == ".cpp" else "cc"
        given = () if source.suffix == ".s" else flags
        self._run(tool, *TARGET, *given, "-c", str(source), "-o", str(target))
        return target

    def _run(self, *arguments: str) -> None:
        subprocess.run([sys.executable, "-m", "ziglang", *arguments], check=True)


def source_digest() -> str:
    """The digest of the sources that the engine of Python has too, as `source_digest.cmake` makes
    it."""
    names = [path for end in ("h", "cpp", "cmake") for path in NATIVE.rglob(f"*.{end}")]
    found = [path.relative_to(NATIVE).as_posix() for path in (*names, NATIVE / "CMakeLists.txt")]
    listing = ""
    for name in sorted(name for name in found if not name.startswith("web/")):
        text = (NATIVE / name).read_bytes().replace(b"\r\n", b"\n")
        listing += f"{sha256(text).hexdigest()} {name}\n"
    return sha256(listing.encode()).hexdigest()


def stamped(module: bytes, digest: str) -> bytes:
    """The module with a section of its own at the end, which has this digest."""
    section = bytes([len(SECTION)]) + SECTION.encode() + digest.encode()
    return module + bytes([0, len(section)]) + section


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=HERE / "librigid.wasm")
    parser.add_argument("--objects", type=Path, default=HERE.parents[1] / "build" / "web")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--names", action="store_true", help="keep the names of functions")
    options = parser.parse_args()
    unfinished = options.output.with_suffix(".part")
    try:
        ZigCompiler(options.objects, options.jobs).build(unfinished)
    except subprocess.CalledProcessError as error:
        print(f"web: the compiler ended with {error.returncode}", file=sys.stderr)
        return 1
    content = unfinished.read_bytes()
    if not options.names:
        content = smaller(content)
    content = stamped(content, source_digest())
    unfinished.write_bytes(content)
    size = len(gzip.compress(content, 9, mtime=0))
    if size > LIMIT and not options.names:
        print(f"web: {size:,} bytes with gzip are more than {LIMIT:,}", file=sys.stderr)
        return 1
    unfinished.rename(options.output)
    print(f"{options.output}: {len(content):,} bytes, {size:,} with gzip")
    return 0


if __name__ == "__main__":
    sys.exit(main())
