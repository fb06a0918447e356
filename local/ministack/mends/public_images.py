"""Amazon's own images by their public parameters, for both architectures.

Gap: MiniStack knows two of /aws/service/ami-amazon-linux-latest, neither with a kernel of its own nor for arm64, and their
images are its own, which the local EC2 does not have.
AWS: each parameter is the newest image of its kind. (Amazon Linux 2023 user guide, "AMI IDs", read 2026-11-22.)
Mended are those of Amazon Linux 2023 with a kernel that is named: the newest of that name in the local EC2.
It can go when the test "the newest image is not known without its mend" fails.
"""

import functools
import re
from typing import Any

from ministack.core.responses import get_region
from ministack.services import ssm

from mends import local_ec2, replace_function

_NAME = re.compile(
    r"/aws/service/ami-amazon-linux-latest/al2023-ami-(?P<minimal>minimal-)?kernel-(?P<kernel>\d+\.\d+)-(?P<cpu>x86_64|arm64)"
)


@functools.cache
def _newest(name: str, region: str) -> str | None:
    asked = _NAME.fullmatch(name)
    if asked is None:
        return None
    minimal, kernel, cpu = asked.group("minimal") or "", asked.group("kernel"), asked.group("cpu")
    pattern = f"al2023-ami-{minimal}2023.*-kernel-{kernel}-{cpu}"
    images = local_ec2.client().describe_images(Owners=["amazon"], Filters=[{"Name": "name", "Values": [pattern]}])["Images"]
    return max(images, key=lambda image: image["CreationDate"])["ImageId"] if images else None


def _public_parameter(public_parameter: Any) -> Any:
    def mended(name: str) -> dict[str, Any] | None:
        image = _newest(name, get_region())
        if image is None:
            return public_parameter(name)
        arn = f"arn:aws:ssm:{get_region()}::parameter{name}"
        return {"Name": name, "Type": "String", "Value": image, "Version": 1, "LastModifiedDate": 1728518400, "ARN": arn}

    return mended


def apply() -> None:
    replace_function(ssm, "_public_parameter", _public_parameter)
