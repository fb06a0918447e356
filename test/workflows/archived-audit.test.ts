/** The deployed audit with an archive, in a local AWS: what it finds, what it reads again, and what the archive then holds. */
import type { ArchiveBucket } from '../../adapters/archive/bucket.ts';
import { dayOf, fleetDaysKey, stagingPrefix } from '../../core/archive/keys.ts';
import { groupBy } from '../../core/group-by.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { fleetDaysSchema } from '../../core/schemas/fleet-days.ts';
import { compareWithTruth } from '../compare-with-truth.ts';
import { byId, resultOf } from './compare-runs.ts';
import { archiveOf, globbed } from './globbed-archive.ts';
import { type LocalDeployment, localDeployment } from './local-deployment.ts';

let deployment: LocalDeployment;
let store: ArchiveBucket;
let live: AuditResult;
let first: AuditResult;
let again: AuditResult;
/** What the archive holds after the three runs. */
let held: Awaited<ReturnType<typeof globbed>>;

beforeAll(async () => {
  deployment = await localDeployment({ stack: 'archive', withoutSchedules: true });
  store = archiveOf(deployment);
  live = resultOf(await deployment.run({ notify: false }));
  // Usual ones: the fleet by day is of these alone.
  first = resultOf(await deployment.run({ periodSeconds: undefined, notify: true }));
  again = resultOf(await deployment.run({ periodSeconds: undefined, notify: true }));
  held = await globbed(store);
}, 600_000);
afterAll(() => deployment?.remove(), 240_000);

const notified = (result: AuditResult): string[] =>
  byId(result).map(({ id, kind, severity }) => `${id} ${kind} ${severity}`);

test('finds what a run finds that reads all of its window from CloudWatch', () => {
  expect(notified(first)).toEqual(notified(live));
  expect(notified(again)).toEqual(notified(live));
  const { falseWarnings, wrongKind } = compareWithTruth(deployment.fleet, again);
  expect([...falseWarnings, ...wrongKind]).toEqual([]);
  expect(again.coverage.incomplete).toEqual(live.coverage.incomplete);
});

test('a second run asks for the same metrics, and only for points that are not settled', () => {
  expect(again.cost.metricsRequested).toBe(first.cost.metricsRequested);
  // Of 26 hours the last three are read again.
  expect(again.cost.points ?? Number.NaN).toBeLessThan((first.cost.points ?? Number.NaN) / 4);
});

test('the archive holds each minute once, with what evaluation says of it; nothing is left staged', async () => {
  expect(await store.list(stagingPrefix)).toEqual([]);
  const all = groupBy(
    held.map(({ minutes }) => minutes),
    ({ resourceId }) => resourceId,
  );
  const throttled = new Map<string, number>();
  for (const [resourceId, pieces] of all) {
    const status = pieces.flatMap(({ evaluation }) => evaluation?.status ?? []);
    const minutes = status.filter((one) => one === 'throttled').length;
    if (minutes > 0) throttled.set(resourceId, minutes);
  }
  const found = again.findings.filter(({ kind }) => kind === 'throttled-volume-iops');
  expect(found.length).toBeGreaterThan(0);
  for (const { resource } of found)
    if (resource.type === 'volume') expect([...throttled.keys()]).toContain(resource.id);
  const healthy = again.volumes.filter(({ evaluatedBy }) => evaluatedBy === 'coarse');
  expect(healthy.length).toBeGreaterThan(0);
  for (const { volumeId } of healthy) {
    expect(throttled.get(volumeId)).toBeUndefined();
    // Its rates, which nobody asked for to evaluate it.
    expect(all.get(volumeId)?.some(({ metrics }) => metrics.has('VolumeReadOps'))).toBe(true);
  }
});

test('the fleet by day has what the archive has, beside its tables', async () => {
  const object = await store.open(fleetDaysKey);
  const { days } = fleetDaysSchema.parse(
    JSON.parse(Buffer.from((await object?.slice(0)) ?? new ArrayBuffer(0)).toString()),
  );
  const throttled = new Map<string, number>();
  for (const { minutes } of held) {
    const { resourceType, epochSeconds, evaluation } = minutes;
    for (const [i, time] of epochSeconds.entries()) {
      const status = evaluation?.status[i] ?? null;
      if (resourceType !== 'volume' || status === null || status === 'unknown') continue;
      throttled.set(dayOf(time), (throttled.get(dayOf(time)) ?? 0) + (status === 'throttled' ? 1 : 0));
    }
  }
  expect(new Map(days.map(({ day, throttledMinutes }) => [day, throttledMinutes]))).toEqual(throttled);
  const usd = again.volumes.reduce((sum, { monthlyUsd }) => sum + (monthlyUsd ?? 0), 0);
  const [fleet, ...others] = days.flatMap((one) => one.fleet ?? []);
  expect(others).toEqual([]);
  expect(fleet?.usdMonth).toBeCloseTo(usd, 6);
  expect(fleet?.findings).toEqual(again.summary.findingsBySeverity);
  expect(again.fleetWeeks?.at(-1)?.fleet?.usdMonth).toBeCloseTo(usd, 6);
  // Of a run that is none of the usual ones nothing is kept.
  expect(live.fleetWeeks).toBeUndefined();
  expect(first.fleetWeeks).toEqual(again.fleetWeeks);
});
