/** What is read from a host's lists, in a few words. */
import { type HostEvidence, hostEvidence } from '../../../core/stripes/host-evidence.ts';
import { disk, hostDocument, type Listed, lsblkText } from './hosts.ts';

type Notified = Omit<Parameters<typeof hostDocument>[0], 'lsblk'>;

export function read(devices: Listed[], notified: Notified = {}): HostEvidence {
  const evidence = hostEvidence(hostDocument({ lsblk: lsblkText(...devices), ...notified }));
  if (!evidence.known) throw new Error(evidence.reason.code);
  return evidence.value;
}

/** Name, kind and members of each array. */
export const notified = (devices: Listed[], more: Notified = {}): [string, string, string[]][] =>
  read(devices, more).arrays.map(({ name, kind, memberVolumeIds }) => [name, kind, memberVolumeIds]);

export const onEach = (numbers: number[], child: Listed): Listed[] =>
  numbers.map((number) => disk(number, { children: [child] }));

/** Lines of device-mapper tables; what is not named is linear. */
export const table = (...lines: string[]): Notified => ({ dmsetup: lines.join('\n') });
