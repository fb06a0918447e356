"""The log of a function after its log group is gone.

Gap: MiniStack makes the log group that a function's LoggingConfig names again with every line that comes.
AWS: only a role with logs:CreateLogGroup does; no role of ours has it (test/lib/emptied-on-destroy.test.ts), so a late line is lost.
It can go when the test "comes back with a late line, without its patch" fails.
"""

from typing import Any

from ministack.services import cloudwatch_logs, lambda_svc

from patches import needs, replace_function


def apply() -> None:
    needs(cloudwatch_logs, "_log_groups")

    def make(emit: Any) -> Any:
        def patched(
            func: dict[str, Any],
            request_id: str,
            log_text: str,
            error: bool,
            duration_ms: int,
            *,
            log_source: str | None = None,
        ) -> None:
            config = func.get("config") or func
            named = (config.get("LoggingConfig") or {}).get("LogGroup")
            if named and named not in cloudwatch_logs._log_groups:
                return
            emit(func, request_id, log_text, error, duration_ms, log_source=log_source)

        return patched

    replace_function(lambda_svc, "_emit_lambda_logs", make)
