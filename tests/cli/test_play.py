# SPDX-License-Identifier: MIT
"""rigid play and rigid show: what they refuse, before anything is served or drawn."""

from __future__ import annotations

import sys

import pytest


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["play", "-"], "what is played is a file"),
        (["play", "none.yaml"], "there is no such file"),
        (["play", "hello.yaml", "--port", "70000"], "--port"),
        (["play", "hello.yaml", "--speed", "0"], "--speed"),
        (["play", "hello.yaml", "--save-inputs", "no/f.yaml"], "there is no folder"),
        (["show", "-"], "name a file"),
        (["show", "none.yaml"], "there is no such file"),
        (["show", "hello.yaml", "--as", "paint"], "--as"),
        (["show", "hello.yaml"], "needs a terminal"),
    ],
)
def test_what_cannot_be_played_is_told(rigid, hello, monkeypatch, arguments, words):
    monkeypatch.chdir(hello.parent)
    monkeypatch.setattr(sys, "stdin", (hello.parent / "hello.yaml").open())
    result = rigid(*arguments)
    assert result.code == 2
    assert words in result.err


def test_what_is_not_installed_is_told_with_the_extra_that_has_it(rigid, hello, monkeypatch):
    monkeypatch.setitem(sys.modules, "websockets.asyncio.server", None)
    result = rigid("play", hello)
    assert (result.code, "pip install 'rigid2d[play]'" in result.err) == (2, True)


def test_a_scene_with_mistakes_is_not_shown(rigid, hello):
    hello.write_text("rigid: 1\nbodies: {a: {shpe: {circle: 1}}}\n", encoding="utf-8")
    result = rigid("show", hello)
    assert (result.code, "did you mean `shape`?" in result.err) == (2, True)
