/** Report cards as `grade` and `bench report` make them: of what two layouts of made volumes measured. */
import { campaignReport, type Measured } from '../../core/benchmark/campaign/campaign-report.ts';
import { campaignCard } from '../../core/report/campaign-card.ts';
import type { CardReport } from '../../core/report/card-report.ts';
import { gradeAnswer } from '../../core/report-card/answer.ts';
import { type MemberCounters, type RunFioResult, runFioSchema } from '../../core/report-card/fio-result.ts';
import { testsOfRunFio } from '../../core/report-card/fio-tests.ts';
import type { Access } from '../../core/report-card/job-options.ts';
import { aCampaign, anEnd, aResult, search } from '../core/benchmark/campaign/campaigns.ts';
import { aLayout } from '../core/benchmark/campaign/requests.ts';
import { fio3 } from '../fixtures/fio-output.ts';

const seconds = 60;
const gradedAt = '2026-11-22T13:00:00Z';

interface Layout {
  name: string;
  members: number;
  /** Of all members together. */
  maxIops: number;
  maxMiBps: number;
  isSlow: (member: number) => boolean;
}
interface Load {
  access: Access;
  blockKiB: number;
  users: number;
  isSync?: boolean;
}

const minMs = 0.6;

/** As operations wait on something that does so many a second (Little's law). */
function outcome({ maxIops, maxMiBps }: Layout, { blockKiB, users }: Load) {
  const most = Math.min(maxIops, (maxMiBps * 1_024) / blockKiB);
  const iops = Math.round(Math.min(most, (users / minMs) * 1_000));
  return { iops, meanMs: (users / iops) * 1_000 };
}

/** Operations by what they took: where they wait for a limit, some are served at once and most wait. */
function binsOf(operations: number, meanMs: number): Record<number, number> {
  const around = [0.5, 0.7, 0.85, 1, 1.15, 1.4, 2.2] as const;
  const shares = [0.04, 0.12, 0.22, 0.3, 0.2, 0.1, 0.02] as const;
  const waits = meanMs > 2 * minMs;
  const bins = new Map<number, number>();
  around.forEach((factor, i) => {
    const at = (mean: number, share: number): void => {
      const ms = Number((mean * factor).toPrecision(3));
      bins.set(ms, (bins.get(ms) ?? 0) + Math.round(operations * share * (shares[i] as number)));
    };
    if (waits) at(minMs, 0.2);
    at(meanMs, waits ? 0.8 : 1);
  });
  return Object.fromEntries(bins);
}

const counters = (uptimeSeconds: number, reads: number, readMs: number, exceededSeconds: number) => ({
  uptimeSeconds,
  disk: {
    ...{ reads, readSectors: reads * 16, readMs, writes: 0, writeSectors: 0, writeMs: 0 },
    ...{ inFlight: 0, busyMs: 0, queueMs: 0 },
  },
  ebs: {
    ...{ readOps: reads, writeOps: 0, readBytes: reads * 8_192, writeBytes: 0 },
    ...{ volumeIopsExceededMicroseconds: exceededSeconds * 1e6, volumeThroughputExceededMicroseconds: 0 },
    ...{ instanceIopsExceededMicroseconds: 0, instanceThroughputExceededMicroseconds: 0 },
  },
});

const membersOf = ({ members, isSlow }: Layout, operations: number, meanMs: number): MemberCounters[] =>
  Array.from({ length: members }, (_, i) => {
    const did = Math.round(operations / members);
    const waitMs = isSlow(i) ? 4 * meanMs : meanMs;
    return {
      ...{ volumeId: `vol-0123456789abcde${i}f`, device: `nvme${i + 1}n1` },
      ...{ before: counters(100, 500, 400, 0) },
      after: counters(100 + seconds, 500 + did, 400 + did * waitMs, isSlow(i) ? 50 : 2),
    };
  });

/** A wave, and in the middle a point in which nothing ended. */
const overTimeOf = (iops: number, meanMs: number) => ({
  secondsPerPoint: 1,
  iops: Array.from({ length: seconds }, (_, i) => (i === 30 ? 0 : iops * (1 + 0.05 * Math.sin(i / 3)))),
  latencyMs: Array.from({ length: seconds }, (_, i) =>
    i === 30 ? null : meanMs * (1 + 0.05 * Math.cos(i / 3)),
  ),
});

