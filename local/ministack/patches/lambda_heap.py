"""The heap that a Node.js Lambda has for its memory.

Gap: MiniStack starts Node as it is, so a function has the heap of this machine (gigabytes), whatever its MemorySize.
AWS: the runtime's bootstrap (/var/runtime/bootstrap of the images public.ecr.aws/lambda/nodejs) gives a tenth of the
memory to new space, in two halves, and the rest to old space; what needs more ends with "JavaScript heap out of memory".
A function's own NODE_OPTIONS are left as they are. What is outside of V8's heap is not limited here.
It can go when the test "the heap of a Lambda is that of the machine, without its patch" fails.
"""

import os
from typing import Any

from ministack.core import lambda_runtime

from patches import replace_function


def _heap_options(memory: int) -> str:
    new_space = memory // 10
    heap = f"--max-semi-space-size={new_space // 2} --max-old-space-size={memory - new_space}"
    # What this server was started with is for its functions too.
    return f"{os.environ.get('NODE_OPTIONS', '')} {heap}".strip()


def _spawn(spawn: Any) -> Any:
    def patched(self: Any) -> None:
        if self.config.get("Runtime", "").startswith("nodejs"):
            environment = self.config.get("Environment", {})
            options = {"NODE_OPTIONS": _heap_options(int(self.config.get("MemorySize", 128)))}
            variables = {**options, **environment.get("Variables", {})}
            self.config = {**self.config, "Environment": {**environment, "Variables": variables}}
        spawn(self)

    return patched


def apply() -> None:
    replace_function(lambda_runtime.Worker, "_spawn", _spawn)
