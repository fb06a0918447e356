/** The audit against a fleet whose every minute is known: what is found, what is missed, what is said in vain. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type AuditResult, auditResultSchema } from '../../core/schemas/audit-result.ts';
import { findingLines } from '../../report/wording/finding-lines.ts';
import { type Comparison, compareWithTruth } from '../compare-with-truth.ts';
import { knownFleet } from '../fixtures/known-fleet.ts';
import { isNoVolumeCheck, type MetricResult, toFiveMinutes } from '../fixtures/replies.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import type { SimulatedFleet } from '../simulator/fleet.ts';
import { writeFleet } from '../simulator/write-fleet.ts';

const directory = temporaryDirectory();

interface Variant {
  name: string;
  seed?: number;
  change?: (results: MetricResult[]) => MetricResult[];
}

const variants: Variant[] = [
  { name: 'the fleet of the demo' },
  { name: 'the same plan with other noise (seed 20261)', seed: 20_261 },
  { name: 'the same plan with other noise (seed 4711)', seed: 4_711 },
  { name: 'the fleet of the demo in five-minute points', change: (results) => results.map(toFiveMinutes) },
];
const withoutChecks: Variant = {
  name: 'the fleet of the demo without the exceeded checks of its volumes',
  change: (results) => results.filter(isNoVolumeCheck),
};

interface Evaluated {
  /** Without its series: they take 200 MB. */
  fleet: Omit<SimulatedFleet, 'regions' | 'causesByVolume' | 'causesByInstance'>;
  result: AuditResult;
  comparison: Comparison;
}

function evaluate({ name, seed, change }: Variant): Evaluated {
  const fleet = knownFleet(seed === undefined ? {} : { seed });
  for (const region of fleet.regions) {
    const { MetricDataResults } = region.getMetricData as { MetricDataResults: MetricResult[] };
    if (change !== undefined) region.getMetricData = { MetricDataResults: change(MetricDataResults) };
  }
  const path = join(directory.path, name);
  writeFleet(fleet, path);
  const files = (file: string): string[] =>
    fleet.regions.map(({ region }) => join(path, region, `${file}.json`));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...[join(__dirname, '../../bin/stripewise.ts'), 'audit', '--json'],
      ...['--volumes', ...files('describe-volumes')],
      ...['--instances', ...files('describe-instances')],
      ...['--metrics', ...files('get-metric-data')],
    ],
    // Of the prices that come with stripewise: what this machine's user refreshed is of another account.
    {
      encoding: 'utf8',
      maxBuffer: 1024 ** 3,
      env: { XDG_CACHE_HOME: join(directory.path, 'cache'), STRIPEWISE_CATALOG_REFRESH: 'off' },
    },
  );
  if (stdout === '') throw new Error(`the audit ended with: ${stderr}`);
  const document = JSON.parse(stdout);
  const result = auditResultSchema.parse(document);
  expect(result).toEqual(document); // nothing in it is unknown to its schema
  const comparison = compareWithTruth(fleet, result);
  const { regions: _, causesByVolume: __, causesByInstance: ___, ...truth } = fleet;
  const evaluated = { fleet: truth, result, comparison };
  process.stdout.write(`${summary(name, evaluated)}\n`);
  return evaluated;
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

function summary(name: string, { fleet, result, comparison }: Evaluated): string {
  const { found, missed, falseWarnings, wrongKind } = comparison;
  const { volumes, evaluated, unknown } = result.coverage;
  return [
    `${name}: ${volumes} volumes = ${evaluated} evaluated + ${unknown.length} unknown`,
    `  troubles found        ${found.length} of ${fleet.troubles.length} (${percent(found.length, fleet.troubles.length)})`,
    ...missed.map(
      ({ resourceId, kind, reason }) =>
        `    missed ${kind} on ${resourceId}: ${reason ?? 'evaluated, not seen'}`,
    ),
    `  false warnings        ${falseWarnings.length} on ${fleet.healthyVolumeIds.length} healthy volumes`,
    ...falseWarnings.map(({ kind, resource }) => `    false ${kind} on ${resource.id}`),
    `  of a kind that is not ${wrongKind.length}`,
    ...wrongKind.map(({ kind, resource }) => `    ${kind} on ${resource.id}`),
  ].join('\n');
}

describe.each(variants)('$name', (variant) => {
  let evaluated: Evaluated;
  beforeAll(() => {
    evaluated = evaluate(variant);
  });

  test('is large and mixed: 60 volumes, 20 instances, two Regions, all seven types', () => {
    const { volumes, coverage } = evaluated.result;
    expect(volumes.length).toBeGreaterThanOrEqual(60);
    expect(coverage.instances.total).toBeGreaterThanOrEqual(20);
    expect(new Set(volumes.map(({ region }) => region))).toEqual(new Set(['us-east-1', 'eu-central-1']));
    for (const type of ['gp2', 'gp3', 'io1', 'io2', 'st1', 'sc1', 'standard']) {
      expect(volumes.map(({ volumeType }) => volumeType)).toContain(type);
    }
  });

  test('each volume is evaluated, or unknown with a reason; the counts add up to the inventory', () => {
    const { coverage, volumes } = evaluated.result;
    expect(coverage.evaluated + coverage.unknown.length).toBe(coverage.volumes);
    expect(coverage.volumes).toBe(volumes.length);
    expect(coverage.unknown.map(({ volumeId }) => volumeId).sort()).toEqual(
      [...evaluated.fleet.unknownVolumeIds].sort(),
    );
    for (const { reason } of coverage.unknown) expect(reason).not.toBe('');
  });

  test('the totals are there, and add up', () => {
    const { summary, findings } = evaluated.result;
    const counted = Object.values(summary.findingsBySeverity).reduce((sum, count) => sum + count, 0);
    expect(counted).toBe(findings.length);
    expect(summary.possibleSavingsMonthlyUsd).toBeGreaterThan(1_000);
    expect(summary.throttledMinutesPeak24h).toBeGreaterThan(1_000);
  });

  test('at least 95 % of the troubles are found, and the others are on what is listed as not evaluated', () => {
    const { found, missed } = evaluated.comparison;
    expect(found.length).toBeGreaterThanOrEqual(0.95 * evaluated.fleet.troubles.length);
    expect(missed.filter(({ reason }) => reason === null)).toEqual([]);
  });

  test('healthy volumes are silent, and no trouble is given another name', () => {
    expect(evaluated.comparison.falseWarnings).toEqual([]);
    expect(evaluated.comparison.wrongKind).toEqual([]);
  });

  test('every finding carries evidence, how sure it is, and lines that read', () => {
    for (const finding of evaluated.result.findings) {
      for (const { text } of findingLines(finding)) expect(text).not.toMatch(/undefined|NaN|null/);
      expect(['high', 'medium', 'low']).toContain(finding.confidence);
    }
    const ids = evaluated.result.findings.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe(withoutChecks.name, () => {
  test('what the queue shows is found all the same, and nothing healthy is accused', () => {
    const { fleet, comparison } = evaluate(withoutChecks);
    expect(comparison.found.length).toBeGreaterThanOrEqual(0.95 * fleet.troubles.length);
    expect(comparison.falseWarnings).toEqual([]);
    expect(comparison.wrongKind).toEqual([]);
  });
});
