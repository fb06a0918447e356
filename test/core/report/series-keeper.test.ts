/** A whole simulated fleet, evaluated: of what was found the series are kept, of all else nothing. */

import { audit } from '../../../core/audit/audit.ts';
import { queriesOfBatch } from '../../../core/audit/batches.ts';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { MetricCollector } from '../../../core/load/metrics.ts';
import type { ResourceSeries } from '../../../core/report/resource-series.ts';
import { keepSeries } from '../../../core/report/series-keeper.ts';
import type { AuditResult } from '../../../core/schemas/audit-result.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import { evidenceIn } from '../../fixtures/findings.ts';
import { simulatedAccount } from '../../fixtures/simulated-account.ts';

const series = new Map<string, ResourceSeries>();
let result: AuditResult;

beforeAll(async () => {
  const { volumes, instances, plan, readMetrics } = simulatedAccount();
  const collector = new MetricCollector(60);
  await readMetrics(queriesOfBatch({ volumes, instances, published: null }, 60), plan, () => collector);
  result = audit({
    runId: 'run-1',
    inventory: { volumes, instances },
    read: { metrics: collector.finish(), window: plan },
    rules: { regionCatalogs: builtInRegionCatalog, thresholds: defaultThresholds },
    onEvaluated: keepSeries((one) => series.set(one.resourceId, one)),
  });
});

const foundOn = (kind: Finding['kind']): Finding[] => result.findings.filter((one) => one.kind === kind);
const seriesOf = (finding: Finding): ResourceSeries => series.get(finding.resource.id) as ResourceSeries;
const sum = (column: readonly (number | null)[]): number =>
  column.reduce<number>((total, one) => total + (one ?? 0), 0);

test('each volume, stripe and instance whose load was found wanting has its series', () => {
  const withLoad = result.findings.filter(({ evidence }) => 'throttledMinutesInWindow' in evidence);
  expect(withLoad.length).toBeGreaterThan(5);
  for (const finding of withLoad) expect(seriesOf(finding)).toBeDefined();
});

test('what was found healthy has none', () => {
  const found = new Set(result.findings.map(({ resource }) => resource.id));
  expect([...series.keys()].filter((id) => !found.has(id))).toEqual([]);
});

test('the minutes that are drawn as throttled are those of the finding', () => {
  const [first, ...others] = foundOn('throttled-volume-iops').filter(
    ({ resource }) => resource.type === 'volume',
  );
  for (const finding of [first as Finding, ...others])
    expect(sum(seriesOf(finding).whole.throttled.minutes)).toBeGreaterThanOrEqual(
      evidenceIn(finding).throttledMinutesInWindow as number,
    );
});

test('what the top recommendation would let through stands beside the limit of today', () => {
  const [first] = foundOn('throttled-volume-iops').filter(
    ({ recommendations: [first] }) => first?.change?.of === 'volume',
  );
  const { recommended, limits } = seriesOf(first as Finding);
  expect(recommended[(first as Finding).id]?.iops).toBeGreaterThan(limits?.baselineIops as number);
});

test('an instance is drawn against what its type can do', () => {
  const [first] = [...foundOn('throttled-instance-iops'), ...foundOn('throttled-instance-throughput')];
  const { kind, limits } = seriesOf(first as Finding);
  expect(kind).toBe('instance');
  expect(limits?.baselineIops).toBeGreaterThan(0);
});
