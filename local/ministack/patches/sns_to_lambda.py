"""A Lambda that a topic invokes.

Gap: MiniStack invokes it once and forgets how that ended.
AWS: SNS invokes it asynchronously: Lambda tries again where it fails, and hands what it gives up to the destination of
failures. (Lambda developer guide, "Invoking Lambda functions with Amazon SNS notifications", read 2026-11-22.)
It can go when the test "a function that a topic invokes is not tried again without its patch" fails.
"""

import json
from typing import Any

from ministack.services import lambda_svc, sns

from patches import needs, replace_function


def apply() -> None:
    needs(lambda_svc, "_execution_record_for_config", "_get_func_record_for_ref", "invoke_async_with_retry")

    def make(_: Any) -> Any:
        def patched(
            endpoint: str,
            envelope: str,
            topic_arn: str,
            sub_arn: str,
            msg_id: str,
            raw_message: str,
            message_attributes: dict[str, Any],
        ) -> None:
            func, config, _name = lambda_svc._get_func_record_for_ref(endpoint)
            if not func or not config:
                return
            record = {
                "EventVersion": "1.0",
                "EventSubscriptionArn": sub_arn,
                "EventSource": "aws:sns",
                "Sns": json.loads(envelope),
            }
            lambda_svc.invoke_async_with_retry(func, {"Records": [record]})

        return patched

    replace_function(sns, "_deliver_to_lambda", make)
