"""What Ref of an instance profile is.

Gap: MiniStack gives the ARN of an instance profile for Ref, which GetInstanceProfile does not find.
AWS: Ref of AWS::IAM::InstanceProfile is its name. (CloudFormation template reference, Return values, read 2026-11-22.)
It can go when the test "Ref of an instance profile is its ARN without its patch" fails.
"""

from typing import Any

from ministack.services import iam
from ministack.services.cloudformation import provisioners

from patches import CannotPatch, needs

_TYPE = "AWS::IAM::InstanceProfile"


def _arn(name: str) -> str:
    return iam._instance_profiles.get(name, {}).get("Arn", name)


def _named(made: tuple[str, dict[str, Any]]) -> tuple[str, dict[str, Any]]:
    arn, attributes = made
    return arn.split("/")[-1], attributes


def apply() -> None:
    needs(iam, "_instance_profiles")
    handlers = provisioners._RESOURCE_HANDLERS.get(_TYPE, {})
    if not {"create", "update", "delete"} <= handlers.keys():
        raise CannotPatch(f"{_TYPE} is not made as it was")
    create, update, delete = handlers["create"], handlers["update"], handlers["delete"]

    def patched_create(*arguments: Any, **named: Any) -> Any:
        return _named(create(*arguments, **named))

    def patched_update(physical_id: str, *arguments: Any, **named: Any) -> Any:
        return _named(update(_arn(physical_id), *arguments, **named))

    def patched_delete(physical_id: str, *arguments: Any, **named: Any) -> Any:
        return delete(_arn(physical_id), *arguments, **named)

    handlers.update(create=patched_create, update=patched_update, delete=patched_delete)
