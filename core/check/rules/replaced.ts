/** A plan that replaces a volume, and so its data; or an instance, where EBS modifies its volumes in place. */
import { known, unknown } from '../../known.ts';
import type { NotCheckedReason } from '../../schemas/check-answer.ts';
import type { CheckedHost } from '../checked.ts';
import { type CheckedVolume, type Figure, figuresText } from '../checked-volume.ts';
import { findingOf, type NotChecked, type Rule, type RuleFinding } from './rule.ts';

/** What ModifyVolume changes, as Terraform calls it on a volume and in a device of an instance. */
const modifiable =
  /^(?:(?:root_block_device|ebs_block_device)(?:[.[].*)?[.\]])?(?:size|type|iops|throughput|volume_size|volume_type)$/;
/** Of a set of devices a plan names the set alone. */
const devices = /^(?:root_block_device|ebs_block_device)(?:\[[^\]]*\]|\.\d+)?$/;

const asText = (volume: CheckedVolume, which: 'before' | 'figures'): string => {
  const figures = volume[which];
  return figures === null ? '' : JSON.stringify(figuresText(figures));
};

const ofState: NotCheckedReason = {
  code: 'figure-unknown',
  figure: 'volumes',
  why: 'elsewhere',
  detail: null,
};

/** Whether EBS could modify it: a volume does not shrink. Not known where one of its sizes is not. */
function isOnlyModified({ figures, before }: CheckedVolume): Figure<boolean> {
  // What stands is not in the plan.
  if (before === null) return unknown(ofState);
  const [from, to] = [before.sizeGiB, figures.sizeGiB];
  if (!from.known) return from;
  return to.known ? known(to.value >= from.value) : to;
}

const isChangedDevice = (volume: CheckedVolume): boolean =>
  asText(volume, 'before') !== asText(volume, 'figures');

const changeOf = (volume: CheckedVolume) => ({
  address: volume.address,
  device: volume.device,
  to: figuresText(volume.figures),
});

/** A volume of which a figure is not known, and which. */
interface Missing {
  device: string | null;
  reason: NotCheckedReason;
}

/** Nobody has to lose data for a change that EBS makes in place; for any other one a snapshot keeps it. */
function replacedVolume(volume: CheckedVolume): RuleFinding[] | Missing {
  const { action, replacedFor, replaceReason: asked, address, device, isFromSnapshot } = volume;
  if (action !== 'replace') return [];
  const isModifiable = replacedFor.length > 0 && replacedFor.every((name) => modifiable.test(name));
  const isModified = isModifiable ? isOnlyModified(volume) : known(false);
  if (!isModified.known) return { device, reason: isModified.reason };
  const isInPlace = isModified.value;
  if (!isInPlace && isFromSnapshot) return [];
  const replaceReason = replacedFor.length > 0 ? 'attributes' : (asked ?? 'unknown');
  return [
    findingOf(
      'replaced',
      volume,
      isInPlace ? 'critical' : 'warning',
      {
        code: 'replaced',
        what: 'volume',
        isInPlace,
        replaceReason,
        replacedFor: [...replacedFor],
        devices: [],
      },
      [
        replaceReason === 'tainted' || replaceReason === 'requested'
          ? { code: 'keep', replaceReason, address, device }
          : null,
        isInPlace
          ? { code: 'modify-in-place', changes: [changeOf(volume)] }
          : { code: 'snapshot-first', address, device },
      ],
    ),
  ];
}

function replacedInstance(host: CheckedHost): RuleFinding[] | Missing {
  const { action, replacedFor } = host;
  if (host.kind !== 'instance' || action !== 'replace' || replacedFor.length === 0) return [];
  if (!replacedFor.every((name) => modifiable.test(name) || devices.test(name))) return [];
  const own = host.volumes.filter(({ address, kind }) => kind === 'device' && address === host.address);
  const answers = own.map((volume) => ({ device: volume.device, isModified: isOnlyModified(volume) }));
  for (const { device, isModified } of answers)
    if (!isModified.known) return { device, reason: isModified.reason };
  const changed = own.filter(isChangedDevice);
  if (changed.length === 0 || answers.some(({ isModified }) => isModified.known && !isModified.value))
    return [];
  return [
    findingOf(
      'replaced',
      host,
      'critical',
      {
        ...{
          code: 'replaced',
          what: 'instance',
          isInPlace: true,
          replaceReason: 'attributes',
          replacedFor: [...replacedFor],
        },
        devices: changed.map(({ device }) => device ?? ''),
      },
      [{ code: 'modify-in-place', changes: changed.map(changeOf) }],
    ),
  ];
}

export const replaced: Rule = {
  id: 'replaced',
  check({ volumes, hosts }) {
    const notChecked: NotChecked[] = [];
    const foundOr = (address: string, found: RuleFinding[] | Missing): RuleFinding[] => {
      if (Array.isArray(found)) return found;
      notChecked.push({ rule: 'replaced', address, ...found });
      return [];
    };
    const alone = volumes.filter(({ kind }) => kind === 'volume');
    const findings = [
      ...alone.flatMap((volume) => foundOr(volume.address, replacedVolume(volume))),
      ...hosts.flatMap((host) => foundOr(host.address, replacedInstance(host))),
    ];
    return { findings, notChecked };
  },
};
