/** Ticks of monitoring in a deployment of several accounts, as the schedule would call them, and what came of them. */
import { setTimeout as after } from 'node:timers/promises';
import { z } from 'zod';
import { shardOf } from '../../core/monitoring/shards.ts';
import { sendJson } from '../../local/load-fleet.ts';
import { Account } from '../resilience/account.ts';
import type { SimulatedFleet } from '../simulator/fleet.ts';
import type { LocalDeployment } from './local-deployment.ts';

const part = 'WatchVolumes';
const region = 'us-east-1';

const describedSchema = z.object({
  Volumes: z.array(
    z.object({
      VolumeId: z.string(),
      VolumeType: z.string(),
      Iops: z.number(),
      Attachments: z.array(z.object({ InstanceId: z.string() })),
    }),
  ),
});

/**
 * From the end of the fleet on a volume is calm; in the last 20 minutes its own limit throttles it.
 * @returns its id.
 */
export async function throttleOne(
  { services }: LocalDeployment,
  account: string,
  { regions, endEpochSeconds }: SimulatedFleet,
): Promise<string> {
  const described = regions.flatMap(({ describeVolumes }) => describedSchema.parse(describeVolumes).Volumes);
  const volume = described.find(({ VolumeType }) => VolumeType === 'gp3');
  if (volume === undefined) throw new Error('a fleet without gp3');
  const { VolumeId, Iops, Attachments } = volume;
  const now = Math.floor(Date.now() / 60_000) * 60;
  const url = services.urls.cloudWatch;
  await sendJson('PUT', `${url}/_stripewise/clock`, { now: new Date(now * 1_000).toISOString() });
  const all = (now - endEpochSeconds) / 60;
  const epochSeconds = Array.from({ length: all }, (_, i) => endEpochSeconds + i * 60);
  const series = (metric: string, held: number, calm: number, more: object = {}) => ({
    ...{ namespace: 'AWS/EBS', metric, dimensions: { VolumeId, ...more }, epochSeconds },
    values: epochSeconds.map((_, i) => (i >= all - 20 ? held : calm)),
  });
  const reads = 60 * Iops;
  await sendJson('POST', `${url}/_stripewise/series?region=${region}&account=${account}`, {
    series: [
      series('VolumeIOPSExceededCheck', 1, 0, { InstanceId: Attachments[0]?.InstanceId }),
      series('VolumeReadOps', reads, 6_000),
      series('VolumeWriteOps', 0, 0),
      series('VolumeReadBytes', reads * 8_192, 6_000 * 8_192),
      series('VolumeWriteBytes', 0, 0),
      series('VolumeQueueLength', 60, 0.1),
    ],
  });
  return VolumeId;
}

const countsSchema = z.record(
  z.string(),
  z.object({
    regions: z.record(
      z.string(),
      z.object({ calls: z.record(z.string(), z.number()), metricsRequested: z.number() }),
    ),
  }),
);
const tickSchema = z.object({ shard: z.number(), polls: z.number(), metrics: z.number() });
const itemSchema = z.object({ shard: z.string(), volumeId: z.string() });

export class Ticks {
  private readonly deployment: LocalDeployment;
  private readonly account: Account;
  private readonly sinceMs = Date.now();
  /** Of the function: ticks, and the shards that they handed on. */
  private calls = 0;

  constructor(deployment: LocalDeployment) {
    this.deployment = deployment;
    this.account = new Account(deployment.services, deployment.outputs);
  }

  /** As the schedule calls it: shards go on by themselves. */
  async tick(): Promise<void> {
    const { failed, said } = await this.account.call(part, {});
    if (failed) throw new Error(said);
    const { shards } = z.object({ shards: z.number() }).parse(JSON.parse(said));
    this.calls += 1 + shards;
  }

  private async lines(): Promise<string[]> {
    return (await this.account.logged(part, this.sinceMs)).flatMap((text) => text.split('\n'));
  }

  /** Whether all shards came to their end. */
  async areOver(): Promise<boolean> {
    return (await this.lines()).filter((line) => line.startsWith('REPORT ')).length >= this.calls;
  }

  /** The shard of an account alone, to its end. */
  async tickOf(account: string): Promise<unknown> {
    const { failed, said } = await this.account.call(part, { shard: shardOf(account) });
    if (failed) throw new Error(said);
    this.calls++;
    return JSON.parse(said);
  }

  /** Volumes that were polled in all ticks, as the function logged them. */
  async polled(account: string): Promise<number> {
    return (await this.lines())
      .filter((line) => line.includes('"message":"tick"'))
      .map((line) => tickSchema.parse(JSON.parse(line.slice(line.indexOf('{')))))
      .filter(({ shard }) => shard === shardOf(account))
      .reduce((sum, { polls }) => sum + polls, 0);
  }

  /** Volumes that monitoring remembers. */
  async watched(account: string): Promise<number> {
    const items = (await this.account.items('MonitoringWatches')).map((item) => itemSchema.parse(item));
    return items.filter(({ volumeId }) => volumeId.startsWith(`${account}/`)).length;
  }

  /** What is left of the budget of some accounts, in metrics. */
  async budgetLeft(): Promise<{ left: number; metricsPerMonth: number }> {
    const items = await this.account.items('MonitoringWatches');
    const found = items.find(({ shard, volumeId }) => shard === 'budget' && volumeId !== 'month');
    return z.object({ state: z.object({ left: z.number(), metricsPerMonth: z.number() }) }).parse(found)
      .state;
  }

  forgetCounts(): Promise<unknown> {
    return sendJson('POST', `${this.deployment.services.urls.cloudWatch}/_stripewise/counts/reset`, {});
  }

  /** What CloudWatch was asked for in the Region, with the credentials of an account. */
  async asked(account: string): Promise<{ calls: number; metrics: number }> {
    const reply = await fetch(`${this.deployment.services.urls.cloudWatch}/_stripewise/counts/accounts`);
    const counts = countsSchema.parse(await reply.json())[account]?.regions[region];
    return { calls: counts?.calls['GetMetricData'] ?? 0, metrics: counts?.metricsRequested ?? 0 };
  }
}

/** @returns false where it never came to be. */
export async function comesToBe(isSo: () => Promise<boolean>): Promise<boolean> {
  for (const deadline = Date.now() + 90_000; Date.now() < deadline; await after(500))
    if (await isSo()) return true;
  return false;
}
