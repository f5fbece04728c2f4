# SPDX-License-Identifier: MIT
"""Messages that wait for one page: the newest of each kind. A slow reader gets
fewer moments, and no other page waits for it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator

NOTES = 20


class Outbox:
    """Messages that wait for one page. All methods run in the server's thread."""

    def __init__(self) -> None:
        self._stage: str | None = None
        self._status: str | None = None
        self._desk: str | None = None
        self._notes: deque[str] = deque(maxlen=NOTES)
        self._moment: bytes | None = None
        self._filled = asyncio.Event()
        self._closed = False

    def put_stage(self, text: str) -> None:
        self._stage = text
        self._moment = None  # which would be of another stage
        self._filled.set()

    def put_status(self, text: str) -> None:
        self._status = text
        self._filled.set()

    def put_desk(self, text: str) -> None:
        self._desk = text
        self._filled.set()

    def put_note(self, text: str) -> None:
        self._notes.append(text)
        self._filled.set()

    def put_moment(self, moment: bytes) -> None:
        self._moment = moment
        self._filled.set()

    def close(self) -> None:
        self._closed = True
        self._filled.set()

    async def messages(self) -> AsyncIterator[str | bytes]:
        """Yields messages to send, as they come."""
        while not self._closed:
            await self._filled.wait()
            self._filled.clear()
            while not self._closed and (message := self._next()) is not None:
                yield message

    def _next(self) -> str | bytes | None:
        """The next one: a stage before the status, notes, the desk, and the moments of it."""
        message: str | bytes | None
        message, self._stage = self._stage, None
        if message is None:
            message, self._status = self._status, None
        if message is None and self._notes:
            message = self._notes.popleft()
        if message is None:
            message, self._desk = self._desk, None
        if message is None:
            message, self._moment = self._moment, None
        return message
