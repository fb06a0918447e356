"""RunInstances as EC2 does it, where moto does it otherwise: what a launch template and a client token are for.

Gaps of moto 5.2.5: Iops and Throughput of a device are dropped, so that io2 is refused; where devices are given there is
no root volume; tags for network interfaces are lost, and so are those of the template for all but the instance; the
interface stays when its instance goes, and an instance that is ended again is an error; of the template the metadata
options, the instance profile and what a shutdown does are not read; a client token is not looked at; resolve:ssm: and the
name of a parameter is taken for the id of an image.
EC2: devices of the request are added to those of the template, and these to those of the image, by their names; the
same token answers with the same instance, whatever became of it, and with another request it is
IdempotentParameterMismatch; the image is what the parameter names when an instance is launched. Here only public
parameters of Amazon Linux 2023 with a kernel are known: the newest image of that name. (EC2 API reference, RunInstances; EC2 user guide, "Ensure idempotency" and "Use a Systems Manager parameter instead of an AMI ID"; what was
seen on AWS: github.com/cdklabs/cdk-nag/issues/1346; read 2026-11-24.)
"""

import copy
import re
import threading
from typing import Any

from moto.core.responses import ActionResult
from moto.ec2.exceptions import EC2ClientError
from moto.ec2.models.instances import Instance, InstanceBackend, MetadataOptions, Reservation
from moto.ec2.responses.instances import InstanceResponse
from moto.ec2.utils import convert_tag_spec

import keys

Document = dict[str, Any]

_ROOT = {"VolumeType": "gp3", "VolumeSize": 8, "DeleteOnTermination": True, "Encrypted": False}
_GP3_THROUGHPUT_MIBPS = 125

_PARAMETER = re.compile(
    r"resolve:ssm:/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-(?P<kernel>\d+\.\d+)-(?P<cpu>x86_64|arm64)"
)

# Of the request that this thread answers: its devices by name.
_asked = threading.local()

_launching = threading.Lock()
_ending = threading.Lock()
# By account, Region and token.
_launched: dict[tuple[str, str, str], tuple[Document, Reservation]] = {}


def _template_of(self: InstanceResponse) -> Document:
    named = self._get_param("LaunchTemplate", {})
    return self.ec2_backend._get_template_from_args(named).data if named else {}


def _image(backend: Any, named: str) -> str:
    if not named.startswith("resolve:ssm:"):
        return named
    asked = _PARAMETER.fullmatch(named)
    pattern = f"al2023-ami-2023.*-kernel-{asked['kernel']}-{asked['cpu']}" if asked else ""
    images = backend.describe_images(owners=["amazon"], filters={"name": [pattern]})
    if not images:
        raise EC2ClientError("InvalidParameterValue", f"Systems Manager has no image for {named}")
    newest: str = max(images, key=lambda image: image.creation_date).id
    return newest


def _run_on_image(run_instances: Any) -> Any:
    def patched(self: Any, image_id: str | None, *rest: Any, **more: Any) -> Reservation:
        template = more.get("launch_template")
        named = image_id or (self._get_template_from_args(template).image_id if template else "")
        reservation: Reservation = run_instances(self, _image(self, named), *rest, **more)
        return reservation

    return patched


def _root_device(self: InstanceResponse) -> str:
    image = _image(self.ec2_backend, self._get_param("ImageId") or _template_of(self).get("ImageId", ""))
    images = self.ec2_backend.describe_images(filters={"image-id": image})
    return images[0].root_device_name if images else "/dev/xvda"


def _devices(parse_block_device_mapping: Any) -> Any:
    """The root volume of the image, then what the template says of devices, then what the request says."""

    def patched(self: InstanceResponse) -> list[Document]:
        parse_block_device_mapping(self)  # refuses what is not well formed
        given = [*_template_of(self).get("BlockDeviceMappings", []), *self._get_param("BlockDeviceMappings", [])]
        root = _root_device(self)
        by_name: dict[str, Document] = {root: {"DeviceName": root, "Ebs": dict(_ROOT)}}
        for device in given:
            name = device["DeviceName"]
            before = by_name.get(name, {}).get("Ebs", {"DeleteOnTermination": True})
            by_name[name] = {**device, "Ebs": {**before, **device.get("Ebs", {})}}
        _asked.devices = by_name
        return list(by_name.values())

    return patched


