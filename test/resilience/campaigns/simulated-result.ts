/** What a host would write of a command that measures, of a made volume of 3,000 IOPS. */
import { settleSeconds } from '../../../core/load/metrics.ts';
import { isoFromEpochSeconds } from '../../../core/units.ts';
import { fio3 } from '../../fixtures/fio-output.ts';

/** As operations wait that are under way on something that does so many a second (Little's law). */
const iopsOfVolume = 3_000;
const minMs = 0.5;

const counters = (uptimeSeconds: number, reads: number) => ({
  uptimeSeconds,
  disk: {
    ...{ reads, readSectors: 0, readMs: 0, writes: 0, writeSectors: 0, writeMs: 0 },
    ...{ inFlight: 0, busyMs: 0, queueMs: 0 },
  },
  ...{ ebs: null, ebsReason: 'the disk is made up' },
});
/** It does not tell of limits, for two minutes: CloudWatch is asked. */
const silentDisk = {
  ...{ volumeId: 'vol-00000000000000001', device: 'nvme1n1' },
  ...{ before: counters(100, 0), after: counters(220, 1_000) },
};

/** So long ago that CloudWatch has its minutes: no campaign here waits for them. */
const endedAtSeconds = (): number => Math.floor(Date.now() / 1_000) - settleSeconds;

/** Null: the command measures nothing. */
export function simulatedResult(parameters: Readonly<Record<string, string>>): object | null {
  const { runId, access, users = '16', ioDepth = '1', blockKiB = '8', profile } = parameters;
  if (runId === undefined) return null;
  const underWay = Number(users) * Number(ioDepth);
  const iops = Math.min(iopsOfVolume, (underWay / minMs) * 1_000);
  const meanMs = (underWay / iops) * 1_000;
  const seconds = 3;
  const fio = fio3({
    name: access ?? 'randread-8k',
    read: {
      ...{ operations: iops * seconds, seconds, meanMs, p95Ms: meanMs * 1.1 },
      blockKiB: Number(blockKiB),
    },
    options: { rw: access ?? 'randread', bs: `${blockKiB}k`, numjobs: users, iodepth: ioDepth },
  });
  return {
    ...{ version: 1, document: profile === undefined ? 'measure-load' : 'run-fio', runId },
    ...{ profile: profile ?? 'load', variant: 'short' },
    steps: [
      {
        ...{ name: `randread-8k-${underWay}`, startedAt: isoFromEpochSeconds(endedAtSeconds() - 120) },
        ...{ users: underWay, fio, members: [silentDisk] },
      },
    ],
  };
}
