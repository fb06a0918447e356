"""Executions that end before their states do: stopped by somebody, or longer than TimeoutSeconds of the state machine.

Gap: what ran when StopExecution came goes on: it is retried, it is caught, and where it fails the execution is FAILED and
no longer ABORTED. TimeoutSeconds of a state machine is not read at all.
AWS: ABORTED stays; nothing is retried, caught or started any more, nor in the items of a Map. After TimeoutSeconds the
execution ends as TIMED_OUT in the same way, with the error States.Timeout.
It can go when the tests "... without its patch" of test/local/ministack-stopped-executions.test.ts fail.

What has been started is not ended: a function runs to its end, and a Wait state sleeps to its own.
"""

import contextvars
import json
from typing import Any

from ministack.services import stepfunctions

from patches import needs, replace_function, simulated_clock

# Threads of Maps and branches inherit it; for the children of a Distributed Map it is the parent.
_running: contextvars.ContextVar[dict[str, Any] | None] = contextvars.ContextVar("running", default=None)


def is_over() -> bool:
    """Whether the execution that this thread works for has ended."""
    execution = _running.get()
    return execution is not None and execution["status"] != "RUNNING"


def go_no_further() -> None:
    if is_over():
        raise stepfunctions._ExecutionError("States.Runtime", "The execution has ended before this")


def _time_out(execution: dict[str, Any]) -> None:
    if execution["status"] != "RUNNING":
        return
    execution.update(status="TIMED_OUT", error="States.Timeout", stopDate=stepfunctions.now_iso())
    details = {"executionTimedOutEventDetails": {"error": "States.Timeout"}}
    stepfunctions._add_event(execution, "ExecutionTimedOut", details)
    stepfunctions._emit_execution_status_event(execution)


def _timeout_seconds(execution: dict[str, Any]) -> float | None:
    machine = stepfunctions._state_machines.get(execution["stateMachineArn"])
    return None if machine is None else json.loads(machine["definition"]).get("TimeoutSeconds")


def _run_execution(run_execution: Any) -> Any:
    def patched(exec_arn: str) -> None:
        execution = stepfunctions._executions.get(exec_arn)
        seconds = None if execution is None else _timeout_seconds(execution)
        before = _running.set(execution)
        cancel = None
        if seconds is not None:
            run = contextvars.copy_context().run
            cancel = simulated_clock.after(seconds, lambda: run(_time_out, execution))
        try:
            run_execution(exec_arn)
        finally:
            _running.reset(before)
            if cancel is not None:
                cancel()

    return patched


def _apply_arguments(apply_arguments: Any) -> Any:
    """Before each attempt of a task."""

    def patched(state_def: dict[str, Any], raw_input: Any, ctx: dict[str, Any]) -> Any:
        go_no_further()
        return apply_arguments(state_def, raw_input, ctx)

    return patched


def _find_retrier(find_retrier: Any) -> Any:
    def patched(retriers: Any, error: str, retry_counts: Any) -> Any:
        return (None, -1) if is_over() else find_retrier(retriers, error, retry_counts)

    return patched


def _find_catcher(find_catcher: Any) -> Any:
    def patched(catchers: Any, error: str) -> Any:
        return None if is_over() else find_catcher(catchers, error)

    return patched


def _fail_execution(fail_execution: Any) -> Any:
    def patched(execution: dict[str, Any], error: str, cause: str) -> None:
        if execution["status"] == "RUNNING":
            fail_execution(execution, error, cause)

    return patched


def apply() -> None:
    needs(stepfunctions, "_ExecutionError", "_add_event", "_emit_execution_status_event", "_executions", "now_iso")
    needs(stepfunctions, "_state_machines")
    replace_function(stepfunctions, "_run_execution", _run_execution)
    replace_function(stepfunctions, "_apply_jsonata_arguments", _apply_arguments)
    replace_function(stepfunctions, "_find_matching_retrier", _find_retrier)
    replace_function(stepfunctions, "_find_matching_catcher", _find_catcher)
    replace_function(stepfunctions, "_fail_execution", _fail_execution)
