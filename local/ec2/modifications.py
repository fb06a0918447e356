"""ModifyVolume and DescribeVolumesModifications as EC2 does them: over time, and not as often as one likes.

Gaps of moto 5.2.5: a modification is completed at once, every one is told, whatever is asked is taken, and volumes of an
inventory have none.
EC2: a modification is modifying, then optimizing, then completed, or failed; from optimizing on the volume is what was asked.
The next one begins only once the last one is completed, and there are four in a rolling day. Of a volume the latest is told
alone, of one that was never modified InvalidVolumeModification.NotFound. (EC2 API reference, ModifyVolume and
VolumeModification; EBS user guide, "Request EBS volume modifications"; the code VolumeModificationRateExceeded as seen on AWS:
github.com/sodafoundation/strato/issues/1094; read 2026-11-28.)

Orders of tests and of the demo (see admin.py) say by which clock, and how long a modification takes or that it fails.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any

from moto.core.responses import ActionResult
from moto.ec2.exceptions import EC2ClientError
from moto.ec2.responses.elastic_block_store import ElasticBlockStore

import inventory

Document = dict[str, Any]
# Account, Region, volume.
Place = tuple[str, str, str]

_DAY_SECONDS = 86_400
_MOST_A_DAY = 4

# core/limits/volume-limits.ts
_IOPS = {"gp3": (3_000, 80_000, 500), "io1": (100, 64_000, 50), "io2": (100, 256_000, 1_000)}
_SIZES_GIB = {"gp2": 16_384, "gp3": 65_536, "io1": 16_384, "io2": 65_536, "st1": 16_384, "sc1": 16_384, "standard": 1_024}
_LEAST_HDD_GIB = 125
_GP3_MIBPS = (125, 2_000)
_GP3_MIBPS_PER_IOPS = 0.25


@dataclass(frozen=True)
class Settings:
    type: str
    size_gib: int
    iops: int | None
    mibps: int | None


@dataclass(frozen=True)
class Pace:
    """How modifications go that begin from now on."""

    modifying_seconds: float = 10
    optimizing_seconds: float = 600
    fails: bool = False


@dataclass
class Modification:
    place: Place
    original: Settings
    target: Settings
    pace: Pace
    start: float
    is_applied: bool = field(default=False)

    def state(self, now: float) -> str:
        if now < self.start + self.pace.modifying_seconds:
            return "modifying"
        if self.pace.fails:
            return "failed"
        return "optimizing" if now < self._end() else "completed"

    def _end(self) -> float:
        return self.start + self.pace.modifying_seconds + (0 if self.pace.fails else self.pace.optimizing_seconds)

    def document(self, now: float) -> Document:
        state = self.state(now)
        is_over = state in ("completed", "failed")
        share = (now - self.start) / max(1, self._end() - self.start)
        return {
            "VolumeId": self.place[2],
            "ModificationState": state,
            "StatusMessage": "Modification failed" if state == "failed" else None,
            **_told("Original", self.original),
            **_told("Target", self.target),
            "Progress": 100 if state == "completed" else min(99, int(100 * share)),
            "StartTime": _time(self.start),
            "EndTime": _time(self._end()) if is_over else None,
        }


class _Time(datetime):
    def strftime(self, _: str) -> str:
        """moto writes whole seconds, EC2 milliseconds."""
        return self.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def _time(epoch_seconds: float) -> datetime:
    return _Time.fromtimestamp(epoch_seconds, timezone.utc)


def _told(which: str, settings: Settings) -> Document:
    return {
        f"{which}VolumeType": settings.type,
        f"{which}Size": settings.size_gib,
        f"{which}Iops": settings.iops,
        f"{which}Throughput": settings.mibps,
    }


_lock = threading.RLock()
_modifications: dict[Place, list[Modification]] = {}
_fixed: list[float] = []
# By volume; None is any other.
_paces: dict[str | None, Pace] = {}


def _now() -> float:
    return _fixed[0] if _fixed else time.time()


def set_clock(iso: str) -> None:
    """It stands still until it is set again, as that of the local CloudWatch."""
    _fixed[:] = [datetime.fromisoformat(iso).timestamp()]


def set_pace(volume: str | None, order: Document) -> None:
    usual = Pace()
    pace = Pace(
        float(order.get("modifyingSeconds", usual.modifying_seconds)),
        float(order.get("optimizingSeconds", usual.optimizing_seconds)),
        bool(order.get("fails", False)),
    )
    with _lock:
        _paces[volume] = pace


def all_begun() -> list[Document]:
    """In the order of their starts; what a client never heard of too."""
    with _lock:
        begun = [one for of_volume in _modifications.values() for one in of_volume]
        now = _now()
        return [
            {"account": one.place[0], "region": one.place[1], **one.document(now)}
            for one in sorted(begun, key=lambda one: one.start)
        ]


def forget(account: str, region: str) -> None:
    with _lock:
        for place in [place for place in _modifications if place[:2] == (account, region)]:
            del _modifications[place]


@dataclass(frozen=True)
class _Volume:
    """A document of an inventory, or a volume of moto's."""

    settings: Settings
    state: str
    apply: Callable[[Settings], None]


