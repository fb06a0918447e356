"""All that a JavaScript Lambda wrote, in the log of the invocation that wrote it.

Gap: MiniStack waits at most 50 ms for the first line of an invocation's log, and 5 ms for each further one. On a busy
machine a line comes into the log of the next invocation, or into none. A line without an end waits for the next line.
AWS: what was written before the answer is in the log of its own invocation.
It can go when the test "loses a line without an end, without its patch" fails.
"""

import queue
import time
from typing import Any

from ministack.core import lambda_runtime

from patches import needs, replace_function, replace_text

# A line of its own between the logs of two invocations.
_END = "\x1eend of the log\x1e"

# The process writes its end before it answers: longer is a fault of the process.
_MOST_SECONDS = 10.0

_RAW = "const _realStdoutWrite = process.stdout.write.bind(process.stdout);"
_WITH_END = f"""const _answer = process.stdout.write.bind(process.stdout);
const _realStdoutWrite = text => {{
  // Pipes are written to at once. The answer to the start belongs to no invocation.
  if (!text.startsWith('{{"status":"ready"')) _stderrWrite("\\n" + {_END!r} + "\\n");
  return _answer(text);
}};"""


def _drain_bounded(drain: Any) -> Any:
    def patched(
        self: Any, first_line_wait: float = 0.050, idle_confirm: float = 0.005, hard_cap: float = 0.250
    ) -> str:
        if not str(self.config.get("Runtime", "")).startswith("nodejs"):
            return str(drain(self, first_line_wait, idle_confirm, hard_cap))
        lines: list[str] = []
        until = time.monotonic() + _MOST_SECONDS
        while time.monotonic() < until:
            # Asked for before the queue: who is dead writes nothing after it.
            is_dead = self._stderr_thread is None or not self._stderr_thread.is_alive()
            try:
                line = self._stderr_queue.get(timeout=0 if is_dead else 0.05)
            except queue.Empty:
                if is_dead:
                    break
                continue
            if line == _END:
                # Its own line break, where the last line had one already.
                if lines and lines[-1] == "":
                    lines.pop()
                break
            lines.append(line)
        return "\n".join(lines)

    return patched


def _drain(drain: Any) -> Any:
    def patched(self: Any) -> str:
        # Its process was ended: what it wrote is read until there is no more.
        if self._stderr_thread is not None:
            self._stderr_thread.join(timeout=1.0)
        return str(drain(self))

    return patched


def apply() -> None:
    needs(lambda_runtime, "Worker")
    replace_text(lambda_runtime, "_NODEJS_WORKER_SCRIPT", _RAW, _WITH_END)
    replace_function(lambda_runtime.Worker, "_drain_stderr_bounded", _drain_bounded)
    replace_function(lambda_runtime.Worker, "_drain_stderr", _drain)
