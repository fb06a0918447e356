/** Every code of a campaign, with figures. */
import type { CellStep } from '../../../core/benchmark/campaign/commands.ts';
import type { SearchEnd } from '../../../core/benchmark/search.ts';
import type { ReportNote } from '../../../core/schemas/campaign-report.ts';
import {
  cellTroubles,
  goalText,
  reportNoteText,
  searchEndText,
  stepText,
} from '../../../report/wording/campaign.ts';
import { type LinesOfCodes, linesOfCodes, type SamplesOf } from './coded-lines.ts';

const steps: SamplesOf<CellStep> = {
  'launch-host': [{ code: 'launch-host' }],
  'wait-for-host': [{ code: 'wait-for-host' }],
  'choose-next': [{ code: 'choose-next' }],
  'build-stripe': [{ code: 'build-stripe' }],
  'initialize-volumes': [{ code: 'initialize-volumes' }],
  'drain-credits': [{ code: 'drain-credits' }],
  'run-profile': [{ code: 'run-profile', profile: 'oltp', runId: 'r1' }],
  'measure-load': [
    { code: 'measure-load', inFlight: 1, runId: 'p1' },
    { code: 'measure-load', inFlight: 128, runId: 'p2' },
  ],
  'end-host': [{ code: 'end-host' }],
};

const ends: SamplesOf<SearchEnd> = {
  'most-users': [{ code: 'most-users', users: 1_024 }],
  'no-more-iops': [{ code: 'no-more-iops' }],
  'next-load-over-limit': [{ code: 'next-load-over-limit' }],
  'not-even-one': [{ code: 'not-even-one' }],
  'runs-spent': [{ code: 'runs-spent', runs: 14 }],
};

const limit: Extract<ReportNote, { code: 'instance-is-limit' }> = {
  ...{ code: 'instance-is-limit', layout: 'stripe-4xgp3', instanceType: 'm5.large' },
  ...{ iops: { layout: 12_000, instance: 3_600 }, mibps: null, bursts: null },
};
const key = 'campaigns/c1/results/stripe-m5-large/r2.json';

const notes: SamplesOf<ReportNote> = {
  'instance-limits-unknown': [
    { code: 'instance-limits-unknown', layout: 'stripe-4xgp3', instanceType: 'm5.large' },
  ],
  'instance-is-limit': [
    limit,
    { ...limit, mibps: { layout: 500, instance: 81.25 }, bursts: { iops: 18_750, mibps: 593.75 } },
  ],
  'quotas-not-read': [
    { code: 'quotas-not-read', reason: 'servicequotas:GetServiceQuota of L-1216C47A failed: AccessDenied' },
  ],
  'quotas-not-looked-at': [{ code: 'quotas-not-looked-at', instanceTypes: ['g5.xlarge', 'trn1.2xlarge'] }],
  'of-region-catalog': [{ code: 'of-region-catalog', text: 'Prices are of 2026-10-01.' }],
  'not-read': [
    { code: 'not-read', unread: [{ code: 'result', key, reason: 'it is not what was written there' }] },
    {
      code: 'not-read',
      unread: [
        { code: 'limits', cellId: 'stripe-m5-large', reason: 'AccessDenied' },
        ...[1, 2, 3, 4, 5].map((number) => ({
          ...{ code: 'result' as const, key: `r${number}.json`, reason: 'NoSuchKey' },
        })),
      ],
    },
  ],
};

/** They go on after the name of a cell, and have no end. */
const campaignStepLines: LinesOfCodes = linesOfCodes<CellStep>('what a cell is at', steps, stepText);

export const campaignLines: readonly LinesOfCodes[] = [
  linesOfCodes<SearchEnd>('why a search measured no more', ends, (end) => [
    `${goalText({ percentile: 'p95', limitMs: 2 })}: ${searchEndText(end)}`,
  ]),
  linesOfCodes<ReportNote>('notes', notes, reportNoteText),
  {
    title: 'what went wrong with a host',
    lines: cellTroubles({
      id: 'stripe-m5-large',
      failure: { step: 'Run it on the host', error: 'HostLost', message: 'it did not answer' },
      leftBehind: { step: 'End its host', error: null, message: 'no' },
      hostEnded: 'Client.InternalError: Client error on launch',
    }),
  },
  {
    ...campaignStepLines,
    lines: campaignStepLines.lines.map((line) => `stripe-m5-large: ${line}.`),
  },
];
