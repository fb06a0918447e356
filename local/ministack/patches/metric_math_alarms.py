"""Alarms on metric math, made by CloudFormation.

Gap: MiniStack refuses an AWS::CloudWatch::Alarm that has Metrics, and with it the whole stack.
AWS: makes the alarm and evaluates its expression.
Patched is the deployment alone: the alarm is there, with its actions, but it watches a metric that nobody writes
and stays in INSUFFICIENT_DATA (SetAlarmState moves it).
It can go when the test "an alarm on metric math cannot be deployed without its patch" fails.
"""

from typing import Any

from ministack.services.cloudformation import provisioners

from patches import replace_function


def apply() -> None:
    def make(alarm_record: Any) -> Any:
        def patched(name: str, props: dict[str, Any]) -> dict[str, Any]:
            if not props.get("Metrics"):
                return alarm_record(name, props)
            others = {key: value for key, value in props.items() if key != "Metrics"}
            return alarm_record(name, others | {"Namespace": "MetricMath", "MetricName": name})

        return patched

    replace_function(provisioners, "_cw_metric_alarm_record", make)
