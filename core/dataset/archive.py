# SPDX-License-Identifier: MIT
"""The files of a run as a piece of a tar archive, as webdataset has them: a sample is a name, a
point, and which of its files it is. The same files are the same bytes."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator, Mapping
from io import BytesIO

END = bytes(1024)
"""The end of an archive."""


def pack(key: str, files: Mapping[str, bytes]) -> bytes:
    """The files of a run, each ``key.name``, without the end of an archive."""
    out = BytesIO()
    for name, data in files.items():
        info = tarfile.TarInfo(f"{key}.{name}")
        info.size = len(data)
        out.write(info.tobuf(tarfile.USTAR_FORMAT))
        out.write(data)
        out.write(bytes(-len(data) % 512))
    return out.getvalue()


def unpack(packed: bytes) -> Iterator[tuple[str, bytes]]:
    """The files again, by their names without the run's."""
    with tarfile.open(fileobj=BytesIO(packed + END)) as archive:
        for member in archive:
            file = archive.extractfile(member)
            assert file is not None
            yield member.name.partition(".")[2], file.read()
