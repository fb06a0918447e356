/** How many of our files one has to read to follow a batch: those whose functions it executes, by V8's coverage. */
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { knownFleet } from '../../test/fixtures/known-fleet.ts';
import { regionsBothWays } from '../../test/fixtures/two-passes.ts';
import type { Measure } from './measure.ts';

const root = pathToFileURL(join(import.meta.dirname, '../../')).href;
/** What reads the fleet for it stands in for CloudWatch. */
const counted = /^(core|lambdas|report)\//;

export async function filesOfABatch(): Promise<Measure[]> {
  const fleet = knownFleet();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true });
  const { two } = await regionsBothWays(fleet.regions, fleet);
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const executed = result.filter(
    ({ url, functions }) =>
      url.startsWith(root) &&
      counted.test(url.slice(root.length)) &&
      functions.some(({ ranges: [range] }) => (range?.count ?? 0) > 0 && range?.startOffset !== 0),
  );
  const kinds = new Set(two.findings.map(({ kind }) => kind));
  return [
    {
      name: 'files-of-a-batch',
      value: executed.length,
      unit: 'files of ours',
      conditions: `whose functions one batch executes, in one pass and in two: ${two.volumes.length} simulated volumes, ${two.findings.length} findings of ${kinds.size} kinds`,
    },
  ];
}
