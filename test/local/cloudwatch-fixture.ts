/** A local CloudWatch for one test file, the SDK's client on it, and series in a few words. */
import { CloudWatchClient, type MetricDataQuery } from '@aws-sdk/client-cloudwatch';
import type { FleetSeries } from '../../local/cloudwatch/fleet-series.ts';
import {
  type CloudWatchOptions,
  type LocalCloudWatch,
  startCloudWatch,
} from '../../local/cloudwatch/server.ts';

export const region = 'us-east-1';
/** 2026-11-20T00:00:00Z, where the simulated fleet ends. */
export const endSeconds = 1_795_132_800;
export const at = (epochSeconds: number): Date => new Date(epochSeconds * 1_000);

export interface CloudWatchFixture {
  server: LocalCloudWatch;
  client(options?: { region?: string; maxAttempts?: number }): CloudWatchClient;
  send(method: string, path: string, body?: object): Promise<unknown>;
  load(series: readonly FleetSeries[], inRegion?: string): Promise<void>;
  setClock(epochSeconds: number): Promise<void>;
}

/** Started before each test, with the clock at the end of the fleet, and stopped after it. */
export function cloudWatchFixture(options: CloudWatchOptions = { quotas: 'none' }): CloudWatchFixture {
  let server: LocalCloudWatch;
  const clients: CloudWatchClient[] = [];
  const fixture: CloudWatchFixture = {
    get server() {
      return server;
    },
    client({ region: inRegion = region, maxAttempts = 1 } = {}) {
      const client = new CloudWatchClient({
        endpoint: server.url,
        region: inRegion,
        maxAttempts,
        credentials: { accessKeyId: '111122223333', secretAccessKey: 'test' },
      });
      clients.push(client);
      return client;
    },
    async send(method, path, body) {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      // A kept connection may have been closed by the server while this process was busy with simulating.
      const headers = { connection: 'close' };
      const response = await fetch(`${server.url}/_stripewise/${path}`, { method, headers, ...sent });
      const reply = await response.json();
      if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(reply)}`);
      return reply;
    },
    async load(series, inRegion = region) {
      await fixture.send('POST', `series?region=${inRegion}`, { series });
    },
    async setClock(epochSeconds) {
      await fixture.send('PUT', 'clock', { now: at(epochSeconds).toISOString() });
    },
  };
  beforeEach(async () => {
    server = await startCloudWatch(options);
    await fixture.setClock(endSeconds);
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await server.stop();
  });
  return fixture;
}

/** Points a period apart, the first at `startSeconds`. */
export function series(
  VolumeId: string,
  values: readonly number[],
  options: { startSeconds?: number; periodSeconds?: number; metric?: string } = {},
): FleetSeries {
  const { startSeconds = endSeconds - 3_600, periodSeconds = 60, metric = 'VolumeReadOps' } = options;
  return {
    namespace: 'AWS/EBS',
    metric,
    dimensions: { VolumeId },
    epochSeconds: values.map((_, i) => startSeconds + i * periodSeconds),
    values: [...values],
  };
}

export const query = (
  Id: string,
  VolumeId: string,
  options: { Period?: number; Stat?: string } = {},
): MetricDataQuery => ({
  Id,
  MetricStat: {
    Metric: {
      Namespace: 'AWS/EBS',
      MetricName: 'VolumeReadOps',
      Dimensions: [{ Name: 'VolumeId', Value: VolumeId }],
    },
    Period: 60,
    Stat: 'Sum',
    ...options,
  },
});
