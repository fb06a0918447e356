"""Keys of volumes: the Region's default one for EBS, and what becomes of a launch whose caller may not use the key.

Gaps of moto 5.2.5: it has no GetEbsDefaultKmsKeyId, and takes as default only keys of its own; an instance runs whatever
key its encrypted volumes have.
EC2: the default is alias/aws/ebs until another key is named, and again after ResetEbsDefaultKmsKeyId. A launch with a key
that its caller may not use is answered as any other; then the instance is terminated, with Client.InternalError.
(EC2 API reference; EBS user guide, "Requirements for Amazon EBS encryption"; EC2 user guide, "Instance terminates immediately",
read 2026-11-26.) Here IAM of the local AWS is asked for the role of the function that launches. The key's own policy is not
known.
"""

from typing import Any

import boto3
from moto.core.responses import ActionResult
from moto.ec2.models.instances import Instance, StateReason
from moto.ec2.responses.elastic_block_store import ElasticBlockStore
from moto.ec2.responses.instances import InstanceResponse

KEY_OF_AWS = "alias/aws/ebs"

# What EC2 does for the caller, at a launch. EBS user guide, "Requirements for Amazon EBS encryption".
_NEEDED = (
    "kms:CreateGrant",
    "kms:Decrypt",
    "kms:DescribeKey",
    "kms:GenerateDataKeyWithoutPlaintext",
    "kms:ReEncryptFrom",
    "kms:ReEncryptTo",
)

# local/gateway/aws-call.ts
_FUNCTION = "x-stripewise-function"

# By account and Region.
_default: dict[tuple[str, str], str] = {}
_ministack: list[str] = []


def _key_of(self: Any) -> str:
    return _default.get((self.current_account, self.region), KEY_OF_AWS)


def _get_default(self: Any) -> ActionResult:
    return ActionResult({"KmsKeyId": _key_of(self)})


def _modify_default(self: Any) -> ActionResult:
    self.error_on_dryrun()
    _default[(self.current_account, self.region)] = self._get_param("KmsKeyId")
    return _get_default(self)


def _reset_default(self: Any) -> ActionResult:
    self.error_on_dryrun()
    _default.pop((self.current_account, self.region), None)
    return _get_default(self)


def _client(self: InstanceResponse, service: str) -> Any:
    return boto3.client(
        service,
        region_name=self.region,
        endpoint_url=_ministack[0],
        aws_access_key_id=self.current_account,
        aws_secret_access_key="test",
    )


def _role_of(self: InstanceResponse) -> str | None:
    """That of the function which asks, as the gateway says; None for the account itself, as whoever deploys."""
    function = self.headers.get(_FUNCTION)
    if function is None:
        return None
    role: str = _client(self, "lambda").get_function_configuration(FunctionName=function)["Role"]
    return role


def _may_use(self: InstanceResponse, key: str) -> bool:
    role = _role_of(self)
    if role is None:
        return True
    entries = {"kms:ViaService": f"ec2.{self.region}.amazonaws.com", "kms:GrantIsForAWSResource": "true"}
    simulated = _client(self, "iam").simulate_principal_policy(
        PolicySourceArn=role,
        ActionNames=list(_NEEDED),
        ResourceArns=[key],
        ContextEntries=[
            {"ContextKeyName": name, "ContextKeyType": "string", "ContextKeyValues": [value]}
            for name, value in entries.items()
        ],
    )
    return all(one["EvalDecision"] == "allowed" for one in simulated["EvaluationResults"])


def end_without_key(self: InstanceResponse, instance: Instance) -> None:
    """Terminates an instance that was just launched where its caller may not use the key of one of its volumes."""
    if not _ministack:
        return
    volumes = [
        volume
        for _, device in instance.get_block_device_mapping
        for volume in self.ec2_backend.describe_volumes(volume_ids=[device.volume_id])
    ]
    # Where a launch names no key, moto writes one of its own on the volume: it stands for the default one.
    of_moto = self.ec2_backend.default_kms_key_id
    named = {volume.kms_key_id for volume in volumes if volume.encrypted}
    keys = {_key_of(self) if key in (None, of_moto) else key for key in named}
    if all(key.endswith(KEY_OF_AWS) or _may_use(self, key) for key in keys):
        return
    instance.terminate()
    instance.state_reason = StateReason("Client.InternalError: Client error on launch", "Client.InternalError")
    instance._reason = "Client.InternalError: Client error on launch"


def install(ministack: str | None) -> None:
    """:param ministack: where IAM is; without it, every key may be used."""
    if ministack is not None:
        _ministack.append(ministack)
    setattr(ElasticBlockStore, "get_ebs_default_kms_key_id", _get_default)
    setattr(ElasticBlockStore, "modify_ebs_default_kms_key_id", _modify_default)
    setattr(ElasticBlockStore, "reset_ebs_default_kms_key_id", _reset_default)
