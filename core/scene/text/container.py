# SPDX-License-Identifier: MIT
"""The file of a compiled scene: named sections with a digest.

All numbers are little-endian. The file is the 16 letters of ``MAGIC``, the number of sections (4
bytes, 4 zeros), an entry for each (24 bytes of its name, 8 of its offset, 8 of its size), the
sections, each at a multiple of 8, and the first 8 bytes of the BLAKE2b hash of all that. The engine
reads and checks it (``core/native/compiled/container.h``).
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from hashlib import blake2b

from ... import _native
from ...errors import UsageError

MAGIC = b"rigid compiled 1"
_HEAD = struct.Struct("<16sII")
_ENTRY = struct.Struct("<24sQQ")
_DIGEST = 8
MOST_SECTIONS = 256


def pack(sections: Mapping[str, bytes]) -> bytes:
    """The file with these sections, in their order."""
    if len(sections) > MOST_SECTIONS:
        raise ValueError(f"a compiled scene has at most {MOST_SECTIONS} sections")
    at = _HEAD.size + _ENTRY.size * len(sections)
    entries, contents = list[bytes](), list[bytes]()
    for name, content in sections.items():
        letters = name.encode("ascii")
        if not 0 < len(letters) <= 24 or not all(33 <= each <= 126 for each in letters):
            raise ValueError(f"{name!r} is no name of a section")
        entries.append(_ENTRY.pack(letters, at, len(content)))
        contents.append(content + b"\0" * (-len(content) % 8))
        at += len(contents[-1])
    body = b"".join((_HEAD.pack(MAGIC, len(sections), 0), *entries, *contents))
    return body + digest(body)


def digest(body: bytes) -> bytes:
    """The last bytes of a file, after all others."""
    return blake2b(body, digest_size=_DIGEST).digest()


def unpack(content: bytes, path: str = "<bytes>") -> dict[str, bytes]:
    """The sections of a file by name. Raises UsageError for other bytes."""
    try:
        return dict(_native.read_container(content))
    except ValueError as error:
        raise UsageError(f"{path}: {error}") from None
