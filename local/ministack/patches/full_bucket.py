"""A bucket that still holds objects, deleted by CloudFormation.

Gap: MiniStack deletes the bucket with all that is in it.
AWS: S3 refuses with BucketNotEmpty, the resource is DELETE_FAILED, and so is the stack.
It can go when the test "a full bucket goes with its stack without its patch" fails.
"""

from typing import Any

from ministack.services import s3
from ministack.services.cloudformation import provisioners

from patches import needs

_TYPE = "AWS::S3::Bucket"


def apply() -> None:
    needs(s3, "_buckets", "_bucket_has_versions")
    handlers = provisioners._RESOURCE_HANDLERS[_TYPE]
    delete = handlers["delete"]

    def patched(physical_id: str, props: dict[str, Any]) -> None:
        bucket = s3._buckets.get(physical_id)
        if bucket is not None and (bucket["objects"] or s3._bucket_has_versions(physical_id)):
            raise ValueError(
                "The bucket you tried to delete is not empty (Service: S3, Status Code: 409, BucketNotEmpty)"
            )
        delete(physical_id, props)

    handlers["delete"] = patched
