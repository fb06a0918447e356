import { type Counted, measureCounted, perBusiest } from '../counted.ts';
import { type Load, type Measured, measure } from '../fio.ts';
import { recorded, type VolumeInterval } from '../recorder.ts';
import { iopsOnly } from '../throttle.ts';
import { sameDisks, volumeIdAt, withLayout } from './layouts.ts';
import type { Scenario } from './scenario.ts';

const load: Load = { pattern: 'randrw', blockKiB: 16, jobs: 10, depth: 32, seconds: 8, rampSeconds: 2 };
const memberIops = 300;
const members = 6;

const row = (name: string, { iops, mibps, meanMs }: Measured): string[] => [
  name,
  iops.toFixed(0),
  mibps.toFixed(1),
  meanMs.toFixed(0),
];

export const linearAgainstStripe: Scenario = {
  name: 'linear-against-stripe',
  purpose: 'Six volumes of 300 IOPS: joined end to end they give what one gives, striped six times that.',
  async run(lab, say) {
    const disks = sameDisks(members, memberIops);
    const results = new Map<string, Counted>();
    for (const [name, layout, of] of [
      ['one volume', 'single', disks.slice(0, 1)],
      ['six, LVM linear', 'linear', disks],
      ['six, LVM stripe of 128 KiB', 'stripe', disks],
    ] as const) {
      say(`${name} ...`);
      results.set(
        name,
        await withLayout(lab, layout, of, (laid) => measureCounted(lab.vm.agent, laid, load)),
      );
    }
    const [single, linear, stripe] = [...results.values()] as [Counted, Counted, Counted];
    return {
      columns: ['layout', 'IOPS', 'MiB/s', 'mean ms'],
      rows: [...results].map(([name, measured]) => row(name, measured)),
      ratios: [
        {
          name: 'linear : one, by operations for one of the busiest member',
          measured: perBusiest(linear) / perBusiest(single),
          expected: 1,
          reason: 'a file lies on one member',
        },
        {
          name: 'stripe : linear, by operations for one of the busiest member',
          measured: perBusiest(stripe) / perBusiest(linear),
          expected: 3_547 / 571,
          reason: 'every member works',
        },
        ...[...results].map(([name, measured]) => ({
          name: `${name}, IOPS of the busiest member : its limit`,
          measured: measured.usual.busiest / memberIops,
          expected: 1,
          ofTime: true,
          reason: 'it is what holds the others up',
        })),
      ],
      raw: Object.fromEntries(results),
    };
  },
};

/** Waits and use of one member over a recording. */
function ofMember(intervals: readonly VolumeInterval[], volumeId: string) {
  const own = intervals.filter((one) => one.volumeId === volumeId);
  const sum = (of: (one: VolumeInterval) => number): number => own.reduce((total, one) => total + of(one), 0);
  const operations = sum(({ reads, writes }) => reads + writes);
  const seconds = sum((one) => one.seconds);
  return {
    volumeId,
    iops: operations / seconds,
    waitMs: (sum(({ readSeconds, writeSeconds }) => readSeconds + writeSeconds) / operations) * 1000,
    busyPercent: (sum(({ activeSeconds }) => activeSeconds) / seconds) * 100,
  };
}

/** Rows while all waits at the slow member: neither while the queue builds up nor while it ends. */
function steady(intervals: readonly VolumeInterval[]): VolumeInterval[] {
  const busy = intervals.filter(({ reads, writes }) => reads + writes > 0);
  const ends = busy.map(({ endEpochSeconds }) => endEpochSeconds);
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  return intervals.filter(({ endEpochSeconds: end }) => end > first + 5 && end < last - 2);
}

/**
 * How many operations the others get for one of the slow member is chance, so it takes thousands: 16 s at 150 a second
 * make six times the slowest to within 2 %.
 */
const heldUp: Load = { ...load, depth: 64, seconds: 20 };
const usualIops = 600;
const slowIops = 150;

export const straggler: Scenario = {
  name: 'straggler',
  purpose: 'A stripe is only as fast as its slowest member: one of six at 150 IOPS, the others at 600.',
  async run(lab, say) {
    const slow = volumeIdAt(3);
    const disks = sameDisks(members, usualIops).map((disk) =>
      disk.volumeId === slow ? { ...disk, throttle: iopsOnly(slowIops) } : disk,
    );
    say('six, one of them slow ...');
    const { result, intervals } = await withLayout(lab, 'stripe', disks, ({ file }) =>
      recorded(lab.vm.agent, () => measure(lab.vm.agent, file, heldUp)),
    );
    const byMember = disks.map(({ volumeId }) => ofMember(steady(intervals), volumeId));
    // By what the members served: fio leaves out what it began while it ramped up, here seconds of a queue.
    const total = byMember.reduce((sum, { iops }) => sum + iops, 0);
    const own = byMember.find(({ volumeId }) => volumeId === slow);
    return {
      columns: ['member', 'IOPS', 'wait ms', 'busy %'],
      rows: byMember.map(({ volumeId, iops, waitMs, busyPercent }) => [
        volumeId === slow ? `${volumeId} (slow)` : volumeId,
        ...[iops, waitMs, busyPercent].map((value) => value.toFixed(1)),
      ]),
      ratios: [
        {
          name: 'stripe : six times the slowest',
          measured: total / (members * slowIops),
          expected: 1,
          ofTime: true,
          reason: 'each member gets a sixth of the load, and all wait for the last',
        },
        {
          name: 'wait at the slow member, ms',
          measured: own?.waitMs ?? Number.NaN,
          expected: ((heldUp.jobs * heldUp.depth) / slowIops) * 1000,
          reason: 'nearly all that is under way waits there, and 150 a second leave',
        },
        {
          name: 'slow member busy, %',
          measured: own?.busyPercent ?? Number.NaN,
          expected: 99.7,
          reason: 'it is never without work',
        },
      ],
      raw: { result, byMember },
    };
  },
};
