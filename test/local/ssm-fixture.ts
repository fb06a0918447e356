/** A local Systems Manager for each test of a file, with a clock that stands still, and the SDK that asks it. */
import { SSMClient } from '@aws-sdk/client-ssm';
import type { RunningServer } from '../../local/http.ts';
import { ServiceError } from '../../local/service-error.ts';
import { type SsmOptions, startSsm } from '../../local/ssm/server.ts';

export const id = (number: number): string => `i-${number.toString(16).padStart(17, '0')}`;
export const account = '111122223333';
const usualRegion = 'eu-central-1';

export interface LocalSsm {
  /** Of the usual Region. */
  client: SSMClient;
  /** It goes on to stand still. */
  nowMs: number;
  clientOf(region: string): SSMClient;
  /** Its own routes. */
  steer(method: string, path: string, body?: object): Promise<unknown>;
  putHosts(hosts: object): Promise<unknown>;
}

/** @param more What each test's server has besides the document `describe`. */
export function localSsm(more: () => Partial<SsmOptions> = () => ({})): LocalSsm {
  let server: RunningServer;
  let clients: SSMClient[] = [];
  const ssm = {
    clientOf: (region) => {
      const client = new SSMClient({
        ...{ endpoint: server.url, region, maxAttempts: 1 },
        credentials: { accessKeyId: account, secretAccessKey: 'test' },
      });
      clients.push(client);
      return client;
    },
    steer: async (method, path, body) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      return (await fetch(`${server.url}/_stripewise/${path}`, { method, ...sent })).json();
    },
    putHosts: (hosts) => ssm.steer('PUT', `hosts?region=${usualRegion}`, hosts),
  } as LocalSsm;
  beforeEach(async () => {
    ssm.nowMs = Date.parse('2026-11-22T00:00:00Z');
    server = await startSsm({
      account,
      nowMs: () => ssm.nowMs,
      pace: { pendingMs: 100, runningMs: 900 },
      findDocument: async (_, name, version) => {
        if (name !== 'describe') throw new ServiceError('InvalidDocument', `there is no ${name}`);
        return { name, version, content: '{}' };
      },
      ...more(),
    });
    ssm.client = ssm.clientOf(usualRegion);
  });
  afterEach(async () => {
    for (const client of clients) client.destroy();
    clients = [];
    await server.stop();
  });
  return ssm;
}
