/** What an instance throttled, told on the axis of one of its volumes. */
import fc from 'fast-check';
import {
  alsoBit,
  alsoCauses,
  type Cause,
  causeCode,
  causes,
  type Proof,
  proofs,
} from '../../../core/diagnosis/causes.ts';
import type { InstanceEvidence } from '../../../core/diagnosis/instance-evidence.ts';
import { type InstanceOnAxis, instanceOnAxis } from '../../../core/diagnosis/instance-on-axis.ts';

interface Said {
  cause: Cause;
  also?: Cause;
  /** One by default. */
  minutes?: number;
  proof?: Proof;
  isSaturated?: boolean;
}

/** Times in minutes. */
const axis = (periodMinutes: number, ...times: number[]) => ({
  periodSeconds: periodMinutes * 60,
  epochSeconds: Float64Array.from(times, (minute) => minute * 60),
});

const none: Said = { cause: 'none' };
const iops: Said = { cause: 'instance-iops' };
const throughput: Said = { cause: 'instance-throughput' };

/** From minute 0 on. */
function evidenceOf(periodMinutes: number, ...said: Said[]): InstanceEvidence {
  const of = (value: (one: Said) => number) => said.map(value);
  return {
    ...axis(periodMinutes, ...said.map((_, i) => i * periodMinutes)),
    cause: Uint8Array.from(of(({ cause }) => causeCode[cause])),
    isAnyThrottled: said.some(({ cause }) => cause !== 'none'),
    also: Uint16Array.from(of(({ also }) => (also === undefined ? 0 : alsoBit(also)))),
    minutes: Float64Array.from(of(({ cause, minutes = 1 }) => (cause === 'none' ? 0 : minutes))),
    proof: Uint8Array.from(of(({ proof = 'check' }) => proofs.indexOf(proof))),
    felt: new Uint8Array(said.length),
    saturated: Uint8Array.from(of(({ isSaturated }) => (isSaturated ? 1 : 0))),
    microBurst: new Uint8Array(said.length),
    shares: null,
    load: {
      ...{ iops: new Float64Array(said.length), mibps: new Float64Array(said.length), volumes: 1 },
      atMost: { iops: 0, mibps: 0 },
    },
    balance: { io: null, bytes: null, source: 'none', replayDeviationPoints: null },
    hasChecks: true,
    isWhole: true,
  };
}

const notifiedAt = ({ cause, also, minutes, proof }: InstanceOnAxis, i: number) => ({
  cause: causes[cause[i] as number],
  also: alsoCauses(also[i] as number),
  minutes: minutes[i],
  proof: proofs[proof[i] as number],
});
const causesOf = ({ cause }: InstanceOnAxis) => [...cause].map((code) => causes[code]);

describe('on the very same axis', () => {
  test('it is what the instance says, and not a copy', () => {
    const evidence = evidenceOf(1, none, iops, throughput);
    const view = instanceOnAxis(evidence, axis(1, 0, 1, 2));
    expect(view.cause).toBe(evidence.cause);
    expect(view.isCoarse).toBe(false);
    view.feel(1);
    expect([...evidence.felt]).toEqual([0, 1, 0]);
  });
});

describe('on longer periods', () => {
  const five = (...said: Said[]) => instanceOnAxis(evidenceOf(1, ...said), axis(5, 0));

  test('the cause of the most minutes, the others beside it, all minutes together', () => {
    expect(notifiedAt(five(iops, none, throughput, throughput, none), 0)).toMatchObject({
      cause: 'instance-throughput',
      also: ['instance-iops'],
      minutes: 3,
    });
    expect(notifiedAt(five(none, none, none, none, none), 0)).toMatchObject({
      cause: 'none',
      also: [],
      minutes: 0,
    });
  });

  test('of as many minutes each the first is the cause', () => {
    expect(notifiedAt(five(throughput, iops, none, none, none), 0)).toMatchObject({
      cause: 'instance-throughput',
      also: ['instance-iops'],
    });
  });

  test('what was beside a cause stays beside it', () => {
    const beside: Said = { cause: 'instance-credits', also: 'instance-throughput' };
    expect(notifiedAt(five(beside, none, none, none, none), 0)).toMatchObject({
      cause: 'instance-credits',
      also: ['instance-throughput'],
      minutes: 1,
    });
  });

  test('more minutes than the period has are not counted', () => {
    const evidence = evidenceOf(1, { ...iops, minutes: 4 }, { ...iops, minutes: 4 });
    expect(notifiedAt(instanceOnAxis(evidence, axis(5, 0)), 0).minutes).toBe(5);
  });

  test('each period has its own minutes, and those between two periods are of none', () => {
    const said = [none, iops, none, none, none, iops, iops, none, none, none, none, throughput];
    const view = instanceOnAxis(evidenceOf(1, ...said), axis(5, 0, 10));
    expect(causesOf(view)).toEqual(['instance-iops', 'instance-throughput']);
    expect([...view.minutes]).toEqual([1, 1]);
    expect(view.isCoarse).toBe(false);
  });

  test('who waits in a period felt each of its minutes', () => {
    const evidence = evidenceOf(1, ...Array<Said>(10).fill(iops));
    instanceOnAxis(evidence, axis(5, 0, 5)).feel(0);
    expect([...evidence.felt]).toEqual([1, 1, 1, 1, 1, 0, 0, 0, 0, 0]);
  });

  // Wrong today: the proof is that of the last of them.
  test('its proof is that of the cause: two minutes by the check before one by the sum', () => {
    const bySum: Said = { cause: 'instance-throughput', proof: 'rate' };
    expect(notifiedAt(five(iops, iops, bySum, none, none), 0)).toMatchObject({
      cause: 'instance-iops',
      proof: 'check',
    });
  });
});

