"""Time of state machines by a clock that is set while they run, so that days of waiting pass in seconds.

Gap: MiniStack waits as long as AWS does, or a share of it that is chosen at its start.
Here: the file that STRIPEWISE_CLOCK_FILE names says how many milliseconds the clock is ahead (local/clock.ts). A Wait state ends once
that clock has passed its end; tasks that wait for a token, executions and pauses between tries end by it too, and the history
has its times. Waiting alone is shorter: what is done in between takes as long as it does. Without the variable nothing changes.
It can go when the test "a day of waiting takes a day without its patch" fails.
"""

import os
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

from ministack.services import stepfunctions

from patches import needs, replace_function

_FILE = os.environ.get("STRIPEWISE_CLOCK_FILE")
_LOOK_SECONDS = 0.1


def _ahead_seconds() -> float:
    if _FILE is None:
        return 0
    try:
        with open(_FILE, encoding="ascii") as file:
            return float(file.read() or 0) / 1000
    except FileNotFoundError:
        return 0


def monotonic() -> float:
    return time.monotonic() + _ahead_seconds()


def _now() -> datetime:
    return datetime.now(timezone.utc) + timedelta(seconds=_ahead_seconds())


def after(seconds: float, call: Callable[[], None]) -> Callable[[], None]:
    """:returns: what takes it back."""
    end, is_over = monotonic() + seconds, threading.Event()

    def wait() -> None:
        while not is_over.wait(min(_LOOK_SECONDS, seconds)):
            if monotonic() >= end:
                call()
                return

    threading.Thread(target=wait, daemon=True).start()
    return is_over.set


def _sleep(_: Any) -> Any:
    def patched(seconds: float) -> None:
        end = monotonic() + seconds * stepfunctions._SFN_WAIT_SCALE
        while monotonic() < end:
            time.sleep(_LOOK_SECONDS)

    return patched


def _sleep_until(_: Any) -> Any:
    def patched(iso_ts: str) -> None:
        target = stepfunctions._parse_ts(iso_ts)
        while target is not None and _now() < target:
            time.sleep(_LOOK_SECONDS)

    return patched


def _now_iso(_: Any) -> Any:
    def patched() -> str:
        return _now().strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"

    return patched


def apply() -> None:
    needs(stepfunctions, "_SFN_WAIT_SCALE", "_parse_ts")
    if _FILE is None:
        return
    replace_function(stepfunctions, "_scaled_sleep", _sleep)
    replace_function(stepfunctions, "_sleep_until", _sleep_until)
    replace_function(stepfunctions, "now_iso", _now_iso)
