"""What Ref of a secret is.

Gap: MiniStack gives the name of a secret for Ref, so that a policy on it allows nothing where policies are enforced.
AWS: Ref of AWS::SecretsManager::Secret is its ARN. (CloudFormation template reference, Return values, read 2026-11-22.)
It can go when the test "Ref of a secret is its name without its patch" fails.
"""

from typing import Any

from ministack.services.cloudformation import provisioners

from patches import CannotPatch

_TYPE = "AWS::SecretsManager::Secret"


def _name(physical_id: str) -> str:
    """Of an ARN: without the six characters at its end."""
    return physical_id.split(":secret:", 1)[-1].rsplit("-", 1)[0] if physical_id.startswith("arn:") else physical_id


def apply() -> None:
    handlers = provisioners._RESOURCE_HANDLERS.get(_TYPE, {})
    if not {"create", "update", "delete"} <= handlers.keys():
        raise CannotPatch(f"{_TYPE} is not made as it was")
    create, update, delete = handlers["create"], handlers["update"], handlers["delete"]

    def patched_create(*arguments: Any, **named: Any) -> Any:
        _, attributes = create(*arguments, **named)
        return attributes["Arn"], attributes

    def patched_update(physical_id: str, *arguments: Any, **named: Any) -> Any:
        result = update(_name(physical_id), *arguments, **named)
        return (result[1]["Arn"], result[1]) if isinstance(result, tuple) and "Arn" in result[1] else result

    def patched_delete(physical_id: str, *arguments: Any, **named: Any) -> Any:
        return delete(_name(physical_id), *arguments, **named)

    handlers.update(create=patched_create, update=patched_update, delete=patched_delete)
