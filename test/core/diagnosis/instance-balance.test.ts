/** The balances of an instance, published or modelled, and on which axis and from how much of it that is reported. */
import { causes, proofs } from '../../../core/diagnosis/causes.ts';
import type { InstanceEvidence } from '../../../core/diagnosis/instance-evidence.ts';
import { type Points, repeat } from '../../fixtures/metric-set.ts';
import { ebs } from '../../fixtures/region-catalog.ts';
import { evidenceOf, evidenceOrNull, loadAt } from './one-instance.ts';

const causesOf = ({ cause }: InstanceEvidence) => [...cause].map((code) => causes[code]);

const steady = ebs(10_000, 500);
/** 1,000 IOPS and 100 MiB/s, in a burst 4,000 and 400. */
const bursting = ebs(1_000, 100, { maximumIops: 4_000, maximumMiBps: 400 });
const balance = (...percent: (number | undefined)[]): Points => ({ 'EBSIOBalance%': percent });

describe('without checks, a balance that stays empty', () => {
  test.each([
    { percent: [60, 0.5, 60, 60], held: [] },
    { percent: [60, 0.5, 0.5, 60], held: [1] },
    { percent: [60, 1, 1, 1.1], held: [1] }, // at most 1 % is empty
    { percent: [60, 60, 0, 0], held: [2, 3] }, // nobody knows what comes after the last
  ])('$percent: throttled in periods $held', ({ percent, held }) => {
    for (const name of ['EBSIOBalance%', 'EBSByteBalance%']) {
      const evidence = evidenceOf({ points: { [name]: percent }, periodSeconds: 300 });
      expect(causesOf(evidence)).toEqual(
        percent.map((_, i) => (held.includes(i) ? 'instance-credits' : 'none')),
      );
      for (const i of held) {
        expect(evidence.minutes[i]).toBe(5);
        expect(proofs[evidence.proof[i] as number]).toBe('balance');
      }
    }
  });

  test('beside checks proves nothing by itself', () => {
    const points = { ...balance(0, 0), InstanceEBSIOPSExceededCheck: [0, 0] };
    // Below the baseline of 1,000, and above it, where it must have credits
    for (const iops of [500, 2_000]) {
      const evidence = evidenceOf({ points, figures: bursting, loads: [loadAt([iops, iops])] });
      expect(causesOf(evidence)).toEqual(['none', 'none']);
    }
  });

  test('the sum goes before it: at the baseline, which is the limit in force', () => {
    const evidence = evidenceOf({ points: balance(0, 0), figures: bursting, loads: [loadAt([1_000, 200])] });
    expect(causesOf(evidence)).toEqual(['instance-credits', 'instance-credits']);
    expect([...evidence.proof].map((code) => proofs[code])).toEqual(['rate', 'balance']);
  });

  // Wrong today: on the minutes of its volumes a point of five minutes is beside itself.
  test('on minutes too: one point of five minutes that touches empty and recovers is not', () => {
    const percent = [60, 0.5, 60, 60].flatMap((value) => [value, ...repeat(4, undefined)]);
    const evidence = evidenceOf({
      ...{ points: balance(...percent), figures: bursting, loads: [loadAt(repeat(20, 200))] },
    });
    expect(evidence.balance.io?.[9]).toBe(0.5);
    expect(causesOf(evidence)).toEqual(repeat(20, 'none'));
  });
});

describe('modelled from the sum over all its volumes', () => {
  // Capacity (4,000 - 1,000) x 1,800 s: 30 minutes at 4,000
  const rates = [...repeat(35, 4_000), ...repeat(10, 1_000)];
  const halves = rates.map((rate) => rate / 2);
  const volumes = [loadAt(halves), loadAt(halves)];

  test('full at first, half after 15 minutes at the maximum, empty after 30', () => {
    const { balance: modelled } = evidenceOf({ figures: bursting, loads: volumes });
    expect(modelled.source).toBe('modelled');
    expect(modelled.io?.[14]).toBeCloseTo(50);
    expect(modelled.io?.[29]).toBeCloseTo(0);
    expect(modelled.io?.[0]).toBeCloseTo(100 - 100 / 30); // the lowest of its minute
    // 62.5 of the baseline of 100 MiB/s spend nothing
    expect(modelled.bytes?.[40]).toBe(100);
  });

  test('at the maximum it is the limit, at the baseline with nothing left its credits', () => {
    const said = causesOf(evidenceOf({ figures: bursting, loads: volumes }));
    expect(said.slice(0, 29)).toEqual(repeat(29, 'instance-iops'));
    expect(said.slice(35)).toEqual(repeat(10, 'instance-credits'));
  });

  // Wrong today: with an empty bucket the sum is held against the baseline alone, of which the maximum is four times.
  test('who does the maximum for the whole minute is at the limit, though it leaves nothing', () => {
    const said = causesOf(evidenceOf({ figures: bursting, loads: volumes }));
    expect(said[29]).toBe('instance-iops');
  });

  test('the same on a published balance', () => {
    const published = balance(50, 0, 0, 0);
    const evidence = evidenceOf({ figures: bursting, loads: [loadAt(repeat(4, 4_000))], points: published });
    expect(causesOf(evidence)).toEqual(repeat(4, 'instance-iops'));
  });

  test('bytes have their own bucket', () => {
    const bytes = repeat(35, { iops: 800, mibps: 400 }); // 1,600 of 256 KiB
    const { balance: modelled } = evidenceOf({ figures: bursting, loads: [loadAt(bytes)] });
    expect(modelled.bytes?.[14]).toBeCloseTo(50); // (400 - 100) x 900 s of 540,000 MiB
    expect(modelled.io?.[14]).toBeCloseTo(90); // (1,600 - 1,000) x 900 s of 5.4 million
  });

  test('an empty one alone throttles nothing', () => {
    const calmAfter = [loadAt([...repeat(35, 4_000), ...repeat(3, 990), ...repeat(3, 500)])];
    const evidence = evidenceOf({ figures: bursting, loads: calmAfter });
    expect(evidence.balance.io?.[38]).toBeLessThan(1);
    expect(causesOf(evidence).slice(38)).toEqual(repeat(3, 'none'));
  });

  test.each([
    { what: 'one is published', seen: { points: balance(...repeat(45, 50)) }, source: 'published' },
    { what: 'a volume is not seen', seen: { volumes: 3 }, source: 'none' },
    { what: 'its limits are not known', seen: { figures: null, points: balance() }, source: 'none' },
    { what: 'it is never above its baseline', seen: { figures: ebs(4_000, 100) }, source: 'none' },
  ])('not where $what', ({ seen, source }) => {
    const points: Points = { InstanceEBSIOPSExceededCheck: repeat(45, 0), ...seen.points };
    const evidence = evidenceOf({ figures: bursting, loads: volumes, ...seen, points });
    expect(evidence.balance.source).toBe(source);
    if (source === 'none') expect(evidence.balance).toMatchObject({ io: null, bytes: null, source });
    else expect([...(evidence.balance.io ?? [])]).toEqual(repeat(45, 50));
  });
});

