/** The audit against a fleet whose every minute is known: what is found, what is missed, what is said in vain. */
import { join } from 'node:path';
import { type AuditResult, auditResultSchema } from '../core/schemas/audit-result.ts';
import { runCli } from './cli/run-cli.ts';
import { type Comparison, compareWithTruth } from './compare-with-truth.ts';
import { temporaryDirectory } from './fixtures/temporary-directory.ts';
import { type SimulatedFleet, simulateFleet } from './simulator/fleet.ts';
import { writeFleet } from './simulator/write-fleet.ts';

const directory = temporaryDirectory();
/** The demo’s fleet, and the same plan with other noise, which nobody looked at while the engine was written. */
const seeds = [undefined, 20_261, 4_711];

interface Judged {
  fleet: SimulatedFleet;
  result: AuditResult;
  comparison: Comparison;
}

function judge(seed: number | undefined): Judged {
  const fleet = simulateFleet(seed === undefined ? {} : { seed });
  const path = join(directory.path, `fleet-${seed ?? 'demo'}`);
  writeFleet(fleet, path);
  const files = (name: string): string[] =>
    fleet.regions.map(({ region }) => join(path, region, `${name}.json`));
  const { out } = runCli(
    'audit',
    '--json',
    ...['--volumes', ...files('describe-volumes')],
    ...['--instances', ...files('describe-instances')],
    ...['--metrics', ...files('get-metric-data')],
  );
  const result = auditResultSchema.parse(JSON.parse(out));
  return { fleet, result, comparison: compareWithTruth(fleet, result) };
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

function summary(seed: number | undefined, { fleet, result, comparison }: Judged): string {
  const { found, missed, falseWarnings, wrongKind } = comparison;
  const { volumes, judged, unknown } = result.coverage;
  return [
    `fleet ${seed ?? 'of the demo'}: ${volumes} volumes = ${judged} judged + ${unknown.length} unknown`,
    `  troubles found        ${found.length} of ${fleet.troubles.length} (${percent(found.length, fleet.troubles.length)})`,
    ...missed.map(
      ({ resourceId, kind, because }) =>
        `    missed ${kind} on ${resourceId}: ${because ?? 'judged, not seen'}`,
    ),
    `  false warnings        ${falseWarnings.length} on ${fleet.healthyVolumeIds.length} healthy volumes`,
    ...falseWarnings.map(({ kind, resource }) => `    false ${kind} on ${resource.volumeId}`),
    `  of a kind that is not ${wrongKind.length}`,
    ...wrongKind.map(({ kind, resource }) => `    ${kind} on ${resource.volumeId ?? resource.instanceId}`),
  ].join('\n');
}

describe.each(seeds)('simulated fleet, seed %s', (seed) => {
  let judged: Judged;
  beforeAll(() => {
    judged = judge(seed);
    process.stdout.write(`${summary(seed, judged)}\n`);
  });

  test('is large and mixed: 60 volumes, 20 instances, two Regions, all seven types', () => {
    const { volumes, coverage } = judged.result;
    expect(volumes.length).toBeGreaterThanOrEqual(60);
    expect(coverage.instances.total).toBeGreaterThanOrEqual(20);
    expect(new Set(volumes.map(({ region }) => region))).toEqual(new Set(['us-east-1', 'eu-central-1']));
    for (const type of ['gp2', 'gp3', 'io1', 'io2', 'st1', 'sc1', 'standard']) {
      expect(volumes.map(({ volumeType }) => volumeType)).toContain(type);
    }
  });

  test('each volume is judged, or unknown with a reason; the counts add up to the inventory', () => {
    const { coverage, volumes } = judged.result;
    expect(coverage.judged + coverage.unknown.length).toBe(coverage.volumes);
    expect(coverage.volumes).toBe(volumes.length);
    expect(coverage.unknown.map(({ volumeId }) => volumeId).sort()).toEqual(
      [...judged.fleet.unknownVolumeIds].sort(),
    );
    for (const { because } of coverage.unknown) expect(because).not.toBe('');
  });

  test('at least 95 % of the troubles are found', () => {
    const { found } = judged.comparison;
    expect(found.length).toBeGreaterThanOrEqual(0.95 * judged.fleet.troubles.length);
  });

  test('healthy volumes are silent: at most one false warning in fifty', () => {
    const { falseWarnings } = judged.comparison;
    expect(falseWarnings.length).toBeLessThanOrEqual(judged.fleet.healthyVolumeIds.length / 50);
  });

  test('every finding carries a reason, evidence and how sure it is', () => {
    for (const finding of judged.result.findings) {
      expect(finding.reason).not.toMatch(/undefined|NaN|null/);
      expect(['high', 'medium', 'low']).toContain(finding.evidence['confidence']);
    }
    const ids = judged.result.findings.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
