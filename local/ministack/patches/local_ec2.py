"""The EC2 that everybody else asks, for the patches that must ask it too."""

import os
from typing import Any

import boto3
from botocore.config import Config
from ministack.core.responses import get_account_id, get_region

_ENDPOINT = "AWS_ENDPOINT_URL_EC2"


def client() -> Any:
    """Of the account and the Region of the call that is being answered."""
    if _ENDPOINT not in os.environ:
        raise ValueError(f"MiniStack was started without {_ENDPOINT}: it says where the local EC2 is")
    return boto3.client(
        "ec2",
        endpoint_url=os.environ[_ENDPOINT],
        region_name=get_region(),
        aws_access_key_id=get_account_id(),
        aws_secret_access_key="test",
        config=Config(retries={"total_max_attempts": 1}, connect_timeout=5, read_timeout=60),
    )
