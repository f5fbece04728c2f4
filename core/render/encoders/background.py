"""An encoder that works in a thread of its own, while the next frames are simulated and drawn."""

from __future__ import annotations

import queue
import threading

from .base import Encoder, UInt8

WAITING = 4
"""So many images wait at most; then ``add`` waits, so that memory stays bounded."""


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
        self._encoder.close()

    def abort(self) -> None:
        self._stopped = True
        self._join()
        self._encoder.abort()

    def _join(self) -> None:
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()

    def _raise_error(self) -> None:
        if self._error is not None:
            raise self._error

    def _work(self) -> None:
        # After a failure the queue is still emptied: whoever fills it must never wait for ever.
        while (image := self._queue.get()) is not None:
            if self._stopped or self._error is not None:
                continue
            try:
                self._encoder.add(image)
            except BaseException as error:  # handed on to the caller's thread
                self._error = error
