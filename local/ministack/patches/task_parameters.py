"""What a task was given, in the history of its execution.

Gap: MiniStack's TaskScheduled does not say it, so nobody sees how large the event is that a function gets.
AWS: taskScheduledEventDetails.parameters is the JSON of what the service is called with, of a Lambda its FunctionName and
Payload.
It can go when the test "the parameters of a task are not in the history, without its patch" fails.
"""

import threading
from typing import Any

from ministack.services import stepfunctions

from patches import map_run_results, replace_function

# The arguments of a task are evaluated on the thread that then notes that it is scheduled.
_last = threading.local()


def _apply_arguments(apply_arguments: Any) -> Any:
    def patched(state_def: dict[str, Any], raw_input: Any, ctx: dict[str, Any]) -> Any:
        _last.arguments = apply_arguments(state_def, raw_input, ctx)
        return _last.arguments

    return patched


def _add_event(add_event: Any) -> Any:
    def patched(execution: dict[str, Any], event_type: str, details: Any = None) -> Any:
        arguments = getattr(_last, "arguments", None)
        if event_type == "TaskScheduled" and details is not None and arguments is not None:
            details["taskScheduledEventDetails"]["parameters"] = map_run_results.compact(arguments)
            _last.arguments = None
        return add_event(execution, event_type, details)

    return patched


def apply() -> None:
    replace_function(stepfunctions, "_apply_jsonata_arguments", _apply_arguments)
    replace_function(stepfunctions, "_add_event", _add_event)
