"""A Lambda that Step Functions may not invoke now.

Gap: MiniStack fails the task as Lambda.Unknown, so that no Retry for throttling matches.
AWS: the error of the task is Lambda.TooManyRequestsException.
It can go when the test "a Lambda that is throttled is unknown to a workflow without its patch" fails.
"""

from typing import Any

from ministack.services import stepfunctions

from patches import needs, replace_function


def apply() -> None:
    needs(stepfunctions, "_ExecutionError")

    def make(call_lambda: Any) -> Any:
        def patched(func_ref: Any, event: Any) -> Any:
            try:
                return call_lambda(func_ref, event)
            except stepfunctions._ExecutionError as trouble:
                if trouble.error == "Lambda.Unknown" and "TooManyRequestsException" in str(trouble.cause):
                    raise stepfunctions._ExecutionError(
                        "Lambda.TooManyRequestsException", "Rate Exceeded. (Service: Lambda, Status Code: 429)"
                    ) from trouble
                raise

        return patched

    replace_function(stepfunctions, "_call_lambda", make)