def _gp2_iops(size_gib: int) -> int:
    return min(16_000, max(100, 3 * size_gib))


def _of_document(document: Document) -> _Volume:
    def apply(settings: Settings) -> None:
        document.update(VolumeType=settings.type, Size=settings.size_gib)
        for name, value in (("Iops", settings.iops), ("Throughput", settings.mibps)):
            document.pop(name, None)
            if value is not None:
                document[name] = value

    settings = Settings(
        document["VolumeType"], document["Size"], document.get("Iops"), document.get("Throughput")
    )
    return _Volume(settings, document["State"], apply)


def _of_moto(volume: Any) -> _Volume:
    def apply(settings: Settings) -> None:
        volume.volume_type, volume.size = settings.type, settings.size_gib
        volume.iops, volume.throughput = settings.iops, settings.mibps

    settings = Settings(volume.volume_type, volume.size, volume.iops, volume.throughput)
    return _Volume(settings, volume.status, apply)


def _volume(self: ElasticBlockStore, volume_id: str) -> _Volume:
    document = inventory.volume(self.current_account, self.region, volume_id)
    if document is not None:
        return _of_document(document)
    # One that moto does not know either is refused by moto, in EC2's words.
    [volume] = self.ec2_backend.describe_volumes([volume_id])
    return _of_moto(volume)


def _settle(self: ElasticBlockStore) -> None:
    """Volumes become what was asked of them."""
    here = (self.current_account, self.region)
    for place, of_volume in _modifications.items():
        for one in of_volume:
            if place[:2] == here and not one.is_applied and one.state(_now()) in ("optimizing", "completed"):
                one.is_applied = True
                _volume(self, place[2]).apply(one.target)


def _refuse(code: str, message: str) -> None:
    raise EC2ClientError(code, message)


def _target_iops(asked: int | None, target_type: str, size_gib: int, now: Settings) -> int | None:
    if target_type not in _IOPS:
        if asked is not None:
            _refuse("InvalidParameterCombination", f"The parameter iops is not supported for {target_type} volumes.")
        return _gp2_iops(size_gib) if target_type == "gp2" else None
    least, most, per_gib = _IOPS[target_type]
    kept = now.iops if now.type == target_type else (least if target_type == "gp3" else None)
    iops = asked if asked is not None else kept
    if iops is None:
        _refuse("MissingParameter", f"The request must contain the parameter iops for {target_type} volumes.")
        return None
    if not least <= iops <= most:
        message = f"Volume iops of {iops} is out of range; {target_type} has {least} to {most}."
        _refuse("InvalidParameterValue", message)
    if iops > max(least, per_gib * size_gib):
        ratio = f"Iops to volume size ratio of {iops / size_gib:.6f} is too high; maximum is {per_gib}."
        _refuse("InvalidParameterCombination", ratio)
    return iops


def _target_mibps(asked: int | None, target_type: str, iops: int | None, now: Settings) -> int | None:
    if target_type != "gp3":
        if asked is not None:
            message = f"The parameter throughput is not supported for {target_type} volumes."
            _refuse("InvalidParameterCombination", message)
        return None
    least, most = _GP3_MIBPS
    kept = now.mibps if now.type == "gp3" and now.mibps is not None else least
    mibps = asked if asked is not None else kept
    if not least <= mibps <= most:
        message = f"Volume throughput of {mibps} is out of range; gp3 has {least} to {most}."
        _refuse("InvalidParameterValue", message)
    if mibps > _GP3_MIBPS_PER_IOPS * (iops or 0):
        _refuse("InvalidParameterCombination", f"Throughput to iops ratio is too high; maximum is {_GP3_MIBPS_PER_IOPS}.")
    return mibps


