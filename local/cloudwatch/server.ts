/**
 * A local stand-in for CloudWatch: serves recorded series with the documented limits, counts what is asked, and fails
 * to order. It proves nothing about AWS beyond what is documented.
 */

import { listen, type RunningServer, readText } from '../http.ts';
import { handleAdmin } from './admin.ts';
import { handleApi } from './api.ts';
import { Counts } from './counts.ts';
import { Dashboards } from './dashboards.ts';
import { Faults } from './faults.ts';
import { Quotas } from './quotas.ts';
import { MemorySeriesStore, type SeriesStore } from './series-store.ts';
import { Accounts, Clock } from './state.ts';

export interface CloudWatchOptions {
  /** 0, the default, takes a free one. */
  port?: number;
  /** Of who says no other one. */
  account?: string;
  /** 'aws', the default, throttles as AWS does. */
  quotas?: 'aws' | 'none';
  /** Series from elsewhere than the series route: the same for all accounts, or by account. */
  store?: SeriesStore | ((account: string) => SeriesStore);
  /** Milliseconds that never go back, for the quotas; the process's own by default. */
  monotonicMs?: () => number;
  /** Called with the points of each page that is answered, when its quota is taken. */
  onDatapoints?: (region: string, datapoints: number) => void;
}

export interface LocalCloudWatch extends RunningServer {
  account: string;
}

export async function startCloudWatch(options: CloudWatchOptions = {}): Promise<LocalCloudWatch> {
  const { port = 0, account = '111122223333', quotas = 'aws', store, onDatapoints = () => {} } = options;
  const monotonicMs = options.monotonicMs ?? (() => performance.now());
  const ofAll = { monotonicMs, onDatapoints, faults: new Faults(), clock: new Clock() };
  const accounts = new Accounts(account, (id) => ({
    ...ofAll,
    account: id,
    store: typeof store === 'function' ? store(id) : (store ?? new MemorySeriesStore()),
    dashboards: new Dashboards(id),
    quotas: quotas === 'aws' ? new Quotas(monotonicMs) : null,
    counts: new Counts(),
  }));
  const running = await listen(port, async (request) => {
    const url = new URL(request.url ?? '/', 'http://local');
    const text = await readText(request);
    const method = request.method ?? '';
    if (method === 'POST' && url.pathname === '/') return handleApi(accounts, request.headers, text);
    return handleAdmin(accounts, method, url, text);
  });
  return { ...running, account };
}
