/** One instance with one stripe, simulated and written as the AWS CLI prints it; and what its host would say. */
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { auditResultSchema } from '../../core/schemas/audit-result.ts';
import { hostDocument, type Listed, lsblkText, lvm } from '../core/stripes/hosts.ts';
import type { TemporaryDirectory } from '../fixtures/temporary-directory.ts';
import { windows, workers } from '../simulator/loads.ts';
import { publish } from '../simulator/publish.ts';
import { simulateInstance, type Window } from '../simulator/simulate.ts';
import { type StripeOptions, stripedInstance } from '../simulator/stripe-plans.ts';
import { runCli } from './run-cli.ts';

/** Three hours, at the first minute of which a load is in its minute 0. */
const window: Window = { startEpochSeconds: 1_795_046_400, minutes: 180, seed: 1, firstPlanMinute: 0 };

/** 3,000 I/O a second, in minutes 80 to 109 so many: three gp3 do 9,000. */
export const loadWith = (ioPerSecond: number) => workers(16, windows(3_000, [80, 30, ioPerSecond]));

export interface StripedAccount {
  instanceId: string;
  volumeIds: string[];
  /** Options of `audit`. With a tag each volume has it. */
  files(stripeTag?: string): string[];
}

export function stripedAccount(
  directory: TemporaryDirectory,
  options: Partial<StripeOptions> = {},
): StripedAccount {
  const instance = simulateInstance(stripedInstance({ members: 3, ...options }), window);
  const published = publish([instance], window);
  const volumes = published.describeVolumes.Volumes as { Tags: object[] }[];
  return {
    instanceId: instance.instanceId,
    volumeIds: instance.volumes.map(({ volumeId }) => volumeId).sort(),
    files(stripeTag) {
      const tags = stripeTag === undefined ? [] : [{ Key: 'stripewise:stripe', Value: stripeTag }];
      const Volumes = volumes.map((volume) => ({ ...volume, Tags: [...volume.Tags, ...tags] }));
      return [
        ...['--volumes', directory.write('volumes.json', { Volumes })],
        ...['--instances', directory.write('instances.json', published.describeInstances)],
        ...['--metrics', directory.write('metrics.json', published.getMetricData)],
      ];
    },
  };
}

/** Disks of these volumes, each with the same device on it or one of its own. */
export const disksOf = (volumeIds: readonly string[], more: (index: number) => Partial<Listed>): Listed[] =>
  volumeIds.map((volumeId, i) => ({
    ...{ name: `nvme${i + 1}n1`, type: 'disk', serial: volumeId.replace('-', '') },
    ...more(i),
  }));

/** What describe-stripes prints where they are one striped logical volume. */
export function stripedHost(volumeIds: readonly string[], name = 'data-data'): string {
  const children = [lvm(name, { fstype: 'xfs', mountpoint: '/data' })];
  const devices = volumeIds.map((_, i) => `259:${i} 2048`).join(' ');
  return hostDocument({
    lsblk: lsblkText(...disksOf(volumeIds, () => ({ fstype: 'LVM2_member', children }))),
    dmsetup: `${name}: 0 838860800 striped ${volumeIds.length} 128 ${devices}\n`,
  });
}

/** The audit as JSON; it must have ended well. */
export async function auditedJson(...options: string[]): Promise<AuditResult> {
  const { code, out, err } = await runCli('audit', '--json', ...options);
  if (code !== 0) throw new Error(`the audit ended with ${code}: ${err}`);
  return auditResultSchema.parse(JSON.parse(out));
}
