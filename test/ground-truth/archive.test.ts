/** The fleet of the demo, kept as an archive and evaluated from it: what is found is what the files gave. */
import { join } from 'node:path';
import { auditResultSchema } from '../../core/schemas/audit-result.ts';
import { runCli } from '../cli/run-cli.ts';
import { compareWithTruth } from '../compare-with-truth.ts';
import { knownFleet } from '../fixtures/known-fleet.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { writeFleet } from '../simulator/write-fleet.ts';

const directory = temporaryDirectory();
const fleet = knownFleet();

test('the ground truth from the archive is that of the files', async () => {
  const { path } = directory;
  writeFleet(fleet, path);
  const files = (name: string): string[] =>
    fleet.regions.map(({ region }) => join(path, region, `${name}.json`));
  const described = [
    '--volumes',
    ...files('describe-volumes'),
    '--instances',
    ...files('describe-instances'),
  ];
  const archive = join(path, 'archive');
  const audited = async (...options: string[]) => {
    const { out, err } = await runCli('audit', '--json', ...described, ...options);
    if (out === '') throw new Error(err);
    return auditResultSchema.parse(JSON.parse(out));
  };
  const before = await audited('--metrics', ...files('get-metric-data'), '--save', archive);
  const after = await audited('--archive', archive, '--lookback-days', String(26 / 24));
  expect(after.window).toEqual(before.window);
  const byId = <T extends { id: string }>(all: readonly T[]): T[] =>
    [...all].sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(byId(after.findings)).toEqual(byId(before.findings));
  // Points that files have twice are in the archive once.
  const once = before.volumes.map((volume) => ({ ...volume, repeatedPoints: 0 }));
  expect(once).not.toEqual(before.volumes);
  expect(after.volumes).toEqual(once);
  expect(after.summary).toEqual(before.summary);
  const { missed, falseWarnings, found } = compareWithTruth(fleet, after);
  expect(falseWarnings).toEqual([]);
  expect(missed.filter(({ reason }) => reason === null)).toEqual([]);
  expect(found.length).toBeGreaterThan(50);
}, 300_000);
