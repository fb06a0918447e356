/** What reading took over all batches: in total, and by pass where there were passes. */
import { mergeResults } from '../../../core/audit/batches.ts';
import type { AuditNotice, NotRead } from '../../../core/schemas/audit-notice.ts';
import type { AuditResult, PassCost } from '../../../core/schemas/audit-result.ts';
import { aResult } from '../../fixtures/findings.ts';

const facts = { runId: 'run-1', window: null, notices: [], incomplete: [], apiCalls: 3 };
const costOf = (...costs: AuditResult['cost'][]): AuditResult['cost'] =>
  mergeResults(
    costs.map((cost) => aResult([], { cost })),
    facts,
  ).cost;
const pass = (name: PassCost['pass'], metricsRequested: number): PassCost => ({
  ...{ pass: name, volumes: 10, instances: 2, metricsRequested, apiCalls: 1 },
  usd: metricsRequested / 100_000,
});

test('passes of the same name are one, in the order in which they are made', () => {
  const first = { apiCalls: 3, metricsRequested: 60, usd: 0.000_6 };
  const second = { apiCalls: 2, metricsRequested: 50, usd: 0.000_5 };
  expect(
    costOf(
      { ...first, passes: [pass('coarse', 30), pass('second-look', 10), pass('fine', 20)] },
      { ...second, passes: [pass('coarse', 40), pass('second-look', 0), pass('fine', 10)] },
    ),
  ).toEqual({
    apiCalls: 3 + 3 + 2, // three outside the batches
    metricsRequested: 110,
    usd: 0.001_1,
    passes: [
      { pass: 'coarse', volumes: 20, instances: 4, metricsRequested: 70, apiCalls: 2, usd: 0.000_7 },
      { pass: 'second-look', volumes: 20, instances: 4, metricsRequested: 10, apiCalls: 2, usd: 0.000_1 },
      { pass: 'fine', volumes: 20, instances: 4, metricsRequested: 30, apiCalls: 2, usd: 0.000_3 },
    ],
  });
});

test('batches that were read at once have none, nor one that could not be read', () => {
  const nothing = { apiCalls: 0, metricsRequested: 0, usd: 0 };
  expect(costOf(nothing, { apiCalls: 2, metricsRequested: 50, usd: 0.000_5 })).toEqual({
    apiCalls: 5,
    metricsRequested: 50,
    usd: 0.000_5,
  });
  expect(costOf(nothing, { ...nothing, passes: [pass('coarse', 30)] }).passes).toHaveLength(1);
});

test('what several batches have to say alike is said once, and how often', () => {
  const hosts: AuditNotice = { code: 'hosts-denied', reason: 'no permission' };
  const instances: AuditNotice = { code: 'instances-not-read', reason: 'no permission' };
  const checks: AuditNotice = { code: 'checks-not-listed', reason: 'no permission' };
  const of = (...incomplete: NotRead[]): AuditResult => {
    const part = aResult([]);
    return { ...part, coverage: { ...part.coverage, incomplete } };
  };
  const { incomplete } = mergeResults([of(hosts), of({ ...hosts, times: 2 }, instances)], {
    ...facts,
    incomplete: [checks],
  }).coverage;
  expect(incomplete).toEqual([checks, { ...hosts, times: 3 }, instances]);
});

test('accounts are those of the batches and those that were read without any', () => {
  const of = (...accounts: string[]): AuditResult => ({ ...aResult([]), accounts });
  const merged = (parts: AuditResult[], accounts: string[] = []) =>
    mergeResults(parts, { ...facts, accounts }).accounts;
  expect(merged([of('2'), of('1', '2')], ['3'])).toEqual(['1', '2', '3']);
  expect(merged([aResult([])])).toBeUndefined();
});
