"""Gaps of MiniStack 1.5.33, patched from outside: one module a gap, each with apply().

A patch that no longer finds what it replaces stops the start. test/local/ministack-patches.test.ts shows each gap
without its patch: when one of those tests fails, the emulator has changed and the patch can go.
"""

from collections.abc import Callable
from inspect import signature
from types import ModuleType
from typing import Any


class CannotPatch(Exception):
    """What a patch relies on is not there any more, or is not as it was."""


def needs(owner: ModuleType, *names: str) -> None:
    for name in names:
        if not hasattr(owner, name):
            raise CannotPatch(f"{owner.__name__} has no {name} any more")


def replace_function(owner: Any, name: str, make: Callable[[Any], Callable[..., Any]]) -> None:
    """Puts `make(what is there)` in its place, which must take the same parameters."""
    current = getattr(owner, name, None)
    if not callable(current):
        raise CannotPatch(f"{owner.__name__} has no function {name} any more")
    patched = make(current)
    before, after = list(signature(current).parameters), list(signature(patched).parameters)
    if before != after:
        raise CannotPatch(f"{owner.__name__}.{name} takes ({', '.join(before)}), not ({', '.join(after)}) any more")
    setattr(owner, name, patched)


def replace_text(owner: ModuleType, name: str, old: str, new: str) -> None:
    needs(owner, name)
    text = getattr(owner, name)
    if text.count(old) != 1:
        raise CannotPatch(f"{owner.__name__}.{name} has {text.count(old)} times, not once: {old!r}")
    setattr(owner, name, text.replace(old, new))
