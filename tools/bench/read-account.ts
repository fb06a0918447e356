/** GetMetricData calls against the least that CloudWatch's limits allow, and what an evaluation batch holds in memory. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Measure } from './measure.ts';
import { days, periodSeconds } from './synthetic-account.ts';

const file = (name: string): string => join(import.meta.dirname, name);

interface Taken {
  evaluated: number;
  batches: number;
  metrics: number;
  points: number;
  calls: number;
  minCalls: number;
  seconds: number;
  peakMiB: number;
}

async function withCloudWatch<T>(
  use: (url: string) => Promise<T>,
  quotas: 'aws' | 'none' = 'none',
): Promise<T> {
  const server = spawn(process.execPath, [file('synthetic-cloudwatch.ts'), quotas], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    return await use(line.toString('utf8').trim());
  } finally {
    server.kill();
  }
}

async function evaluate(
  url: string,
  volumes: number,
  { maxBatches, isPaced = false }: { maxBatches?: number; isPaced?: boolean } = {},
): Promise<Taken> {
  const env = {
    PATH: process.env['PATH'],
    AWS_ENDPOINT_URL_CLOUDWATCH: url,
    AWS_ACCESS_KEY_ID: '111122223333',
    AWS_SECRET_ACCESS_KEY: 'bench',
  };
  const args = [
    file('evaluate-account-process.ts'),
    `${volumes}`,
    `${maxBatches ?? Number.POSITIVE_INFINITY}`,
    isPaced ? 'paced' : 'unpaced',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout) as Taken;
}

const number = new Intl.NumberFormat('en-US');
const round = (value: number, digits: number): number => Number(value.toFixed(digits));
const read = `${days} days of ${periodSeconds} s points, over HTTP from the local CloudWatch without its rate quotas`;

export async function metricCallsOverMinimum(): Promise<Measure[]> {
  return withCloudWatch(async (url) => {
    const measures: Measure[] = [];
    for (const volumes of [1_000, 10_000]) {
      const taken = await evaluate(url, volumes);
      if (taken.evaluated !== volumes)
        throw new Error(`${taken.evaluated} of ${volumes} volumes were evaluated`);
      const { calls, minCalls, batches, metrics, points, seconds } = taken;
      const name = volumes === 1_000 ? 'metric-calls-over-minimum' : 'metric-calls-over-minimum-10000';
      measures.push({
        name,
        value: round((100 * (calls - minCalls)) / minCalls, 2),
        unit: '% more calls than the least',
        conditions: `${number.format(calls)} GetMetricData calls for ${number.format(volumes)} volumes, least ${number.format(minCalls)}; ${number.format(metrics)} metrics, ${number.format(points)} points, ${batches} batches, ${read}; ${round(seconds, 0)} s with evaluating`,
      });
    }
    return measures;
  });
}

export async function evaluateBatchPeakMemory(): Promise<Measure[]> {
  return withCloudWatch(async (url) => {
    const { evaluated, metrics, points, calls, peakMiB } = await evaluate(url, 200, { maxBatches: 1 });
    return [
      {
        name: 'evaluate-batch-peak-memory',
        value: Math.round(peakMiB),
        unit: 'MiB resident',
        conditions: `one full batch: ${evaluated} volumes, ${number.format(metrics)} metrics, ${number.format(points)} points in ${calls} calls; ${read}; a process that does nothing else`,
      },
    ];
  });
}

export async function auditSecondsWithinQuota(): Promise<Measure[]> {
  return withCloudWatch(async (url) => {
    const volumes = 1_000;
    const taken = await evaluate(url, volumes, { isPaced: true });
    if (taken.evaluated !== volumes)
      throw new Error(`${taken.evaluated} of ${volumes} volumes were evaluated`);
    const { points, calls, batches, seconds } = taken;
    return [
      {
        name: 'audit-seconds-within-quota',
        value: round(seconds, 0),
        unit: 's',
        conditions: `${number.format(volumes)} volumes, full mode, ${number.format(points)} points in ${number.format(calls)} calls, ${batches} batches, as many at once and at the pace of the defaults; ${days} days of ${periodSeconds} s points, over HTTP from the local CloudWatch with AWS's quotas`,
      },
    ];
  }, 'aws');
}
