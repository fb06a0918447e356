"""The name of an error that a JavaScript Lambda throws, and of one whose process died.

Gap: MiniStack reports every error as Runtime.HandlerError, so that neither Retry nor Catch of Step Functions can
tell one from another; and it ends the process of a function that throws.
AWS: errorType is the error's `name` (`typeof` of what is thrown, when that is no Error), trace its stack in lines; where
the process died it is Runtime.ExitError, and the message says by which signal. What a function throws does not end it.
It can go when the test "errors of a Lambda all have one name without its patch" fails.
"""

import threading
from typing import Any

from ministack.core import lambda_runtime
from ministack.services import lambda_svc

from patches import replace_function, replace_text

_NAME_OF = "(e => e instanceof Error || (e && e.name && e.message && e.stack) ? String(e.name) : typeof e)"

# MiniStack's words where the worker's output ended.
_DIED = "Worker process died"

# An invocation runs on one thread from here to the worker and back.
_last = threading.local()


def _invoke(invoke: Any) -> Any:
    def patched(
        self: Any,
        event: Any,
        request_id: str,
        *,
        trace_id: str | None = None,
        depth: Any = None,
        durable: dict[str, Any] | None = None,
        invoked_function_arn: str | None = None,
    ) -> dict[str, Any]:
        reply = invoke(
            self,
            event,
            request_id,
            trace_id=trace_id,
            depth=depth,
            durable=durable,
            invoked_function_arn=invoked_function_arn,
        )
        if reply.pop("isThrown", False):
            reply["status"] = "error"
        _last.reply = reply
        return reply

    return patched


def _execute(execute: Any) -> Any:
    def patched(func: dict[str, Any], event: Any, request_id: str) -> dict[str, Any]:
        _last.reply = None
        result = execute(func, event, request_id)
        name = (_last.reply or {}).get("errorType")
        if result.get("error") and result["body"].get("errorMessage") == _DIED:
            message = f"RequestId: {request_id} Error: Runtime exited with error: signal: killed"
            result["body"] = {"errorType": "Runtime.ExitError", "errorMessage": message}
        # Only what the handler threw: a time-out, or a worker that died, has no name of its own.
        if result.get("error") and name and result["body"].get("errorType") == "Runtime.HandlerError":
            result["body"]["errorType"] = name
            result["body"]["trace"] = _last.reply.get("trace", "").splitlines()
        return result

    return patched


def apply() -> None:
    # Two places of the worker that MiniStack runs in Node: a promise that fails, and a throw before there is one.
    for error, rest in (
        ("err", 'error: String(err.message || err), trace: err.stack || ""'),
        ("e", "error: e.message, trace: e.stack"),
    ):
        replace_text(
            lambda_runtime,
            "_NODEJS_WORKER_SCRIPT",
            f'status: "error", {rest}',
            # An error for who calls; to who looks after the process it is fine.
            f'status: "ok", isThrown: true, errorType: {_NAME_OF}({error}), {rest}',
        )
    replace_function(lambda_runtime.Worker, "invoke", _invoke)
    replace_function(lambda_svc, "_execute_function_warm", _execute)
