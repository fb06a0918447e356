import { volumeTypes } from '../../core/limits/volume-limits.ts';
import { type SimulatedFleet, simulateFleet } from './fleet.ts';
import { setupKinds, type TroubleKind, troubleKinds, type VolumePlan } from './plan.ts';
import { fleetPlan } from './plans/index.ts';
import type { MetricDataResult } from './series.ts';
import { instanceIdOf, simulateInstance, volumeIdOf } from './simulate.ts';

const seed = 1;
const fleet = simulateFleet({ seed });
const minutes = 26 * 60;

const resultsOf = (one: SimulatedFleet): MetricDataResult[] =>
  one.regions.flatMap(
    ({ getMetricData }) => (getMetricData as { MetricDataResults: MetricDataResult[] }).MetricDataResults,
  );

const results = resultsOf(fleet);
const named = (name: string): string => volumeIdOf({ name, volumeType: 'gp3', sizeGiB: 1 }, seed);
const metricsOf = (id: string): string[] =>
  results.filter((one) => one.Label.startsWith(`${id} `)).map((one) => one.Label.split(' ')[1] ?? '');
const find = (label: string): MetricDataResult | undefined => results.find((one) => one.Label === label);
const resourceIds = (kind: TroubleKind, one = fleet): string[] =>
  one.troubles.filter((trouble) => trouble.kind === kind).map((trouble) => trouble.resourceId);

/** Values in ascending order of time, whatever the Region prints. */
const valuesOf = (label: string): number[] => {
  const found = find(label);
  if (found === undefined) throw new Error(`no series ${label}`);
  const descending = (found.Timestamps[0] ?? '') > (found.Timestamps.at(-1) ?? '');
  return descending ? found.Values.toReversed() : [...found.Values];
};

const hosts = fleetPlan.instances;
const attached = hosts.flatMap((host) => host.volumes.map((volume) => ({ host, volume })));
const allVolumes: VolumePlan[] = [
  ...attached.map(({ volume }) => volume),
  ...fleetPlan.loose.flatMap((place) => place.volumes),
];
const unknownQuirks = ['no-metrics', 'unheard-type', 'creating'];
const meantUnknown = (volume: VolumePlan): boolean =>
  (volume.load === undefined && volume.planted !== 'unattached') ||
  (volume.quirks ?? []).some((quirk) => unknownQuirks.includes(quirk));

describe('the fleet', () => {
  test('is as large and as mixed as it has to be', () => {
    expect(fleet.causesByVolume.size).toBe(allVolumes.length);
    expect(allVolumes.length).toBeGreaterThanOrEqual(100);
    expect(fleet.causesByInstance.size).toBeGreaterThanOrEqual(20);
    expect(new Set(allVolumes.map((volume) => volume.volumeType))).toEqual(new Set(volumeTypes));
    expect(fleet.regions.map(({ region }) => region)).toEqual(['us-east-1', 'eu-central-1']);
    for (const { region } of fleet.regions) {
      expect(hosts.filter((host) => host.region === region).length).toBeGreaterThanOrEqual(10);
    }
    expect(fleet.healthyVolumeIds.length - fleet.activeTimeRateOnlyVolumeIds.length).toBeGreaterThanOrEqual(
      60,
    );
    expect(fleet.unknownVolumeIds).toHaveLength(5);
  });

  test('covers 26 hours up to 2026-11-20T00:00:00Z', () => {
    expect(new Date(fleet.endEpochSeconds * 1_000).toISOString()).toBe('2026-11-20T00:00:00.000Z');
    expect(fleet.endEpochSeconds - fleet.startEpochSeconds).toBe(26 * 3_600);
    for (const causes of fleet.causesByVolume.values()) expect(causes).toHaveLength(minutes);
  });

  test('gives every resource an id of its own', () => {
    const ids = [...fleet.causesByVolume.keys(), ...fleet.causesByInstance.keys()];
    expect(new Set(ids).size).toBe(allVolumes.length + hosts.length);
    for (const id of fleet.causesByVolume.keys()) expect(id).toMatch(/^vol-0[0-9a-f]{16}$/);
  });

  test('has at least three of each kind planted, 36 and more in all, each on a resource of its own', () => {
    const planted = fleet.troubles.filter((trouble) => trouble.intended);
    expect(planted.length).toBeGreaterThanOrEqual(36);
    expect(new Set(planted.map((trouble) => trouble.resourceId)).size).toBe(planted.length);
    for (const kind of troubleKinds) {
      expect({ kind, enough: planted.filter((trouble) => trouble.kind === kind).length >= 3 }).toEqual({
        kind,
        enough: true,
      });
    }
    for (const kind of setupKinds) expect(planted.map((trouble) => trouble.kind)).toContain(kind);
  });

  test('throttles some for a few minutes and some for an hour and more', () => {
    const throttledMinutes = resourceIds('throttled-volume-iops').map(
      (id) => fleet.causesByVolume.get(id)?.filter((cause) => cause === 'volume-iops').length ?? 0,
    );
    expect(throttledMinutes.filter((count) => count >= 60).length).toBeGreaterThanOrEqual(3);
    expect(throttledMinutes.filter((count) => count >= 5 && count < 60).length).toBeGreaterThanOrEqual(3);
  });
});

