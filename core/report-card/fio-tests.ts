/** What fio measured: a test for each job, whatever fio it was. */
import { z } from 'zod';
import { type Known, known } from '../known.ts';
import { bytesFromKiB, epochSecondsOf, mibFromBytes, secondsPerMinute } from '../units.ts';
import type { ExceededChecks, Span } from './exceeded-checks.ts';
import type { FioDirection, FioJob, FioResult, MemberCounters, RunFioResult } from './fio-result.ts';
import {
  type Access,
  accessOf,
  blockKiBOf,
  ioDepthOf,
  type JobOptions,
  type LoadUnknown,
  optionsOf,
  usersOf,
} from './job-options.ts';
import {
  type Bin,
  binsOf,
  type Latency,
  latencyOf,
  measuredOf,
  pointsOfAll,
  printedBins,
} from './latency.ts';
import type { Notified } from './members.ts';
import type { OverTime } from './over-time.ts';

/** What went wrong while a test ran. */
export const testErrorSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('fio-error'), errno: z.int() }),
  z.object({ code: z.literal('operations-failed'), operations: z.number() }),
]);
export type TestError = z.infer<typeof testErrorSchema>;

export interface FioTest {
  name: string;
  access: Known<Access, LoadUnknown>;
  blockKiB: Known<number, LoadUnknown>;
  users: Known<number, LoadUnknown>;
  /** How many of each user are under way at most. */
  ioDepth: Known<number, LoadUnknown>;
  options: JobOptions;
  iops: number;
  mibps: number;
  /** Of its operations, 0 to 1; null where it did nothing. */
  readShare: number | null;
  /** null where it did nothing, or where fio tells none. */
  latency: Latency | null;
  bins: readonly Bin[];
  error: TestError | null;
  /** Disks below it, where `run-fio` looked at them. */
  members: readonly MemberCounters[];
  /** What CloudWatch says of them while it ran; null where nobody asked it. */
  notified: Notified | null;
  /** Of fio's logs; null where there are none that are of this test alone. */
  overTime: OverTime | null;
}

function mibpsOf({ bw, bw_bytes }: FioDirection): number {
  return mibFromBytes(bw_bytes ?? bytesFromKiB(bw));
}

const directionsOf = ({ read, write, trim, mixed }: FioJob): FioDirection[] =>
  [read, write, trim, mixed].filter((one): one is FioDirection => one !== undefined && one.iops > 0);

function errorOf(jobs: readonly FioJob[]): TestError | null {
  const failed = jobs.find(({ error }) => error !== 0);
  if (failed !== undefined) return { code: 'fio-error', errno: failed.error };
  const errors = jobs.reduce((sum, { total_err = 0 }) => sum + total_err, 0);
  return errors > 0 ? { code: 'operations-failed', operations: errors } : null;
}

/** @param jobs one job: an entry for each user where fio did not put them together. */
function testOf(result: FioResult, jobs: readonly FioJob[]): FioTest {
  const [first] = jobs as [FioJob];
  const options = optionsOf(result, first);
  const directions = jobs.flatMap(directionsOf);
  const measured = directions.map(measuredOf).filter((one) => one !== null);
  const reads = jobs.flatMap(({ read }) => read?.iops ?? 0).reduce((sum, iops) => sum + iops, 0);
  const iops = directions.reduce((sum, one) => sum + one.iops, 0);
  const points = measured.length > 0 ? pointsOfAll(measured) : null;
  const operationsOf = (job: FioJob): number =>
    directionsOf(job).reduce((sum, one) => sum + (measuredOf(one)?.operations ?? 0), 0);
  return {
    name: first.jobname,
    access: accessOf(options),
    blockKiB: blockKiBOf(options, directions),
    users: usersOf(options, jobs.length),
    ioDepth: ioDepthOf(options, first.iodepth_level),
    ...{ options, iops },
    mibps: directions.reduce((sum, one) => sum + mibpsOf(one), 0),
    readShare: iops > 0 && jobs.every(({ mixed }) => mixed === undefined) ? reads / iops : null,
    latency: measured.length > 0 ? latencyOf(measured) : null,
    bins:
      points === null
        ? printedBins(jobs.map((job) => ({ job, operations: operationsOf(job) })))
        : binsOf(points),
    error: errorOf(jobs),
    members: [],
    notified: null,
    overTime: null,
  };
}

/** In the order of the result; of a server's clients each, without their sum. */
export function testsOfFio(result: FioResult): FioTest[] {
  const all = result.jobs ?? result.client_stats?.filter(({ jobname }) => jobname !== 'All clients') ?? [];
  const byJob = new Map<string, FioJob[]>();
  for (const job of all) {
    // Two sections of a job file may have the same name; copies of one (numjobs) have the same options too.
    const key = JSON.stringify([job.hostname, job.groupid, job.jobname, job['job options']]);
    const same = byJob.get(key);
    if (same === undefined) byJob.set(key, [job]);
    else same.push(job);
  }
  return [...byJob.values()].map((jobs) => testOf(result, jobs));
}

/** From the first look at its disks to the last; null where it looked at none. */
function spanOf({ startedAt, members }: RunFioResult['steps'][number]): Span | null {
  const [first] = members;
  if (first === undefined) return null;
  const fromEpochSeconds = epochSecondsOf(startedAt);
  return {
    fromEpochSeconds,
    toEpochSeconds: fromEpochSeconds + first.after.uptimeSeconds - first.before.uptimeSeconds,
  };
}

/** Whether CloudWatch could say what ended a step: the devices do not, and it took a whole minute or more. */
export const isLeftToCloudWatch = ({ steps }: RunFioResult): boolean =>
  steps.some((step) => {
    const span = spanOf(step);
    return (
      span !== null &&
      span.toEpochSeconds - span.fromEpochSeconds >= secondsPerMinute &&
      step.members.some(({ before, after }) => before.ebs === null || after.ebs === null)
    );
  });

/** Tests of a run of a profile: by the names of its steps. */
export const testsOfRunFio = ({ steps }: RunFioResult, checks: ExceededChecks | null = null): FioTest[] =>
  steps.flatMap((step) => {
    const { name, users, fio, members, overTime } = step;
    const tests = testsOfFio(fio);
    const span = spanOf(step);
    return tests.map((test) => ({
      ...test,
      ...(tests.length === 1 ? { name, users: known(users), overTime } : { name: `${name}/${test.name}` }),
      members,
      notified: checks === null || span === null ? null : { checks, span },
    }));
  });