describe('on minutes of which some are missing', () => {
  test('each gets what the instance says of it', () => {
    const evidence = evidenceOf(1, iops, throughput, { ...iops, proof: 'rate' }, none);
    const view = instanceOnAxis(evidence, axis(1, 0, 2, 3, 4));
    expect(causesOf(view)).toEqual(['instance-iops', 'instance-iops', 'none', 'none']);
    expect(notifiedAt(view, 1)).toEqual({ cause: 'instance-iops', also: [], minutes: 1, proof: 'rate' });
  });

  test('whichever of them: what is reported of a minute is what the instance says of that minute', () => {
    const word = fc.constantFrom<Said>(none, iops, throughput, {
      cause: 'instance-credits',
      also: 'instance-iops',
    });
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 20 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 25 }), { minLength: 1 }),
        (said, unordered) => {
          const times = unordered.toSorted((a, b) => a - b);
          const view = instanceOnAxis(evidenceOf(1, ...said), axis(1, ...times));
          expect(causesOf(view)).toEqual(times.map((minute) => said[minute]?.cause ?? 'none'));
          expect([...view.also].map(alsoCauses)).toEqual(
            times.map((minute) => (said[minute]?.also === undefined ? [] : [said[minute].also])),
          );
        },
      ),
      { seed: 11 },
    );
  });

  // Wrong today: the minutes up to the volume's next one are taken as felt too, after the last all that follow.
  test('who waits in a minute felt that minute, and not those without figures after it', () => {
    const evidence = evidenceOf(1, ...Array<Said>(6).fill({ ...iops, proof: 'rate' }));
    instanceOnAxis(evidence, axis(1, 0, 4, 5)).feel(0);
    expect([...evidence.felt]).toEqual([1, 0, 0, 0, 0, 0]);
  });

  test('who waits in the last minute it has did not feel the hours after it', () => {
    const evidence = evidenceOf(1, ...Array<Said>(6).fill({ ...iops, proof: 'rate' }));
    instanceOnAxis(evidence, axis(1, 0, 1)).feel(1);
    expect([...evidence.felt]).toEqual([0, 1, 0, 0, 0, 0]);
  });
});

describe('on shorter periods', () => {
  const evidence = () =>
    evidenceOf(5, { ...iops, minutes: 2, also: 'instance-throughput' }, none, throughput);

  test('each minute of the five gets what is said of them, one minute at most, and it is coarse', () => {
    const view = instanceOnAxis(evidence(), axis(1, 0, 4, 5, 9, 10));
    expect(causesOf(view)).toEqual(['instance-iops', 'instance-iops', 'none', 'none', 'instance-throughput']);
    expect(notifiedAt(view, 1)).toEqual({
      cause: 'instance-iops',
      also: ['instance-throughput'],
      minutes: 1,
      proof: 'check',
    });
    expect([...view.minutes]).toEqual([1, 1, 0, 0, 1]);
    expect(view.isCoarse).toBe(true);
  });

  test('a check of half a minute is no more in a minute', () => {
    const half = evidenceOf(5, { ...iops, minutes: 0.5 });
    expect([...instanceOnAxis(half, axis(1, 0, 1)).minutes]).toEqual([0.5, 0.5]);
  });

  test('before the first and after the last of the five minutes nothing is said', () => {
    const late = { ...evidence(), epochSeconds: Float64Array.of(300, 600, 900) };
    const view = instanceOnAxis(late, axis(1, 4, 5, 19, 20));
    expect(causesOf(view)).toEqual(['none', 'instance-iops', 'instance-throughput', 'none']);
  });

  test('who waits in a minute felt those five, and in a minute of which nothing is said no others', () => {
    const some = evidence();
    const view = instanceOnAxis(some, axis(1, 0, 4, 5, 9, 10));
    view.feel(2); // of the quiet ones
    expect([...some.felt]).toEqual([0, 0, 0]);
    view.feel(1);
    view.feel(4);
    expect([...some.felt]).toEqual([1, 0, 1]);
  });

  test('an instance without a period says nothing', () => {
    expect(causesOf(instanceOnAxis(evidenceOf(5), axis(1, 0, 1)))).toEqual(['none', 'none']);
  });
});

test('the sum is the limit itself on the other axis where it was in all the minutes that throttled', () => {
  const full: Said = { ...iops, isSaturated: true };
  const longer = instanceOnAxis(evidenceOf(1, full, none, full, iops, full), axis(2, 0, 2, 4));
  expect([...longer.saturated]).toEqual([1, 0, 1]);
  const minutes = instanceOnAxis(evidenceOf(2, full, none), axis(1, 0, 1, 2));
  expect([...minutes.saturated]).toEqual([1, 1, 0]);
});

test('what is unseen of the instance is unseen on every axis', () => {
  const part = { ...evidenceOf(2, iops, none), isWhole: false };
  for (const one of [axis(2, 0, 2), axis(4, 0), axis(1, 0, 1)])
    expect(instanceOnAxis(part, one).isWhole).toBe(false);
});
