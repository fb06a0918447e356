/** fio in the guest, on one file of a file system: what a layout gives to a load. */
import { z } from 'zod';
import type { GuestAgent } from './guest-agent.ts';

export interface Load {
  pattern: 'randread' | 'randwrite' | 'randrw' | 'read' | 'write';
  blockKiB: number;
  jobs: number;
  /** Of each job. */
  depth: number;
  seconds: number;
  /** Before them, until what waits is as it stays. @default 1 */
  rampSeconds?: number;
  /** Operations a second that are wanted, of all jobs together; as many as go without it. */
  iops?: number;
}

export interface Measured {
  /** Reads and writes together. */
  iops: number;
  mibps: number;
  meanMs: number;
  p95Ms: number;
  errors: number;
  /** As fio printed it. */
  fio: unknown;
}

const direction = z.object({
  iops: z.number(),
  total_ios: z.number(),
  clat_ns: z.object({ mean: z.number(), percentile: z.record(z.string(), z.number()).default({}) }),
});
const fioSchema = z.object({
  jobs: z.tuple([
    z.looseObject({ error: z.int(), total_err: z.int().optional(), read: direction, write: direction }),
  ]),
});

const nsPerMs = 1e6;

/** Something to read where it is written to first: what was never written is read without the disk. */
export async function layFile(agent: GuestAgent, file: string, sizeMiB: number): Promise<void> {
  const args = [
    '--name=lay',
    `--filename=${file}`,
    `--size=${sizeMiB}m`,
    '--rw=write',
    '--bs=1m',
    '--direct=1',
  ];
  const done = await agent.run('/usr/bin/fio', [
    ...args,
    '--ioengine=libaio',
    '--iodepth=4',
    '--end_fsync=1',
  ]);
  if (done.exitCode !== 0) throw new Error(`fio could not write ${file}: ${done.stderr}`);
}

/** @throws where fio fails or prints what is none of its results. */
export async function measure(agent: GuestAgent, file: string, load: Load): Promise<Measured> {
  const out = '/run/fio.json';
  const done = await agent.run(
    '/usr/bin/fio',
    [
      ...['--name=load', `--filename=${file}`, '--direct=1', '--ioengine=libaio', '--thread'],
      ...[
        `--rw=${load.pattern}`,
        `--bs=${load.blockKiB}k`,
        `--numjobs=${load.jobs}`,
        `--iodepth=${load.depth}`,
      ],
      ...[
        '--time_based',
        `--runtime=${load.seconds}`,
        `--ramp_time=${load.rampSeconds ?? 1}`,
        '--norandommap',
        '--randrepeat=0',
      ],
      ...(load.iops === undefined ? [] : [`--rate_iops=${Math.round(load.iops / load.jobs)}`]),
      ...['--group_reporting', '--output-format=json', `--output=${out}`],
    ],
    { timeoutMs: (load.seconds + 60) * 1000 },
  );
  if (done.exitCode !== 0)
    throw new Error(`fio ended with ${done.exitCode ?? done.signal}: ${done.stderr || done.stdout}`);
  const fio: unknown = JSON.parse((await agent.readFile(out)).toString('utf8'));
  const [job] = fioSchema.parse(fio).jobs;
  const both = [job.read, job.write];
  const ios = job.read.total_ios + job.write.total_ios;
  return {
    iops: job.read.iops + job.write.iops,
    mibps: ((job.read.iops + job.write.iops) * load.blockKiB) / 1024,
    meanMs:
      ios === 0
        ? 0
        : both.reduce((sum, { clat_ns, total_ios }) => sum + clat_ns.mean * total_ios, 0) / ios / nsPerMs,
    // Of the slower direction: they cannot be put together from percentiles.
    p95Ms: Math.max(...both.map(({ clat_ns }) => clat_ns.percentile['95.000000'] ?? 0)) / nsPerMs,
    errors: job.total_err ?? job.error,
    fio,
  };
}