const loads: readonly Load[] = [
  ...[1, 4, 16, 32, 64].map((users): Load => ({ access: 'randread', blockKiB: 8, users })),
  ...[1, 8].map((users): Load => ({ access: 'read', blockKiB: 1_024, users })),
  ...[4, 16].map((users): Load => ({ access: 'write', blockKiB: 1, users, isSync: true })),
  ...[4, 16].map((users): Load => ({ access: 'write', blockKiB: 128, users, isSync: true })),
];

function measured(layout: Layout, runId: string, some = loads): RunFioResult {
  const steps = some.map((load, index) => {
    const { access, blockKiB, users, isSync } = load;
    const { iops, meanMs } = outcome(layout, load);
    const operations = iops * seconds;
    const name = `${access}-${blockKiB}k-${users}`;
    const did = {
      ...{ operations, seconds, blockKiB, meanMs, p95Ms: meanMs * 1.4 },
      bins: binsOf(operations, meanMs),
    };
    const options = {
      ...{ rw: access, bs: `${blockKiB}k`, numjobs: `${users}`, iodepth: '1', direct: '1' },
      ...(isSync === true ? { sync: '1' } : {}),
    };
    return {
      ...{ name, startedAt: new Date(Date.parse(gradedAt) + index * seconds * 1e3).toISOString(), users },
      fio: fio3({ name, [access.endsWith('read') ? 'read' : 'write']: did, options }),
      members: membersOf(layout, operations, meanMs),
      overTime: overTimeOf(iops, meanMs),
    };
  });
  const all = { version: 1, document: 'run-fio', runId, profile: 'report-card', variant: 'full', steps };
  return runFioSchema.parse(all);
}

const linear: Layout = {
  ...{ name: 'linear', members: 1, maxIops: 3_000, maxMiBps: 125 },
  isSlow: () => false,
};
const stripe: Layout = {
  ...{ name: 'stripe', members: 6, maxIops: 18_000, maxMiBps: 750 },
  isSlow: (member) => member === 4,
};

/** Two layouts side by side. */
export const layoutsCard = (): CardReport => ({
  ...{ version: 1, madeAt: gradedAt, title: 'Report card of 2 files', label: null, campaign: null },
  grades: gradeAnswer(
    [linear, stripe].map((layout) => ({
      name: `${layout.name}.json`,
      tests: testsOfRunFio(measured(layout, 'r1')),
      monthlyUsd: layout.members * 40,
    })),
    { areRepeats: false },
  ),
});

/** One run three times. */
export const repeatsCard = (): CardReport => ({
  ...{ version: 1, madeAt: gradedAt, title: 'Report card of 3 repeats', label: null, campaign: null },
  grades: gradeAnswer(
    [2_950, 3_000, 3_020].map((maxIops, i) => ({
      name: `run-${i + 1}.json`,
      tests: testsOfRunFio(measured({ ...linear, maxIops }, `r${i + 1}`, loads.slice(0, 4))),
      monthlyUsd: null,
    })),
    { areRepeats: true },
  ),
});

/** A campaign: one layout was measured, one failed and was left to the cleanup. */
export function campaignCardReport(): CardReport {
  const layouts = [aLayout(), aLayout({ name: 'one', kind: 'single', members: 1 })];
  const ends = [
    anEnd('stripe-m1-large'),
    anEnd('one-m1-large', {
      failure: {
        ...{ step: 'Run it on the host', error: 'HostLost' },
        message: 'the host did not answer for 5 minutes',
      },
      endedAt: null,
      leftBehind: { step: 'End its host', error: 'UnauthorizedOperation', message: 'no' },
    }),
  ];
  const probes: Measured = new Map([
    [
      'stripe-m1-large',
      (
        [
          [16, 8_000, 1.5],
          [20, 8_010, 2.5], // over the limit, and hardly more
          [16, 8_000, 1.5],
          [16, 8_000, 1.5],
        ] as const
      ).map(([users, iops, p95Ms], i) => ({
        runId: `p${i + 1}`,
        result: aResult(`p${i + 1}`, users, iops, p95Ms),
      })),
    ],
  ]);
  const campaign = { ...aCampaign({ layouts, work: search }), label: 'emulated: made volumes' };
  return campaignCard(campaignReport(campaign, ends, probes, gradedAt));
}
