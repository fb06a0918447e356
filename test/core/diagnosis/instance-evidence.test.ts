/** What an instance's own limits throttled, period by period. */
import { alsoCauses, causes, proofs } from '../../../core/diagnosis/causes.ts';
import type { InstanceEvidence } from '../../../core/diagnosis/instance-evidence.ts';
import { type Points, repeat } from '../../fixtures/metric-set.ts';
import { ebs } from '../../fixtures/region-catalog.ts';
import { evidenceOf, loadAt } from './one-instance.ts';

const notified = ({ cause, also, minutes, proof }: InstanceEvidence, i = 0) => ({
  cause: causes[cause[i] as number],
  also: alsoCauses(also[i] as number),
  minutes: minutes[i],
  ...(cause[i] === 0 ? {} : { proof: proofs[proof[i] as number] }),
});
const causesOf = ({ cause }: InstanceEvidence) => [...cause].map((code) => causes[code]);

/** 10,000 IOPS and 500 MiB/s all the time. */
const steady = ebs(10_000, 500);
/** 1,000 IOPS and 100 MiB/s, in a burst 4,000 and 400. */
const bursting = ebs(1_000, 100, { maximumIops: 4_000, maximumMiBps: 400 });
const oneVolume = (iops: number, mibps = iops / 64) => [loadAt(repeat(2, { iops, mibps }))];

const checks = (iops: number, throughput: number): Points => ({
  InstanceEBSIOPSExceededCheck: [iops, 0],
  InstanceEBSThroughputExceededCheck: [throughput, 0],
});

describe('AWS’s checks', () => {
  test.each([
    { iops: 1, throughput: 0, cause: 'instance-iops', also: [] },
    { iops: 0, throughput: 1, cause: 'instance-throughput', also: [] },
    { iops: 1, throughput: 1, cause: 'instance-iops', also: ['instance-throughput'] },
  ])('$iops and $throughput: $cause', ({ iops, throughput, cause, also }) => {
    const evidence = evidenceOf({ points: checks(iops, throughput) });
    expect(notified(evidence, 0)).toEqual({ cause, also, minutes: 1, proof: 'check' });
    expect(notified(evidence, 1)).toEqual({ cause: 'none', also: [], minutes: 0 });
    expect(evidence).toMatchObject({ hasChecks: true, isWhole: true, periodSeconds: 60 });
  });

  test('over five minutes the Sum counts them, of both the more, and never more than five', () => {
    const of = (iops: number, throughput: number) =>
      notified(evidenceOf({ points: checks(iops, throughput), periodSeconds: 300 }));
    expect(of(3, 0)).toMatchObject({ cause: 'instance-iops', minutes: 3 });
    expect(of(2, 4)).toMatchObject({ cause: 'instance-throughput', also: ['instance-iops'], minutes: 4 });
    expect(of(7, 0)).toMatchObject({ minutes: 5 });
  });

  test('of both, the one whose share of its limit is larger is the cause', () => {
    const of = (iops: number, mibps: number) =>
      notified(evidenceOf({ points: checks(1, 1), figures: steady, loads: oneVolume(iops, mibps) }));
    // 60 % of 10,000 against 80 % of 500
    expect(of(6_000, 400)).toMatchObject({ cause: 'instance-throughput', also: ['instance-iops'] });
    expect(of(9_000, 400)).toMatchObject({ cause: 'instance-iops', also: ['instance-throughput'] });
  });

  test('of 0 outweigh a sum at the limit', () => {
    const evidence = evidenceOf({ points: checks(0, 0), figures: steady, loads: oneVolume(10_000) });
    expect(causesOf(evidence)).toEqual(['none', 'none']);
  });

  test('without a figure in a minute leave it to the sum', () => {
    const points: Points = {
      InstanceEBSIOPSExceededCheck: [0, undefined],
      InstanceEBSThroughputExceededCheck: [0, 0],
    };
    const evidence = evidenceOf({ points, figures: steady, loads: oneVolume(10_000) });
    expect(notified(evidence, 0).cause).toBe('none');
    expect(notified(evidence, 1)).toEqual({ cause: 'instance-iops', also: [], minutes: 1, proof: 'rate' });
  });

  test('of 0 leave a published balance that is gone to the sum: they may need more of a minute than was throttled', () => {
    const at = (iops: number, balance: number) =>
      notified(
        evidenceOf({
          points: { ...checks(0, 0), 'EBSIOBalance%': [balance, balance] },
          figures: bursting,
          loads: oneVolume(iops),
        }),
      );
    expect(at(1_000, 0)).toMatchObject({ cause: 'instance-credits', proof: 'rate' });
    expect(at(940, 0).cause).toBe('none'); // 94 % of the baseline
    expect(at(1_000, 2).cause).toBe('none');
  });

  test('one of them alone leaves the other limit to the sum', () => {
    const points: Points = { InstanceEBSIOPSExceededCheck: [0, 0] };
    const evidence = evidenceOf({ points, figures: steady, loads: oneVolume(2_000, 500) });
    expect(notified(evidence)).toMatchObject({ cause: 'instance-throughput', proof: 'rate' });
  });
});

