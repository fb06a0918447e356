/** Refreshing a Region from an account where all is well but for what a test says. */
import type { StoredCatalog } from '../../../core/catalog/region-catalog.ts';
import type { AuditNotice } from '../../../core/schemas/audit-notice.ts';
import { type RefreshFrom, refreshCatalog } from '../../../lambdas/refresh-catalog/refresh-catalog.ts';
import { anInstanceType, aStoredCatalog, somePrices } from '../../fixtures/region-catalog.ts';

export const now = new Date('2026-11-20T12:00:00Z');

interface Run {
  refreshed: boolean;
  notices: AuditNotice[];
  incomplete: AuditNotice[];
  written: StoredCatalog[];
  asked: string[];
}

export async function refresh(others: Partial<RefreshFrom> = {}, region = 'eu-central-1'): Promise<Run> {
  const written: StoredCatalog[] = [];
  const asked: string[] = [];
  const from: RefreshFrom = {
    readStored: async () => null,
    describeInstanceTypes: async () => ({ types: [anInstanceType()], leftOut: [] }),
    getPrices: async () => ({ prices: somePrices({ region }), notices: [] }),
    writeStored: async (regionCatalog) => void written.push(regionCatalog),
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
  return { ...(await refreshCatalog({ region, refreshAfterDays: 7 }, counted)), written, asked };
}

export const stored = (regionCatalog: Parameters<typeof aStoredCatalog>[0]) => ({
  readStored: async () => aStoredCatalog(regionCatalog),
});
export const failing = (error: Error) => () => Promise.reject(error);
