"""The Output of a Succeed state.

Gap: MiniStack ends with the state's input, whatever a JSONata Succeed state says as Output.
AWS: Output is evaluated and is the output of the execution (or of the Map's item).
It can go when the test "a Succeed state's Output is ignored without its patch" fails.
"""

from typing import Any

from ministack.services import stepfunctions

from patches import needs, replace_function


def apply() -> None:
    needs(stepfunctions, "_apply_jsonata_output", "_state_query_language")

    # Of the JSONata states only Succeed passes here with an Output: the others evaluate theirs themselves.
    def make(apply_output_path: Any) -> Any:
        def patched(state_def: dict[str, Any], data: Any, ctx: dict[str, Any] | None = None) -> Any:
            if state_def.get("Type") == "Succeed" and stepfunctions._state_query_language(state_def, ctx) == "JSONata":
                return stepfunctions._apply_jsonata_output(state_def, data, ctx, default=data)
            return apply_output_path(state_def, data, ctx)

        return patched

    replace_function(stepfunctions, "_apply_output_path", make)