def _add_block_device(
    self: Instance,
    size: int,
    device_path: str,
    snapshot_id: str | None,
    encrypted: bool,
    delete_on_termination: bool,
    kms_key_id: str | None,
    volume_type: str | None,
) -> None:
    asked = getattr(_asked, "devices", {}).get(device_path, {}).get("Ebs", {})
    usual = _GP3_THROUGHPUT_MIBPS if volume_type == "gp3" else None
    volume = self.ec2_backend.create_volume(
        size=size,
        zone_name=self.availability_zone,
        snapshot_id=snapshot_id,
        encrypted=encrypted,
        kms_key_id=kms_key_id,
        volume_type=volume_type,
        iops=asked.get("Iops"),
        throughput=asked.get("Throughput", usual),
    )
    attachment = self.ec2_backend.attach_volume(volume.id, self.id, device_path, delete_on_termination)
    attachment.delete_on_termination = delete_on_termination  # so that DescribeVolumes tells it


def _finish(self: InstanceResponse, instance: Instance) -> None:
    template = _template_of(self)
    of_template, of_request = convert_tag_spec(template.get("TagSpecifications", [])), self._parse_tag_specification()
    for _, device in instance.get_block_device_mapping:
        [volume] = self.ec2_backend.describe_volumes(volume_ids=[device.volume_id])
        volume.add_tags({**of_template.get("volume", {}), **of_request.get("volume", {})})
    for interface in instance.nics.values():
        interface.add_tags({**of_template.get("network-interface", {}), **of_request.get("network-interface", {})})
        if not self._get_param("NetworkInterfaces", []):
            interface.delete_on_termination = True
    profile = template.get("IamInstanceProfile", {}).get("Arn")
    if profile and not self._get_param("IamInstanceProfile.Arn"):
        instance.iam_instance_profile = {"Arn": profile, "Id": "AIPAEXAMPLEOFTHELOCALEC"}
    if "MetadataOptions" in template and not self._get_param("MetadataOptions", {}):
        instance.metadata_options = MetadataOptions(template["MetadataOptions"])
    if not self._get_param("InstanceInitiatedShutdownBehavior"):
        behavior = template.get("InstanceInitiatedShutdownBehavior", "stop")
        instance.instance_initiated_shutdown_behavior = behavior


def _run_instances(run_instances: Any) -> Any:
    def launched(self: InstanceResponse) -> Reservation:
        reservation: Reservation = run_instances(self).result
        for instance in reservation.instances:
            _finish(self, instance)
            keys.end_without_key(self, instance)
        return reservation

    def patched(self: InstanceResponse) -> ActionResult:
        token = self._get_param("ClientToken")
        if not token:
            return ActionResult(launched(self))
        key, request = (self.current_account, self.region, token), dict(self.params)
        with _launching:
            before = _launched.get(key)
            # Another inventory has other instances: what was there is forgotten.
            if before is not None and before[1].id in self.ec2_backend.reservations:
                if before[0] != request:
                    raise EC2ClientError(
                        "IdempotentParameterMismatch",
                        "Arguments on this idempotent request are inconsistent with arguments used in previous request(s).",
                    )
                return ActionResult(before[1])
            reservation = launched(self)
            _launched[key] = (request, reservation)
        return ActionResult(reservation)

    return patched


def _terminate(terminate: Any) -> Any:
    def patched(self: Instance) -> Any:
        with _ending:
            # To EC2 what has ended is no error: it stays as it is.
            return copy.copy(self._state) if self._state.name == "terminated" else terminate(self)

    return patched


def install() -> None:
    for owner, name, make in (
        (InstanceResponse, "_parse_block_device_mapping", _devices),
        (InstanceResponse, "run_instances", _run_instances),
        (InstanceBackend, "run_instances", _run_on_image),
        (Instance, "add_block_device", lambda _: _add_block_device),
        (Instance, "terminate", _terminate),
    ):
        if name not in vars(owner):
            raise SystemExit(f"moto has no {owner.__name__}.{name} any more: local/ec2/launches.py must follow")
        setattr(owner, name, make(vars(owner)[name]))
