"""What is reported of a call that IAM is to simulate.

Gap: MiniStack does not read ContextEntries: a condition on a tag never holds.
AWS: each entry is a key of the request's context, with its values. (IAM API reference, SimulatePrincipalPolicy, read
2026-11-22.)
It can go when the test "a condition on a tag never holds without its patch" fails.
"""

import contextvars
from typing import Any

from ministack.core import iam_evaluator
from ministack.services import iam

from patches import needs, replace_function

_notified: contextvars.ContextVar[dict[str, list[str]]] = contextvars.ContextVar("told")


def _members(p: Any, prefix: str, suffix: str = "") -> list[str]:
    values: list[str] = []
    while value := iam._p(p, f"{prefix}.member.{len(values) + 1}{suffix}"):
        values.append(value)
    return values


def _simulate(simulate: Any) -> Any:
    def patched(p: Any) -> Any:
        keys = _members(p, "ContextEntries", ".ContextKeyName")
        told = _notified.set(
            {
                key.lower(): _members(p, f"ContextEntries.member.{index}.ContextKeyValues")
                for index, key in enumerate(keys, 1)
            }
        )
        try:
            return simulate(p)
        finally:
            _notified.reset(told)

    return patched


def _resolve(resolve: Any) -> Any:
    def patched(key: str, ctx: Any) -> Any:
        values = _notified.get({}).get(key.lower())
        if values is None:
            return resolve(key, ctx)
        return values[0] if len(values) == 1 else values

    return patched


def apply() -> None:
    needs(iam, "_p", "_IAM_HANDLERS")
    replace_function(iam, "_simulate_principal_policy", _simulate)
    iam._IAM_HANDLERS["SimulatePrincipalPolicy"] = iam._simulate_principal_policy
    replace_function(iam_evaluator, "_resolve_condition_key", _resolve)
