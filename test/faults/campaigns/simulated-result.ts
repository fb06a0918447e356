/** What a host would write of a command that measures, of a made volume of 3,000 IOPS. */
import { fio3 } from '../../fixtures/fio-output.ts';

/** As operations wait that are under way on something that does so many a second (Little's law). */
const iopsOfVolume = 3_000;
const leastMs = 0.5;

/** Null: the command measures nothing. */
export function simulatedResult(parameters: Readonly<Record<string, string>>): object | null {
  const { runId, access, users = '16', ioDepth = '1', blockKiB = '8', profile } = parameters;
  if (runId === undefined) return null;
  const underWay = Number(users) * Number(ioDepth);
  const iops = Math.min(iopsOfVolume, (underWay / leastMs) * 1_000);
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
        ...{ name: `randread-8k-${underWay}`, startedAt: '2026-11-22T12:00:00Z' },
        ...{ users: underWay, fio, members: [] },
      },
    ],
  };
}
