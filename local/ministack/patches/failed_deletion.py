"""What a resource depends on, when that resource could not be deleted.

Gap: where the deletion of a resource fails, MiniStack goes on and deletes also what the resource depends on, such as
the function behind a custom resource: a second deletion of the stack finds no function to ask.
AWS: deletes nothing that another resource of the stack still depends on. The stack is DELETE_FAILED, and its next deletion
begins with what failed.
Not as on AWS: what is throttled is DELETE_FAILED here too; there it is not touched.
It can go when the test "what a resource depends on goes though the resource stays, without its patch" fails.
"""

from typing import Any

from ministack.services.cloudformation import stacks

from patches import needs, replace_function


def apply() -> None:
    needs(stacks, "_extract_deps")

    # Dependents come first: one that is still there when its turn is over was not deleted.
    def make(delete_resource: Any) -> Any:
        def patched(
            resource_type: str,
            physical_id: str,
            props: dict[str, Any],
            stack_name: str | None = None,
            logical_id: str | None = None,
        ) -> Any:
            from ministack.services.cloudformation import _stacks

            stack = _stacks.get(stack_name) or {}
            if stack.get("StackStatus") == "DELETE_IN_PROGRESS":
                left = stack.get("_resources", {})
                definitions = (stack.get("_template") or {}).get("Resources", {})
                for other in left:
                    if other != logical_id and logical_id in stacks._extract_deps(definitions.get(other, {}), set(left)):
                        raise ValueError(f"{other} depends on it and could not be deleted")
            return delete_resource(resource_type, physical_id, props, stack_name, logical_id)

        return patched

    replace_function(stacks, "_delete_resource", make)