def _target(self: ElasticBlockStore, now: Settings) -> Settings:
    def number(name: str) -> int | None:
        value = self._get_param(name)
        return None if value is None else int(value)

    target_type = self._get_param("VolumeType") or now.type
    if target_type not in _SIZES_GIB:
        _refuse("InvalidParameterValue", f"Value ({target_type}) for parameter volumeType is invalid.")
    asked_size = number("Size")
    size_gib = now.size_gib if asked_size is None else asked_size
    if size_gib < now.size_gib:
        _refuse("InvalidParameterValue", "New size cannot be smaller than existing size")
    least = _LEAST_HDD_GIB if target_type in ("st1", "sc1") else 1
    if not least <= size_gib <= _SIZES_GIB[target_type]:
        message = f"Volume of {size_gib} GiB is out of range; {target_type} has {least} to {_SIZES_GIB[target_type]}."
        _refuse("InvalidParameterValue", message)
    iops = _target_iops(number("Iops"), target_type, size_gib, now)
    return Settings(target_type, size_gib, iops, _target_mibps(number("Throughput"), target_type, iops, now))


def _refuse_next(of_volume: list[Modification], volume_id: str) -> None:
    now = _now()
    state = of_volume[-1].state(now) if of_volume else "completed"
    if state in ("modifying", "optimizing"):
        _refuse("IncorrectModificationState", f"The volume {volume_id} is in the state {state}: it cannot be modified.")
    recent = [one.start for one in of_volume if one.start > now - _DAY_SECONDS]
    if len(recent) >= _MOST_A_DAY:
        message = (
            "You've reached the maximum modification rate per volume limit. "
            f"The next modification is allowed at {_time(recent[0] + _DAY_SECONDS).isoformat()}."
        )
        _refuse("VolumeModificationRateExceeded", message)


def _modify_volume(self: ElasticBlockStore) -> ActionResult:
    self.error_on_dryrun()
    volume_id = self._get_param("VolumeId")
    with _lock:
        _settle(self)
        volume = _volume(self, volume_id)
        if volume.state not in ("in-use", "available"):
            _refuse("IncorrectState", f"Volume {volume_id} is in the state {volume.state}.")
        place = (self.current_account, self.region, volume_id)
        of_volume = _modifications.setdefault(place, [])
        _refuse_next(of_volume, volume_id)
        pace = _paces.get(volume_id) or _paces.get(None) or Pace()
        begun = Modification(place, volume.settings, _target(self, volume.settings), pace, _now())
        of_volume.append(begun)
        return ActionResult({"VolumeModification": begun.document(_now())})


_FILTERS = {"volume-id": "VolumeId", "modification-state": "ModificationState"}


def _describe_volumes_modifications(self: ElasticBlockStore) -> ActionResult:
    self.error_on_dryrun()
    ids, filters = self._get_param("VolumeIds", []), self._filters_from_querystring()
    for name in filters:
        if name not in _FILTERS:
            _refuse("InvalidParameterValue", f"The filter '{name}' is not known to this local EC2")
    with _lock:
        for volume_id in ids:
            _volume(self, volume_id)
        here = (self.current_account, self.region)
        latest = {
            place[2]: of_volume[-1].document(_now())
            for place, of_volume in _modifications.items()
            if place[:2] == here and of_volume
        }
    unknown = [volume_id for volume_id in ids if volume_id not in latest]
    if unknown:
        message = f"Modification for volume '{unknown[0]}' does not exist."
        _refuse("InvalidVolumeModification.NotFound", message)
    told = [
        one
        for volume_id, one in latest.items()
        if (not ids or volume_id in ids)
        and all(one[_FILTERS[name]] in values for name, values in filters.items())
    ]
    return ActionResult({"VolumesModifications": told})


def _describe_volumes(describe_volumes: Callable[[Any], ActionResult]) -> Callable[[Any], ActionResult]:
    def patched(self: ElasticBlockStore) -> ActionResult:
        with _lock:
            _settle(self)
            return describe_volumes(self)

    return patched


def install() -> None:
    """After inventory.py, which tells of volumes."""
    for name, make in (
        ("modify_volume", lambda _: _modify_volume),
        ("describe_volumes_modifications", lambda _: _describe_volumes_modifications),
        ("describe_volumes", _describe_volumes),
    ):
        if name not in vars(ElasticBlockStore):
            raise SystemExit(f"moto has no ElasticBlockStore.{name} any more: local/ec2/modifications.py must follow")
        setattr(ElasticBlockStore, name, make(vars(ElasticBlockStore)[name]))
