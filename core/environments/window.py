# SPDX-License-Identifier: MIT
"""A window that shows pictures of an environment at the pace of its steps, with Python's Tk."""

from __future__ import annotations

import os
import sys
import time
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError


def has_display() -> bool:
    """Whether a window can be expected to open here."""
    if "tkinter" not in sys.modules and find_spec("tkinter") is None:
        return False
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY"))


class Window:
    """One window. Its pictures are at least 1 / ``rate`` seconds apart."""

    def __init__(self, title: str, rate: int) -> None:
        self._pause = 1.0 / rate
        self._next = 0.0
        try:
            self._tk: Any = import_module("tkinter")
            self._root = self._tk.Tk(className="rigid")
        except Exception as error:  # TclError, of a module that may be missing
            raise UsageError(
                f"render_mode 'human' needs a display and Python's tkinter: {error}"
            ) from None
        self._root.title(title)
        self._root.resizable(False, False)
        self._root.protocol("WM_DELETE_WINDOW", self.close)
        self._label = self._tk.Label(self._root, borderwidth=0)
        self._label.pack()
        self._open = True

    def show(self, pixels: NDArray[np.uint8]) -> None:
        """Show a picture [height, width, 3]; nothing after the window was closed."""
        if not self._open:
            return
        height, width, _ = pixels.shape
        data = b"P6 %d %d 255\n" % (width, height) + pixels.tobytes()
        self._picture = self._tk.PhotoImage(master=self._root, data=data, format="PPM")
        self._label.configure(image=self._picture)
        now = time.monotonic()
        if now < self._next:
            time.sleep(self._next - now)
        self._next = max(now, self._next) + self._pause
        self._root.update()

    def close(self) -> None:
        """Close it; a second time changes nothing."""
        if self._open:
            self._open = False
            self._root.destroy()