describe.each([1, 2, 3])('the truth of seed %i', (one) => {
  const other = one === seed ? fleet : simulateFleet({ seed: one });

  test('has what was planted, where it was planted', () => {
    const demand = [
      ...hosts.map(({ name, planted }) => ({ name, planted, id: instanceIdOf(name, one) })),
      ...allVolumes.map((volume) => ({ ...volume, id: volumeIdOf(volume, one) })),
    ].filter(({ planted }) => planted !== undefined);
    const missing = demand.filter(
      ({ id, planted }) =>
        !other.troubles.some((trouble) => trouble.resourceId === id && trouble.kind === planted),
    );
    expect(missing.map(({ name, planted }) => `${name} ${planted}`)).toEqual([]);
  });

  test('is quiet where nothing was planted', () => {
    const meantHealthy = allVolumes.filter((volume) => volume.planted === undefined && !meantUnknown(volume));
    expect(new Set(other.healthyVolumeIds)).toEqual(
      new Set(meantHealthy.map((volume) => volumeIdOf(volume, one))),
    );
    expect(new Set(other.unknownVolumeIds)).toEqual(
      new Set(allVolumes.filter(meantUnknown).map((volume) => volumeIdOf(volume, one))),
    );
  });

  test('has no trouble that only follows from the words but the throttling of frequent micro-bursts', () => {
    const ofLoad = other.troubles.filter(({ kind }) => !(setupKinds as readonly string[]).includes(kind));
    for (const { resourceId, kind } of ofLoad.filter((trouble) => !trouble.intended)) {
      expect(kind).toBe('throttled-volume-iops');
      expect(resourceIds('micro-burst', other)).toContain(resourceId);
    }
  });
});

test('an instance that throttles is near its limit in each such minute, so that no reading calls it a micro-burst', () => {
  const window = { startEpochSeconds: 0, minutes, seed };
  for (const host of hosts.filter(({ planted }) => troubleKinds.some((kind) => kind === planted))) {
    const { ledger, limits } = simulateInstance(host, window);
    const slack = Array.from(ledger.cause.keys()).filter((minute) => {
      const iops = (ledger.servedIo[minute] ?? 0) / 60;
      const mibps = (ledger.servedMiB[minute] ?? 0) / 60;
      return (
        ledger.cause[minute] !== 0 && iops < 0.8 * limits.baselineIops && mibps < 0.8 * limits.baselineMiBps
      );
    });
    expect({ host: host.name, slack: slack.length }).toEqual({ host: host.name, slack: 0 });
  }
});

test('the same seed gives the same fleet, another seed another', () => {
  const again = simulateFleet({ seed, hours: 2 });
  expect(simulateFleet({ seed, hours: 2 })).toEqual(again);
  expect(resultsOf(simulateFleet({ seed: 2, hours: 2 }))[0]).not.toEqual(resultsOf(again)[0]);
});

test('what costs money is a trouble where prices are known, and only there', () => {
  const region = (one: SimulatedFleet): (string | undefined)[] =>
    one.troubles.filter(({ kind }) => kind === 'unreachable-performance').map((trouble) => trouble.region);
  expect(new Set(region(fleet))).toEqual(new Set(['us-east-1']));
  const priceFactors = { 'us-east-1': 1, 'eu-central-1': 1.19 };
  const both = simulateFleet({ seed, hours: 2, priceFactors });
  expect(new Set(region(both))).toEqual(new Set(['us-east-1', 'eu-central-1']));
});

test('a shorter window keeps its end', () => {
  const short = simulateFleet({ seed, hours: 3 });
  expect(short.endEpochSeconds).toBe(fleet.endEpochSeconds);
  expect(resourceIds('credits-will-exhaust', short).length).toBeGreaterThanOrEqual(2);
  expect(resourceIds('idle', short)).toEqual([]);
});

