# SPDX-License-Identifier: MIT
"""An encoder in a thread of its own, while the next frames are simulated and drawn."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from contextlib import suppress

from .base import Encoder, UInt8

WAITING = 4
"""So many images wait at most; then ``add`` waits, so that memory stays bounded."""
PATIENCE = 0.1
"""Seconds that ``abort`` waits for the thread."""


class BackgroundEncoder:
    """Hands images to another encoder in a thread.

    What that encoder raises comes out of the next ``add`` or ``close``.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._queue: queue.Queue[UInt8 | None] = queue.Queue(WAITING)
        self._error: BaseException | None = None
        self._stopped = False
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def add(self, image: UInt8) -> None:
        self._raise_error()
        self._queue.put(image)

    def close(self) -> None:
        self._join()
        if self._error is not None:
            self._encoder.abort()
        self._raise_error()

    def abort(self) -> None:
        """Break off; a picture that takes long is not waited for, but comes to nothing."""
        self._stopped = True
        with suppress(queue.Empty):
            while True:
                self._queue.get_nowait()
        self._join(PATIENCE)
        self._encoder.abort()

    def _join(self, seconds: float | None = None) -> None:
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join(seconds)

    def _raise_error(self) -> None:
        if self._error is not None:
            raise self._error

    def _work(self) -> None:
        # After a failure the queue is still emptied: its writer must never wait for ever.
        while (image := self._queue.get()) is not None:
            self._attempt(self._encoder.add, image)
        self._attempt(self._encoder.close)

    def _attempt(self, call: Callable[..., None], *arguments: UInt8) -> None:
        if self._stopped or self._error is not None:
            return
        try:
            call(*arguments)
        except BaseException as error:  # handed on to the caller's thread
            self._error = error
