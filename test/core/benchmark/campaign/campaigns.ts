/** Campaigns that were checked, and what their hosts measured. */
import { type Campaign, campaignOf } from '../../../../core/benchmark/campaign/campaign.ts';
import type { CellEnd } from '../../../../core/benchmark/campaign/campaign-report.ts';
import { preflight } from '../../../../core/benchmark/campaign/preflight.ts';
import type { RunFioResult } from '../../../../core/report-card/fio-result.ts';
import { fio3 } from '../../../fixtures/fio-output.ts';
import { anInstanceType, aRegionCatalog } from '../../../fixtures/region-catalog.ts';
import { aRequest } from './requests.ts';

/** 0.10 USD an hour; its instance takes 500 MiB/s. */
export const aCampaignRegionCatalog = aRegionCatalog([anInstanceType()], { 'm1.large': 0.1 });

export function aCampaign(request: object = {}, campaignId = 'c1'): Campaign {
  const asked = aRequest(request);
  return campaignOf(asked, preflight(asked, aCampaignRegionCatalog), aCampaignRegionCatalog, {
    ...{ campaignId, region: 'us-east-1', checkedAt: '2026-11-22T12:00:00.000Z', label: null },
    ...{ subnetIds: ['subnet-1'], architectureOf: () => 'arm64' },
  });
}

export const search = {
  ...{ kind: 'search', goal: { percentile: 'p95', limitMs: 2 }, seconds: 20, fileSizeMiB: 4_000 },
  load: { access: 'randread', blockKiB: 8 },
};

/** @param users all jobs together, each with one operation under way. */
export function aResult(runId: string, users: number, iops: number, p95Ms: number): RunFioResult {
  const seconds = 60;
  const fio = fio3({
    name: 'randread',
    ...(iops === 0
      ? {}
      : { read: { operations: iops * seconds, seconds, blockKiB: 8, meanMs: p95Ms * 0.8, p95Ms } }),
    options: { rw: 'randread', bs: '8k', numjobs: `${users}`, iodepth: '1' },
  });
  return {
    ...{ version: 1, document: 'measure-load', runId, profile: 'load', variant: 'full' },
    steps: [{ name: 'randread', startedAt: '2026-11-22T12:10:00Z', users, fio, members: [], overTime: null }],
  };
}

export const anEnd = (cellId: string, end: Partial<CellEnd> = {}): CellEnd => ({
  cellId,
  launchedAt: '2026-11-22T12:00:00Z',
  endedAt: '2026-11-22T12:30:00Z',
  ...{ failure: null, leftBehind: null, hostEnded: null },
  ...end,
});
