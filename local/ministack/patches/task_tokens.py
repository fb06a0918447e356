"""Tasks that wait for their token: heartbeats, times that are JSONata, a function that fails, a token for each attempt.

Gap: MiniStack swallows the error of the function that is given the token and waits for ever, begins to wait only when
that function has ended, knows no HeartbeatSeconds, takes a TimeoutSeconds that is JSONata for a number and fails, gives
every attempt the same token, keeps waiting where the execution was stopped, and says of a token whose task is over that
there is no such task.
AWS: the error of the function is the task's; without a heartbeat for HeartbeatSeconds the task fails with
States.HeartbeatTimeout (which States.Timeout matches too); both times may be JSONata, and run from the start of the
attempt; each attempt has a token of its own; StopExecution ends the wait; a token of the past is TaskTimedOut.
(Amazon States Language; Step Functions developer guide, "Wait for a Callback with Task Token", read 2026-11-22.)
It can go when the tests "... without its patch" of test/local/ministack-task-tokens.test.ts fail.
"""

import contextvars
import json
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from ministack.core.responses import AccountRegionScopedDict, error_response_json, new_uuid
from ministack.services import stepfunctions

from patches import needs, replace_function, simulated_clock, stopped_executions

TIMES = ("TimeoutSeconds", "HeartbeatSeconds")
FOR_EVER_SECONDS = 99_999_999  # AWS's own default
LOOK_SECONDS = 0.1

_past_tokens = AccountRegionScopedDict()


def _waits(state_def: dict[str, Any]) -> bool:
    return ".waitForTaskToken" in state_def.get("Resource", "")


def _execute_task(execute_task: Any) -> Any:
    def patched(state_def: dict[str, Any], raw_input: Any, execution: dict[str, Any], ctx: dict[str, Any]) -> Any:
        if not _waits(state_def):
            return execute_task(state_def, raw_input, execution, ctx)
        times = {
            name: stepfunctions._jsonata_state_field(state_def, name, "number", raw_input, ctx)
            for name in TIMES
            if isinstance(state_def.get(name), str)
        }
        # Branches share their context: the token of one would be told to the other. Variables stay shared.
        own = {**ctx, "State": dict(ctx["State"])}
        return execute_task({**state_def, **times}, raw_input, execution, own)

    return patched


def _apply_arguments(apply_arguments: Any) -> Any:
    """Before each attempt of a task."""

    def patched(state_def: dict[str, Any], raw_input: Any, ctx: dict[str, Any]) -> Any:
        if _waits(state_def):
            ctx["Task"] = {"Token": new_uuid()}
        return apply_arguments(state_def, raw_input, ctx)

    return patched


def _wait(info: dict[str, Any], state_def: dict[str, Any], call: Future[Any]) -> None:
    begun = simulated_clock.monotonic()
    heard, last = begun, info["heartbeat"]
    timeout = state_def.get("TimeoutSeconds", FOR_EVER_SECONDS)
    # A wait of the workflow like those between two tries: SFN_WAIT_SCALE makes it shorter too.
    heartbeat = state_def.get("HeartbeatSeconds", FOR_EVER_SECONDS) * stepfunctions._SFN_WAIT_SCALE
    while not info["event"].wait(timeout=LOOK_SECONDS):
        now = simulated_clock.monotonic()
        stopped_executions.go_no_further()
        if call.done():
            call.result()  # raises what the function has
        if info["heartbeat"] != last:
            heard, last = now, info["heartbeat"]
        if now - begun >= timeout:
            raise stepfunctions._ExecutionError("States.Timeout", "")
        if now - heard >= heartbeat:
            raise stepfunctions._ExecutionError("States.HeartbeatTimeout", "")


def _invoke_with_callback(_: Any) -> Any:
    def patched(resource: str, input_data: Any, token: str, state_def: dict[str, Any]) -> Any:
        info: dict[str, Any] = {"event": threading.Event(), "result": None, "error": None, "heartbeat": None}
        stepfunctions._task_tokens[token] = info
        pool = ThreadPoolExecutor(max_workers=1)
        # The account and the Region of the request live in context variables, which threads do not inherit.
        run = contextvars.copy_context().run
        call = pool.submit(run, stepfunctions._invoke_resource, resource.replace(".waitForTaskToken", ""), input_data)
        pool.shutdown(wait=False)
        try:
            _wait(info, state_def, call)
        finally:
            stepfunctions._task_tokens.pop(token, None)
            _past_tokens[token] = True
        if info["error"]:
            raise stepfunctions._ExecutionError(
                info["error"].get("Error", "TaskFailed"), info["error"].get("Cause", "")
            )
        try:
            return json.loads(info["result"])
        except (TypeError, json.JSONDecodeError):
            return info["result"]

    return patched


def _error_matches(error_matches: Any) -> Any:
    def patched(error_equals: list[str], error: str) -> bool:
        if error == "States.HeartbeatTimeout" and "States.Timeout" in error_equals:
            return True
        return error_matches(error_equals, error)

    return patched


def _send(send: Any) -> Any:
    def patched(data: dict[str, Any]) -> Any:
        if data.get("taskToken") in _past_tokens:
            message = "Task Timed Out: 'Provided task does not exist anymore'"
            return error_response_json("TaskTimedOut", message, 400)
        return send(data)

    return patched


def _send_heartbeat(send_heartbeat: Any) -> Any:
    """The time that MiniStack notes has whole seconds: two heartbeats in one would be one."""

    def patched(data: dict[str, Any]) -> Any:
        reply = send_heartbeat(data)
        info = stepfunctions._task_tokens.get(data.get("taskToken"))
        if info:
            info["heartbeat"] = time.monotonic()
        return reply

    return patched


def _reset(reset: Any) -> Any:
    def patched() -> None:
        reset()
        _past_tokens.clear()

    return patched


def apply() -> None:
    needs(stepfunctions, "_task_tokens", "_ExecutionError", "_jsonata_state_field", "_invoke_resource")
    needs(stepfunctions, "_SFN_WAIT_SCALE")
    replace_function(stepfunctions, "_execute_task", _execute_task)
    replace_function(stepfunctions, "_apply_jsonata_arguments", _apply_arguments)
    replace_function(stepfunctions, "_invoke_with_callback", _invoke_with_callback)
    replace_function(stepfunctions, "_error_matches", _error_matches)
    replace_function(stepfunctions, "_send_task_heartbeat", _send_heartbeat)
    for name in ("_send_task_success", "_send_task_failure", "_send_task_heartbeat"):
        replace_function(stepfunctions, name, _send)
    replace_function(stepfunctions, "reset", _reset)
