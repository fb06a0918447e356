/** Links of a notification: where there is an endpoint and a report; without them it is notified all the same. */
import { evaluationOn, signedTarget } from '../../../core/report/report-link.ts';
import { type LinksFrom, linksToReport } from '../../../lambdas/notify-findings/report-links.ts';

const key = 'k'.repeat(64);
const now = 1_795_132_800;

async function linksOf(
  run: { runId?: string | null; report?: string | null },
  using: Partial<LinksFrom> = {},
) {
  const why: string[] = [];
  let reads = 0;
  const from: LinksFrom = {
    baseUrl: 'https://reports.example/',
    linkDays: 30,
    readKey: async () => {
      reads += 1;
      return key;
    },
    readManifest: async () => ({ version: 1, runs: [] }),
    onNone: (reason) => why.push(reason),
    ...using,
  };
  const { runId = 'run-1', report = runId === null ? null : `runs/${runId}/report.html` } = run;
  const linkOf = await linksToReport({ runId, report, nowEpochSeconds: now }, from);
  return { linkOf, why, reads };
}

test('the report of the run is linked to for so many days as are configured', async () => {
  const { linkOf, why } = await linksOf({});
  const url = new URL(linkOf?.('0123456789abcdef') ?? '');
  expect([url.origin, url.hash]).toEqual(['https://reports.example', '#finding-0123456789abcdef']);
  const target = signedTarget(url.pathname);
  expect(target).toMatchObject({ kind: 'runs', id: 'run-1', untilEpochSeconds: now + 30 * 86_400 });
  expect(target && evaluationOn(target, key, now)).toBe('good');
  expect(why).toEqual([]);
});

test.each([
  ['no endpoint', {}, { baseUrl: '' }],
  ['no report', { report: null }, {}],
])('where there is %s there are no links, nobody is warned and no key is read', async (_, run, using) => {
  expect(await linksOf(run, using)).toEqual({ linkOf: null, why: [], reads: 0 });
});

test.each([
  [
    'a report that lies elsewhere',
    { report: 'runs/run-2/report.html' },
    {},
    'the report is not where links lead: runs/run-2/report.html',
  ],
  ['a run whose name no link can have', { runId: 'a b' }, {}, 'no link can name a run of this name'],
  [
    'a key that cannot be read',
    {},
    { readKey: () => Promise.reject(new Error('secretsmanager:GetSecretValue failed')) },
    'secretsmanager:GetSecretValue failed',
  ],
])('%s stops nothing: there are no links, and it is said why', async (_, run, using, reason) => {
  expect(await linksOf(run, using)).toMatchObject({ linkOf: null, why: [reason] });
});

test('between two audits the newest run that has a report is linked to', async () => {
  const entry = {
    ...{ runId: 'run-9', window: null, madeAt: '2026-11-20T00:00:00Z', volumes: 1, unknown: 0 },
    findings: { critical: 0, warning: 0, info: 0 },
    ...{ savedMonthlyUsd: 0, findingsWithoutPrice: 0, partial: false, costUsd: 0, byHand: false },
    report: 'runs/run-9/report.html',
  };
  const readManifest = async () => ({ version: 1 as const, runs: [entry] });
  const { linkOf, why } = await linksOf({ runId: null }, { readManifest });
  expect(signedTarget(new URL(linkOf?.(null) ?? '').pathname)).toMatchObject({ kind: 'runs', id: 'run-9' });
  expect(why).toEqual([]);
  expect(await linksOf({ runId: null })).toMatchObject({ linkOf: null, why: [] });
});