describe('credits or the limit itself', () => {
  const of = (iops: number, balance?: number) =>
    notified(
      evidenceOf({
        points: {
          ...checks(1, 0),
          ...(balance === undefined ? {} : { 'EBSIOBalance%': [balance, balance] }),
        },
        figures: bursting,
        loads: oneVolume(iops),
        volumes: 2, // one more that nobody sees, so that no balance is modelled
      }),
    ).cause;

  test.each([
    { iops: 1_000, balance: 1, cause: 'instance-credits' }, // at most 1 % is empty
    { iops: 1_000, balance: 1.1, cause: 'instance-iops' },
    { iops: 2_000, balance: 0, cause: 'instance-credits' },
    { iops: 3_799, balance: 0, cause: 'instance-credits' },
    { iops: 3_800, balance: 0, cause: 'instance-iops' }, // 95 % of 4,000: it bursts all the same
  ])('a check of 1 at $iops of 4,000 with a balance of $balance %: $cause', ({ iops, balance, cause }) => {
    expect(of(iops, balance)).toBe(cause);
  });

  test.each([
    [949, 'instance-iops'],
    [950, 'instance-credits'], // 95 to 105 % of the baseline of 1,000: what is left without credits
    [1_050, 'instance-credits'],
    [1_051, 'instance-iops'],
  ])('without a published balance at %d IOPS: %s', (iops, cause) => {
    expect(of(iops)).toBe(cause);
  });

  test('an instance that does not burst has no credits to lose', () => {
    const evidence = evidenceOf({ points: checks(1, 0), figures: steady, loads: oneVolume(10_000) });
    expect(notified(evidence).cause).toBe('instance-iops');
  });

  test('one bucket empty and the other limit reached: both are said', () => {
    const points = { ...checks(1, 1), 'EBSIOBalance%': [0, 0], 'EBSByteBalance%': [50, 50] };
    // 1,000 of the baseline of 1,000 (the bucket is empty) against 300 of 400 MiB/s
    expect(notified(evidenceOf({ points, figures: bursting, loads: oneVolume(1_000, 300) }))).toMatchObject({
      cause: 'instance-credits',
      also: ['instance-throughput'],
    });
  });

  test('both buckets empty are one cause, beside which there is nothing', () => {
    const points = { ...checks(1, 1), 'EBSIOBalance%': [0, 0], 'EBSByteBalance%': [0, 0] };
    expect(notified(evidenceOf({ points }))).toMatchObject({ cause: 'instance-credits', also: [] });
  });
});

describe('without checks, the sum over its volumes', () => {
  const sum = (...iops: number[]) =>
    notified(evidenceOf({ figures: steady, loads: iops.map((rate) => loadAt(repeat(2, rate))) }));

  test.each([
    [5_000, 4_499, 'none'],
    [5_000, 4_500, 'instance-iops'], // 95 % of 10,000
    [6_000, 4_500, 'instance-iops'], // 105 %
    [6_000, 4_501, 'none'], // more than it can do: then it is not the limit that it is taken for
  ])('%d and %d IOPS: %s', (one, other, cause) => {
    expect(sum(one, other)).toMatchObject({ cause, minutes: cause === 'none' ? 0 : 1 });
  });

  test('both figures at their limits are both said, the larger share first', () => {
    const of = (iops: number, mibps: number) =>
      notified(evidenceOf({ figures: steady, loads: oneVolume(iops, mibps) }));
    expect(of(9_600, 490)).toEqual({
      ...{ cause: 'instance-throughput', also: ['instance-iops'] }, // 98 and 96 %
      ...{ minutes: 1, proof: 'rate' },
    });
    expect(of(9_900, 490)).toMatchObject({ cause: 'instance-iops', also: ['instance-throughput'] });
    expect(of(9_900, 470)).toMatchObject({ cause: 'instance-iops', also: [] }); // 94 %
  });

  test('its own counters see volumes that nobody else does', () => {
    const published: Points = { EBSReadOps: repeat(2, 600_000), EBSWriteOps: repeat(2, 0) }; // 10,000 a second
    const evidence = evidenceOf({ points: published, figures: steady, loads: oneVolume(100), volumes: 2 });
    expect(notified(evidence)).toMatchObject({ cause: 'instance-iops', proof: 'rate' });
  });

  test('limits that nobody knows are reached by nothing', () => {
    const noMiBps = { ...steady, baselineMiBps: Number.NaN, maximumMiBps: Number.NaN };
    expect(notified(evidenceOf({ figures: noMiBps, loads: oneVolume(9_000, 500) })).cause).toBe('none');
    expect(notified(evidenceOf({ figures: noMiBps, loads: oneVolume(9_500, 500) })).cause).toBe(
      'instance-iops',
    );
  });
});

test.each([
  [9_890, 0],
  [9_900, 1], // 99 % of 10,000
  [10_500, 1],
])('a sum of %d IOPS is the limit itself: %d', (iops, saturated) => {
  const evidence = evidenceOf({ figures: ebs(10_000, 500), loads: [loadAt([iops, iops])] });
  expect([...evidence.saturated]).toEqual([saturated, saturated]);
});
