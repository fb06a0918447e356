"""Security groups and launch templates of a stack, in the EC2 that everybody asks.

Gap: MiniStack makes them in an EC2 of its own, which nobody asks: instances cannot be launched from them.
AWS: there is one EC2. Ref of a group is its name where it is in the default VPC and its id where VpcId is given; GroupId
is the id. Ref of a launch template is its id; a change of it is a new version, and the default one stays.
(CloudFormation template reference, AWS::EC2::SecurityGroup and AWS::EC2::LaunchTemplate, read 2026-11-22.)
It can go when the tests "... is not in the local EC2 without its patch" fail.
"""

import uuid
from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError
from ministack.core.responses import get_account_id, get_region
from ministack.services.cloudformation import provisioners

from patches import CannotPatch, local_ec2, needs

Props = dict[str, Any]
Made = tuple[str, Props]

GROUP = "AWS::EC2::SecurityGroup"
TEMPLATE = "AWS::EC2::LaunchTemplate"
# Another value of one of these is another resource.
KEPT = {GROUP: ("GroupName", "GroupDescription", "VpcId"), TEMPLATE: ("LaunchTemplateName", "TagSpecifications")}
GONE = ("InvalidGroup.NotFound", "InvalidLaunchTemplateId.NotFound", "InvalidLaunchTemplateName.NotFoundException")


def _new_name(stack_name: str, logical_id: str) -> str:
    return f"{stack_name}-{logical_id}-{uuid.uuid4().hex[:12]}"


def _tags(tags: Any) -> list[Props]:
    return [{"Key": key, "Value": value} for key, value in provisioners._tag_map(tags).items()]


def _group_id(physical_id: str) -> str | None:
    if physical_id.startswith("sg-"):
        return physical_id
    named = [{"Name": "group-name", "Values": [physical_id]}]
    groups = local_ec2.client().describe_security_groups(Filters=named)["SecurityGroups"]
    return groups[0]["GroupId"] if groups else None


def _group(physical_id: str, group_id: str) -> Made:
    [group] = local_ec2.client().describe_security_groups(GroupIds=[group_id])["SecurityGroups"]
    arn = f"arn:aws:ec2:{get_region()}:{get_account_id()}:security-group/{group_id}"
    return physical_id, {"GroupId": group_id, "Id": group_id, "VpcId": group["VpcId"], "Arn": arn}


def _rules(props: Props) -> tuple[list[Props], list[Props]]:
    """In and out. Where a template says nothing of what goes out, all does."""
    inward = provisioners._ec2_sg_permissions(props.get("SecurityGroupIngress"))
    return inward, provisioners._ec2_sg_egress_permissions(props.get("SecurityGroupEgress"))


def _set_rules(group_id: str, old_props: Props, new_props: Props) -> None:
    ec2 = local_ec2.client()
    for way, old, new in zip(("ingress", "egress"), _rules(old_props), _rules(new_props), strict=True):
        if old == new:
            continue
        for verb, permissions in (("revoke", old), ("authorize", new)):
            if permissions:
                getattr(ec2, f"{verb}_security_group_{way}")(GroupId=group_id, IpPermissions=permissions)


def _create_group(logical_id: str, props: Props, stack_name: str) -> Made:
    name = props.get("GroupName") or _new_name(stack_name, logical_id)
    ec2 = local_ec2.client()
    vpc = {"VpcId": props["VpcId"]} if props.get("VpcId") else {}
    group_id = ec2.create_security_group(GroupName=name, Description=props["GroupDescription"], **vpc)["GroupId"]
    _set_rules(group_id, {}, props)  # EC2 begins as a template that says nothing
    if tags := _tags(props.get("Tags")):
        ec2.create_tags(Resources=[group_id], Tags=tags)
    return _group(group_id if vpc else name, group_id)


def _update_group(physical_id: str, old_props: Props, new_props: Props, stack_name: str) -> Made:
    group_id = _group_id(physical_id)
    if group_id is None:
        raise ValueError(f"there is no security group {physical_id} in the local EC2")
    _set_rules(group_id, old_props, new_props)
    old, new = _tags(old_props.get("Tags")), _tags(new_props.get("Tags"))
    if old and old != new:
        local_ec2.client().delete_tags(Resources=[group_id], Tags=old)
    if new and old != new:
        local_ec2.client().create_tags(Resources=[group_id], Tags=new)
    return _group(physical_id, group_id)