describe('a published balance against the replay', () => {
  // Ten minutes at 4,000: each five spend 3,000 x 300 s of 5.4 million, a sixth
  const loads = [loadAt(repeat(15, 4_000))];
  const each = (...percent: number[]): Points =>
    balance(...percent.flatMap((value) => [value, ...repeat(4, undefined)]));
  const deviation = (points: Points, volumes = 1) =>
    evidenceOf({ figures: bursting, loads, points, volumes }).balance.replayDeviationPoints;

  test('agrees, or is so many points off in half of its points', () => {
    expect(deviation(each(83.3, 66.7, 50))).toBeCloseTo(0, 0);
    expect(deviation(each(83.3, 46.7, 30))).toBeCloseTo(20, 0);
  });

  test('is not compared where a volume is not seen, or where nothing is published', () => {
    expect(deviation(each(83.3, 66.7, 50), 2)).toBeNull();
    expect(deviation({})).toBeNull();
  });

  // Wrong today: 0, as if they agreed.
  test('is not compared where no point of it has the load of all its minutes', () => {
    const three = [loadAt(repeat(3, 4_000))];
    const evidence = evidenceOf({ figures: bursting, loads: three, points: each(83.3, 66.7) });
    expect(evidence.balance.replayDeviationPoints).toBeNull();
  });
});

describe('the axis that it is evaluated on', () => {
  const minute = loadAt([100, 100, 100]);
  const five = loadAt([100, 100], 300);

  test('is that of its checks, every time that one of them has', () => {
    const points: Points = {
      InstanceEBSIOPSExceededCheck: [0, 0, undefined, undefined],
      InstanceEBSThroughputExceededCheck: [undefined, 0, 0, 0],
    };
    const evidence = evidenceOf({ points, figures: steady, loads: [five] });
    expect([...evidence.epochSeconds]).toEqual([0, 60, 120, 180]);
    expect(evidence.periodSeconds).toBe(60);
  });

  test('else that of its volume with the shortest periods', () => {
    const evidence = evidenceOf({ points: balance(50, 50), figures: steady, loads: [five, minute] });
    expect(evidence.epochSeconds).toBe(minute.epochSeconds);
    expect(evidence.periodSeconds).toBe(60);
  });

  test('else, where its limits are not known and the sum tells nothing, that of its balances', () => {
    const evidence = evidenceOf({ points: balance(50, 50), periodSeconds: 300, loads: [minute] });
    expect([...evidence.epochSeconds]).toEqual([0, 300]);
  });

  test('there is none where nothing tells', () => {
    expect(evidenceOrNull({})).toBeNull();
    expect(evidenceOrNull({ loads: [minute] })).toBeNull();
    expect(evidenceOrNull({ figures: steady })).toBeNull();
    // Its counters say what passed, and not what of it was throttled
    expect(evidenceOrNull({ points: { EBSReadOps: [1, 1], EBSWriteOps: [1, 1] } })).toBeNull();
  });
});

describe('is all of it seen?', () => {
  const minute = loadAt([100, 100, 100]);
  const zeros: Points = { InstanceEBSIOPSExceededCheck: [0, 0, 0] };

  test.each([
    ['the load of each volume', { loads: [minute, minute] }, true],
    ['of one of two', { loads: [minute], volumes: 2 }, false],
    ['of one of two, and a check', { loads: [minute], volumes: 2, points: zeros }, true],
    ['of one of two, and a balance', { loads: [minute], volumes: 2, points: balance(50, 50, 50) }, true],
  ])('%s: %s', (_what, seen, whole) => {
    expect(evidenceOf({ figures: steady, ...seen }).isWhole).toBe(whole);
  });

  // Wrong today: a load of five minutes is not in the sum of minutes, but counts as seen.
  test('a volume that is known by five minutes only is not in the sum of minutes', () => {
    const five = loadAt([9_500, 9_500], 300);
    const evidence = evidenceOf({ figures: steady, loads: [minute, five] });
    expect([...evidence.load.iops]).toEqual([100, 100, 100]);
    expect(evidence.isWhole).toBe(false);
  });
});
