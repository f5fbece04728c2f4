# SPDX-License-Identifier: MIT
"""Requests from pages: a bounded queue per page.

Pages take turns, so one that asks for much waits for itself alone. What a page asks for again
before it was answered, such as another place of a slider, takes the place of the first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Condition

from .requests import Request

MOST = 100
"""Requests of one page that may wait."""
_LATEST = ("seek", "speed", "drag", "var", "now", "joint", "want")
"""Of these only the last one counts."""
_ENDINGS = ("release", "drop")
"""These end what was begun, and wait also where there is no room for others."""

Call = Callable[[], None]
Answer = Callable[[str, Request], None]


class Inbox:
    """Requests from other threads to the one that answers.

    Args:
        answer: called with a page and its request when it is taken.
    """

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._filled = Condition()
        self._calls: deque[Call] = deque()
        self._waiting: dict[str, deque[Request]] = {}  # the next page first

    def call(self, call: Call) -> None:
        """Do something before all requests that wait."""
        with self._filled:
            self._calls.append(call)
            self._filled.notify()

    def drop(self, who: str, call: Call) -> None:
        """A page has gone: forget what it asked for, and do something instead."""
        with self._filled:
            self._waiting.pop(who, None)
            self._calls.append(call)
            self._filled.notify()

    def ask(self, who: str, request: Request) -> bool:
        """A page asks for something; False where too much of it waits already."""
        with self._filled:
            waiting = self._waiting.setdefault(who, deque())
            if request.does in _LATEST and _replaces(waiting, request):
                return True
            most = 2 * MOST if request.does in _ENDINGS else MOST
            if len(waiting) >= most:
                return False
            waiting.append(request)
            self._filled.notify()
            return True

    def take(self, timeout: float = 0.0) -> bool:
        """Do what is next, or wait for it so many seconds; whether there was anything."""
        with self._filled:
            if not self._calls and not self._waiting:
                self._filled.wait(timeout)
            if self._calls:
                next_one = self._calls.popleft()
            elif self._waiting:
                next_one = self._next()
            else:
                return False
        next_one()
        return True

    def _next(self) -> Call:
        """The first request of the page whose turn it is, which is the last one then."""
        who = next(iter(self._waiting))
        waiting = self._waiting.pop(who)
        request = waiting.popleft()
        if waiting:
            self._waiting[who] = waiting
        return lambda: self._answer(who, request)


def _replaces(waiting: deque[Request], request: Request) -> bool:
    """Put a request in the place of an earlier one that it makes useless; whether there is one."""
    for i in range(len(waiting) - 1, -1, -1):
        other = waiting[i]
        if other.does not in _LATEST:
            return False
        if (other.does, other.words) == (request.does, request.words):
            waiting[i] = request
            return True
    return False
