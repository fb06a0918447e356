"""A Lambda that a rule of EventBridge invokes.

Gap: MiniStack invokes it once and forgets how that ended.
AWS: EventBridge invokes it asynchronously: Lambda tries again where it fails, and hands what it gives up to the destination
of failures. (Lambda developer guide, "Invoking a Lambda function asynchronously", read 2026-11-22.)
It can go when the test "a function that a rule invokes is not tried again without its patch" fails.
"""

import json
from typing import Any

from ministack.services import eventbridge, lambda_svc

from patches import needs, replace_function


def apply() -> None:
    needs(lambda_svc, "_get_func_record_for_ref", "invoke_async_with_retry")

    def make(dispatch_to_lambda: Any) -> Any:
        def patched(arn: str, payload: str) -> None:
            func, config, _name = lambda_svc._get_func_record_for_ref(arn)
            if not func or not config:
                dispatch_to_lambda(arn, payload)  # says so in its log
                return
            lambda_svc.invoke_async_with_retry(func, json.loads(payload))

        return patched

    replace_function(eventbridge, "_dispatch_to_lambda", make)