def _delete_group(physical_id: str, props: Props) -> None:
    if group_id := _group_id(physical_id):
        local_ec2.client().delete_security_group(GroupId=group_id)


def _typed(value: Any, shape: Any) -> Any:
    """As the API takes it: a template may write a number or a boolean as text."""
    if shape.type_name == "structure":
        return {key: _typed(part, shape.members[key]) for key, part in value.items() if key in shape.members}
    if shape.type_name == "list":
        return [_typed(part, shape.member) for part in value]
    if shape.type_name == "boolean":
        return str(value).lower() == "true"
    return int(value) if shape.type_name in ("integer", "long") else str(value)


def _template_data(ec2: Any, props: Props) -> Props:
    return _typed(props["LaunchTemplateData"], ec2.meta.service_model.shape_for("RequestLaunchTemplateData"))


def _described(props: Props) -> Props:
    return {"VersionDescription": props["VersionDescription"]} if props.get("VersionDescription") else {}


def _template(template: Props) -> Made:
    numbers = ("DefaultVersionNumber", "LatestVersionNumber")
    names = {key: template[key] for key in ("LaunchTemplateId", "LaunchTemplateName")}
    return template["LaunchTemplateId"], names | {key: str(template[key]) for key in numbers}


def _create_template(logical_id: str, props: Props, stack_name: str) -> Made:
    ec2 = local_ec2.client()
    created = ec2.create_launch_template(
        LaunchTemplateName=props.get("LaunchTemplateName") or _new_name(stack_name, logical_id),
        LaunchTemplateData=_template_data(ec2, props),
        TagSpecifications=props.get("TagSpecifications") or [],
        **_described(props),
    )
    return _template(created["LaunchTemplate"])


def _update_template(physical_id: str, old_props: Props, new_props: Props, stack_name: str) -> Made:
    ec2 = local_ec2.client()
    ec2.create_launch_template_version(
        LaunchTemplateId=physical_id, LaunchTemplateData=_template_data(ec2, new_props), **_described(new_props)
    )
    return _template(ec2.describe_launch_templates(LaunchTemplateIds=[physical_id])["LaunchTemplates"][0])


def _delete_template(physical_id: str, props: Props) -> None:
    local_ec2.client().delete_launch_template(LaunchTemplateId=physical_id)


def _unless_gone(delete: Callable[[str, Props], None]) -> Callable[[str, Props], None]:
    def patched(physical_id: str, props: Props) -> None:
        try:
            delete(physical_id, props)
        except ClientError as error:
            if error.response["Error"]["Code"] not in GONE:
                raise

    return patched


def _or_replace(kind: str, create: Any, update: Any, delete: Any) -> Any:
    """CloudFormation makes the new one before it deletes the old one."""

    def patched(physical_id: str, old_props: Props, new_props: Props, stack_name: str, logical_id: str) -> Made:
        if all(old_props.get(key) == new_props.get(key) for key in KEPT[kind]):
            return update(physical_id, old_props, new_props, stack_name)
        made = create(logical_id, new_props, stack_name)
        provisioners._delete_predecessor(delete, physical_id, old_props)
        return made

    return patched


def apply() -> None:
    needs(provisioners, "_RESOURCE_HANDLERS", "_delete_predecessor", "_tag_map")
    needs(provisioners, "_ec2_sg_permissions", "_ec2_sg_egress_permissions")
    for kind, create, update, delete in (
        (GROUP, _create_group, _update_group, _unless_gone(_delete_group)),
        (TEMPLATE, _create_template, _update_template, _unless_gone(_delete_template)),
    ):
        handlers = provisioners._RESOURCE_HANDLERS.get(kind, {})
        if not handlers.get("update_with_logical_id") or not {"create", "update", "delete"} <= handlers.keys():
            raise CannotPatch(f"{kind} is not made as it was")
        handlers.update(create=create, update=_or_replace(kind, create, update, delete), delete=delete)
