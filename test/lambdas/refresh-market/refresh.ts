/** Refreshing a Region from an account where all is well but for what a test says. */
import type { StoredMarket } from '../../../core/catalogue/market.ts';
import type { AuditNotice } from '../../../core/schemas/audit-notice.ts';
import { type RefreshFrom, refreshMarket } from '../../../lambdas/refresh-market/refresh-market.ts';
import { anInstanceType, aStoredMarket, somePrices } from '../../fixtures/market.ts';

export const now = new Date('2026-11-20T12:00:00Z');

interface Run {
  refreshed: boolean;
  notices: AuditNotice[];
  incomplete: AuditNotice[];
  written: StoredMarket[];
  asked: string[];
}

export async function refresh(others: Partial<RefreshFrom> = {}, region = 'eu-central-1'): Promise<Run> {
  const written: StoredMarket[] = [];
  const asked: string[] = [];
  const from: RefreshFrom = {
    readStored: async () => null,
    describeInstanceTypes: async () => ({ types: [anInstanceType()], leftOut: [] }),
    getPrices: async () => ({ prices: somePrices({ region }), notices: [] }),
    writeStored: async (market) => void written.push(market),
    now: () => now,
    ...others,
  };
  const counted: RefreshFrom = {
    ...from,
    describeInstanceTypes: () => {
      asked.push('types');
      return from.describeInstanceTypes();
    },
    getPrices: () => {
      asked.push('prices');
      return from.getPrices();
    },
  };
  return { ...(await refreshMarket({ region, refreshAfterDays: 7 }, counted)), written, asked };
}

export const stored = (market: Parameters<typeof aStoredMarket>[0]) => ({
  readStored: async () => aStoredMarket(market),
});
export const failing = (error: Error) => () => Promise.reject(error);
