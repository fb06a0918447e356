"""Security groups as EC2 makes them, where moto does it otherwise: a group is in a VPC that is there.

Gaps of moto 5.2.5: without a VPC a group is made in the default one also where that was deleted; in a VPC that was never
there it is made too.
EC2: VPCIdNotSpecified where no VPC is named and there is no default one; InvalidVpcID.NotFound for one that is not there.
(EC2 API reference, "Error codes for the Amazon EC2 API", read 2026-11-25.)
"""

from typing import Any

from moto.ec2.exceptions import EC2ClientError
from moto.ec2.models.security_groups import SecurityGroupBackend


def _create(create_security_group: Any) -> Any:
    def patched(self: Any, name: str, description: str, vpc_id: str | None = None, **more: Any) -> Any:
        if vpc_id is None and self.get_default_vpc() is None:
            raise EC2ClientError("VPCIdNotSpecified", "No default VPC for this user")
        if vpc_id is not None and vpc_id not in self.vpcs:
            raise EC2ClientError("InvalidVpcID.NotFound", f"The vpc ID '{vpc_id}' does not exist")
        return create_security_group(self, name, description, vpc_id, **more)

    return patched


def install() -> None:
    if "create_security_group" not in vars(SecurityGroupBackend):
        raise SystemExit("moto has no SecurityGroupBackend.create_security_group any more: local/ec2/groups.py must follow")
    SecurityGroupBackend.create_security_group = _create(SecurityGroupBackend.create_security_group)