describe('the metrics', () => {
  const classic = [
    'VolumeReadOps',
    'VolumeWriteOps',
    'VolumeReadBytes',
    'VolumeWriteBytes',
    'VolumeQueueLength',
  ];
  const times = ['VolumeTotalReadTime', 'VolumeTotalWriteTime', 'VolumeIdleTime'];
  const exceeded = ['VolumeIOPSExceededCheck', 'VolumeThroughputExceededCheck'];
  const stalled = 'VolumeStalledIOCheck';

  test.each([
    { what: 'gp3 on Nitro', name: 'orders-wal', metrics: [...classic, ...times, stalled, ...exceeded] },
    {
      what: 'gp2 below 1,000 GiB',
      name: 'batch-root',
      metrics: [...classic, ...times, 'BurstBalance', stalled, ...exceeded],
    },
    { what: 'gp2 of 1,000 GiB', name: 'crm-history', metrics: [...classic, ...times, stalled, ...exceeded] },
    { what: 'st1', name: 'eu-scan', metrics: [...classic, ...times, 'BurstBalance', stalled, ...exceeded] },
    { what: 'standard', name: 'magnetic-ledger', metrics: [...classic, ...times, stalled] },
    { what: 'Multi-Attach', name: 'cluster-shared', metrics: [...classic, stalled] },
    { what: 'Xen', name: 'erp-tables', metrics: [...classic, ...times] },
    { what: 'Outposts', name: 'pos-journal', metrics: [...classic, ...times] },
    { what: 'a stopped instance', name: 'retired-data', metrics: [] },
    { what: 'nothing attached', name: 'left-big', metrics: [] },
  ])('of $what', ({ name, metrics }) => {
    expect(metricsOf(named(name)).toSorted()).toEqual(metrics.toSorted());
  });

  test('of instances exist on Nitro, and the balances where the type bursts', () => {
    const checks = ['InstanceEBSIOPSExceededCheck', 'InstanceEBSThroughputExceededCheck'];
    expect(metricsOf(instanceIdOf('pricing', seed))).toEqual(checks);
    expect(metricsOf(instanceIdOf('sessions', seed))).toEqual([
      ...checks,
      'EBSIOBalance%',
      'EBSByteBalance%',
    ]);
    expect(metricsOf(instanceIdOf('intranet', seed))).toEqual([]);
    expect(metricsOf(instanceIdOf('outpost-pos', seed))).toEqual([]);
    const balance = valuesOf(`${instanceIdOf('sessions', seed)} EBSIOBalance%`);
    expect(balance).toHaveLength(minutes / 5);
    expect(Math.min(...balance)).toBe(0);
  });

  test('show the checks of the minutes in which the volume throttled, and of no innocent volume', () => {
    for (const [id, causes] of fleet.causesByVolume) {
      if (find(`${id} VolumeIOPSExceededCheck`) === undefined) continue;
      const quirky = [named('crm-gap'), named('crm-repeats')].includes(id);
      if (quirky) continue;
      const iops = valuesOf(`${id} VolumeIOPSExceededCheck`);
      const bytes = valuesOf(`${id} VolumeThroughputExceededCheck`);
      const wrong = causes.filter((cause, minute) => {
        const checked = iops[minute] === 1 || bytes[minute] === 1;
        return cause.startsWith('volume-') !== checked;
      });
      expect({ id, wrong }).toEqual({ id, wrong: [] });
    }
  });

  test('show a stall as a queue without operations', () => {
    const id = named('web-files');
    const minute = fleet.causesByVolume.get(id)?.indexOf('stalled') ?? -1;
    expect(valuesOf(`${id} VolumeReadOps`)[minute]).toBe(0);
    expect(valuesOf(`${id} VolumeStalledIOCheck`)[minute]).toBe(1);
    expect(valuesOf(`${id} VolumeQueueLength`)[minute]).toBeGreaterThan(10);
    expect(valuesOf(`${id} VolumeIdleTime`)[minute]).toBe(0);
  });

  test('leave out the balance of idle minutes, and on Xen the bytes and times of inactive ones', () => {
    const light = find(`${named('small-light')} BurstBalance`);
    expect(light?.Values.length).toBeLessThan(minutes);
    const bytes = find(`${named('erp-archive')} VolumeReadBytes`);
    expect(bytes?.Values).toHaveLength(60);
    expect(find(`${named('erp-archive')} VolumeReadOps`)?.Values).toHaveLength(minutes);
  });

  test('come oldest first in one Region and newest first in the other', () => {
    const us = find(`${named('orders-wal')} VolumeReadOps`)?.Timestamps;
    const eu = find(`${named('eu-data')} VolumeReadOps`)?.Timestamps;
    expect([us?.[0], us?.at(-1)]).toEqual(['2026-11-18T22:00:00+00:00', '2026-11-19T23:59:00+00:00']);
    expect([eu?.[0], eu?.at(-1)]).toEqual(['2026-11-19T23:59:00+00:00', '2026-11-18T22:00:00+00:00']);
  });

  test('carry what replies can carry: a gap, repeats, a series in two entries', () => {
    expect(find(`${named('crm-gap')} VolumeReadOps`)?.Timestamps).toHaveLength(minutes - 60);
    const repeated = find(`${named('crm-repeats')} VolumeReadOps`)?.Timestamps ?? [];
    expect(repeated).toHaveLength(minutes + 5);
    expect(new Set(repeated).size).toBe(minutes);
    const split = results.filter((one) => one.Label === `${named('crm-data')} VolumeReadOps`);
    expect(split.map((one) => [one.StatusCode, one.Values.length])).toEqual([
      ['PartialData', 520],
      ['Complete', 1_040],
    ]);
  });

  test('are finite, not negative, and as many as their timestamps', () => {
    for (const { Label, Timestamps, Values } of results) {
      const odd = Values.filter((value) => !(Number.isFinite(value) && value >= 0));
      expect({ Label, odd, same: Timestamps.length === Values.length }).toEqual({
        Label,
        odd: [],
        same: true,
      });
    }
  });
});
