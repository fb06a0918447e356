/** A plan that replaces a volume or an instance, where EBS modifies the volume in place. */
import type { CheckedHost } from '../checked.ts';
import { type CheckedVolume, figuresText } from '../checked-volume.ts';
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

/** Null: figures of it are not known. */
function isOnlyModified({ figures, before }: CheckedVolume): boolean | null {
  if (before === null) return null;
  const [from, to] = [before.sizeGiB, figures.sizeGiB];
  if (!from.known || !to.known) return null;
  return to.value >= from.value;
}

const isChangedDevice = (volume: CheckedVolume): boolean =>
  asText(volume, 'before') !== asText(volume, 'figures');

const changeOf = (volume: CheckedVolume) => ({
  address: volume.address,
  device: volume.device,
  to: figuresText(volume.figures),
});

function replacedVolume(volume: CheckedVolume): RuleFinding[] {
  const { action, replacedFor } = volume;
  if (action !== 'replace' || replacedFor.length === 0) return [];
  if (!replacedFor.every((name) => modifiable.test(name)) || isOnlyModified(volume) !== true) return [];
  return [
    findingOf(
      'replaced',
      volume,
      'critical',
      { code: 'replaced', what: 'volume', replacedFor: [...replacedFor], devices: [] },
      [{ code: 'modify-in-place', changes: [changeOf(volume)] }],
    ),
  ];
}

function replacedInstance(host: CheckedHost): RuleFinding[] | CheckedVolume {
  const { action, replacedFor } = host;
  if (host.kind !== 'instance' || action !== 'replace' || replacedFor.length === 0) return [];
  if (!replacedFor.every((name) => modifiable.test(name) || devices.test(name))) return [];
  const own = host.volumes.filter(({ address, kind }) => kind === 'device' && address === host.address);
  const unknown = own.find((volume) => isOnlyModified(volume) === null);
  if (unknown !== undefined) return unknown;
  const changed = own.filter(isChangedDevice);
  if (changed.length === 0 || !own.every((volume) => isOnlyModified(volume) === true)) return [];
  return [
    findingOf(
      'replaced',
      host,
      'critical',
      {
        ...{ code: 'replaced', what: 'instance', replacedFor: [...replacedFor] },
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
    const ofHosts = hosts.flatMap((host) => {
      const found = replacedInstance(host);
      if (Array.isArray(found)) return found;
      const why = {
        code: 'figure-unknown' as const,
        figure: 'devices' as const,
        why: 'not-set' as const,
        detail: null,
      };
      notChecked.push({ rule: 'replaced', address: host.address, device: found.device, reason: why });
      return [];
    });
    const alone = volumes.filter(({ kind }) => kind === 'volume');
    return { findings: [...alone.flatMap(replacedVolume), ...ofHosts], notChecked };
  },
};
