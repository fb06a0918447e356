"""Events that a service puts on the default bus: what says that it is a service may say so.

Gap: MiniStack refuses every source that begins with "aws." from outside, and the local Systems Manager is outside.
AWS: refuses them from users, and services put them. Here a call with the header x-stripewise-service is a service's.
It can go when the test "an event of Systems Manager is refused without its patch" fails.
"""

import contextvars
from typing import Any

from ministack.services import eventbridge

from patches import replace_function

_from_service: contextvars.ContextVar[bool] = contextvars.ContextVar("from_service", default=False)


def _handle_request(handle_request: Any) -> Any:
    async def patched(
        method: str, path: str, headers: dict[str, str], body: bytes, query_params: dict[str, Any]
    ) -> Any:
        before = _from_service.set("x-stripewise-service" in headers)
        try:
            return await handle_request(method, path, headers, body, query_params)
        finally:
            _from_service.reset(before)

    return patched


def _put_events(put_events: Any) -> Any:
    def patched(data: dict[str, Any], allow_aws_source: bool = False) -> Any:
        return put_events(data, allow_aws_source=allow_aws_source or _from_service.get())

    return patched


def apply() -> None:
    replace_function(eventbridge, "handle_request", _handle_request)
    replace_function(eventbridge, "_put_events", _put_events)
