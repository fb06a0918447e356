/** Volumes that may be one stripe: who waits longer than the others, and who only looks alike. */

import { isUneven, lookingAlike, withOneLoad } from '../../../../core/audit/passes/groups.ts';
import { defaultThresholds } from '../../../../core/diagnosis/thresholds.ts';
import type { Series } from '../../../../core/load/series.ts';
import { aVolume } from '../../../fixtures/inventory.ts';
import { during, type Metrics, minutes, quiet, runPasses } from './run-passes.ts';

const times = Float64Array.from({ length: 60 }, (_, i) => i * 60);
const series = (value: (minute: number) => number, epochSeconds = times): Series => ({
  periodSeconds: 60,
  epochSeconds,
  values: epochSeconds.map((_, i) => value(i)),
});
const four = (last: (minute: number) => number): Series[] =>
  [() => 0.8, () => 0.8, () => 0.8, last].map((value) => series(value));

test('one member at twice its siblings for five minutes is uneven; for four it is not, nor a little above them', () => {
  const above = (length: number, factor: number) => (i: number) => (i < length ? 0.8 * factor : 0.8);
  expect(isUneven(four(above(5, 2)), defaultThresholds)).toBe(true);
  expect(isUneven(four(above(4, 2)), defaultThresholds)).toBe(false);
  expect(isUneven(four(above(60, 1.9)), defaultThresholds)).toBe(false);
});

test('less than one operation a second of a millisecond is no load: 0.001 in flight', () => {
  const light = (last: number) => [0.0001, 0.0001, last].map((value) => series(() => value));
  expect(isUneven(light(0.000_9), defaultThresholds)).toBe(false);
  expect(isUneven(light(0.001), defaultThresholds)).toBe(true);
});

test('queues of different times cannot be compared: they are looked at', () => {
  const later = times.map((time) => time + 60);
  expect(isUneven([series(() => 0.1), series(() => 0.1, later)], defaultThresholds)).toBe(true);
});

test('alike are volumes of the same type, size and figures', () => {
  const volumes = [
    aVolume({ volumeId: 'vol-1' }),
    aVolume({ volumeId: 'vol-2', sizeGiB: 200 }),
    aVolume({ volumeId: 'vol-3' }),
  ];
  expect(lookingAlike(volumes).map((group) => group.map(({ volumeId }) => volumeId))).toEqual([
    ['vol-1', 'vol-3'],
  ]);
});

describe('queues that tell volumes with loads of their own apart', () => {
  const parts = (...queues: ((minute: number) => number)[]): number[][] =>
    withOneLoad(
      [...queues.keys()],
      (member) => series(queues[member] as (minute: number) => number),
      defaultThresholds,
    );
  const wave = (i: number) => 0.1 + 0.09 * Math.sin(i);

  test('each is twice the other at some time, and one of them in half of it', () => {
    expect(parts(wave, (i) => 0.2 - wave(i))).toEqual([[0], [1]]);
  });

  test('one that always waits longer may be the straggler of a stripe', () => {
    expect(parts(wave, (i) => 4 * wave(i))).toEqual([[0, 1]]);
  });

  test('so may one that waits longer for some time, while another does at another', () => {
    const slow = (from: number) => (i: number) => (i >= from && i < from + 8 ? 3 : 1) * wave(i);
    expect(parts(slow(0), slow(20))).toEqual([[0, 1]]);
  });

  test('who is like any of a group is with it', () => {
    expect(parts(wave, (i) => 0.2 - wave(i), wave)).toEqual([[1], [0, 2]]);
  });
});

describe('in the passes', () => {
  const three = [1, 2, 3].map((n) => aVolume({ volumeId: `vol-${n}` }));
  const run = (metrics: Record<string, Metrics>, volumes = three, host = {}) => {
    const { suspectedBy, secondRead } = runPasses({ volumes, metrics, ...host });
    return {
      by: volumes.map(({ volumeId }) => suspectedBy(volumeId)),
      asked: secondRead.filter((query) => query.startsWith('vol-')),
    };
  };
  /** A load as a stripe deals it out: it rises and falls, and all members do the same. */
  const dealt = (minute: number): number => 3_000 + 2_000 * Math.sin((6 * Math.PI * minute) / minutes);
  const member: Metrics = {
    ...quiet,
    VolumeQueueLength: 0.02,
    VolumeReadOps: dealt,
    VolumeReadBytes: (minute) => dealt(minute) * 16_384,
  };
  const waits: Metrics = { ...member, VolumeQueueLength: during(600, 10, 0.06, 0.02) };
  const stripe = { 'vol-1': member, 'vol-2': member, 'vol-3': member };

  test('volumes alike with even queues are asked for nothing', () => {
    expect(run(stripe)).toEqual({ by: [null, null, null], asked: [] });
  });

  test('where one waits longer they are asked for their loads; one load makes all of them suspects', () => {
    const { by, asked } = run({ ...stripe, 'vol-2': waits });
    expect(asked).toHaveLength(3 * 4);
    expect(by).toEqual(['alike', 'alike', 'alike']);
  });

  test('another load shows that they are no stripe: nobody is a suspect', () => {
    const other = (minute: number) => dealt(minute + 300);
    const apart = { ...waits, VolumeReadOps: other, VolumeReadBytes: (i: number) => other(i) * 16_384 };
    expect(run({ ...stripe, 'vol-2': apart }).by).toEqual([null, null, null]);
  });

  test('a suspect takes along who carries the same load, and nobody else', () => {
    const held = { ...member, VolumeIOPSExceededCheck: during(3, 1, 1) };
    const apart = { ...quiet, VolumeQueueLength: 0.02, VolumeReadOps: during(0, 700, 6_000, 10) };
    expect(run({ 'vol-1': held, 'vol-2': member, 'vol-3': apart }).by).toEqual(['limits', 'alike', null]);
  });

  test('who is told to be one stripe needs no loads: the tag is enough, or the word of the host', () => {
    const tagged = three.map((volume, i) => ({ ...volume, sizeGiB: 100 + i, stripeTag: 'data' }));
    const all = { by: ['alike', 'alike', 'alike'], asked: [] };
    expect(run({ ...stripe, 'vol-2': waits }, tagged)).toEqual(all);
    const array = {
      ...{
        name: 'vg/data',
        kind: 'stripe' as const,
        chunkKiB: 64,
        mountPoints: [],
        builtWith: 'lvm' as const,
      },
      memberVolumeIds: ['vol-1', 'vol-2', 'vol-3'],
    };
    const hosts = new Map([['i-1', { arrays: [array], singleVolumeIds: [], notes: [] }]]);
    expect(run({ ...stripe, 'vol-2': waits }, three, { hosts })).toEqual(all);
  });

  test('of volumes that the host uses one by one none is asked, however alike', () => {
    const singleVolumeIds = ['vol-1', 'vol-2', 'vol-3'];
    const hosts = new Map([['i-1', { arrays: [], singleVolumeIds, notes: [] }]]);
    expect(run({ ...stripe, 'vol-2': waits }, three, { hosts })).toEqual({
      by: [null, null, null],
      asked: [],
    });
  });

  test('gp2 that could be gp3 is reported once of a stripe: alike ones are asked whether they are one', () => {
    const gp2 = three.map((one) => ({ ...one, volumeType: 'gp2', iops: 300, throughputMiBps: null }));
    expect(run(stripe, gp2).asked).toHaveLength(3 * 4);
    expect(run(stripe, gp2).by).toEqual([null, null, null]);
  });
});
