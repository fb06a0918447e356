/** What throttled the load beside the cause: the volume and its instance, and how sure each is. */
import { causeCode, type Proof } from '../../../core/diagnosis/causes.ts';
import type { Points } from '../../fixtures/metric-set.ts';
import { type Configuration, gp2, gp3, instanceSays, minuteOf, noInstance, notified } from './one-minute.ts';

const waits: Points = { VolumeQueueLength: [50] };

describe('a volume and its instance at once', () => {
  const instances = instanceSays('instance-throughput', { also: 'instance-iops' });

  test.each<[string, Configuration, Points, object]>([
    [
      'the volume’s check goes before all that the instance says',
      gp3,
      minuteOf(2_400, { VolumeIOPSExceededCheck: [1] }),
      { cause: 'volume-iops', also: ['instance-iops', 'instance-throughput'], proof: 'check' },
    ],
    [
      'but not below 80 % of its limit: no more than a burst met that',
      gp3,
      minuteOf(2_399, { VolumeIOPSExceededCheck: [1] }),
      { cause: 'instance-throughput', also: ['volume-iops', 'instance-iops'], proof: 'check' },
    ],
    [
      'so does its rate at its limit',
      gp3,
      minuteOf(2_900, waits),
      { cause: 'volume-iops', also: ['instance-iops', 'instance-throughput'], proof: 'rate' },
    ],
    [
      'and its empty bucket',
      gp2,
      minuteOf(300, { BurstBalance: [0], ...waits }),
      { cause: 'volume-credits', also: ['instance-iops', 'instance-throughput'], proof: 'balance' },
    ],
    [
      'without either the instance is the cause, with what is beside it there',
      gp3,
      minuteOf(900, waits),
      { cause: 'instance-throughput', also: ['instance-iops'], proof: 'check' },
    ],
    [
      'a stall goes before both',
      gp3,
      minuteOf(900, { VolumeStalledIOCheck: [1], VolumeIOPSExceededCheck: [1], ...waits }),
      { cause: 'stalled', also: ['volume-iops', 'instance-iops', 'instance-throughput'] },
    ],
  ])('%s', (_what, config, minute, expected) => {
    expect(notified(config, minute, { instances })).toMatchObject(expected);
  });

  test('the instance goes before an active-time rate, which is no proof', () => {
    // 30,000 in 10 busy seconds are 3,000 a second
    const busy = minuteOf(500, { VolumeQueueLength: [40], VolumeIdleTime: [50] });
    expect(notified(gp3, busy, { instances })).toMatchObject({
      cause: 'instance-throughput',
      proof: 'check',
    });
    expect(notified(gp3, busy)).toMatchObject({ cause: 'volume-iops', also: [], proof: 'active-time-rate' });
  });

  test('what is the cause is not beside itself', () => {
    const twice = [...instanceSays('instance-iops', { also: 'instance-iops' })];
    expect(notified(gp3, minuteOf(900, waits), { instances: twice })).toMatchObject({
      cause: 'instance-iops',
      also: [],
    });
  });
});

describe('both limits of a volume', () => {
  const bytes = (mibps: number): Points => ({ VolumeReadBytes: [mibps * 60 * 1_048_576] });

  test.each<[number, number, object]>([
    // of 3,000 IOPS and 500 MiB/s
    [2_850, 475, { cause: 'volume-iops', also: ['volume-throughput'] }], // 95 % and 95 %: as near, IOPS are named
    [2_850, 474, { cause: 'volume-iops', also: [] }], // 94.8 %
    [2_850, 490, { cause: 'volume-throughput', also: ['volume-iops'] }], // 98 %
    [2_840, 490, { cause: 'volume-throughput', also: [] }],
  ])('%d IOPS and %d MiB/s', (iops, mibps, expected) => {
    expect(notified(gp3, { ...minuteOf(iops, waits), ...bytes(mibps) })).toMatchObject(expected);
  });

  test('one check of 1 and a rate at the other limit name both', () => {
    const minute = { ...minuteOf(2_950, { VolumeIOPSExceededCheck: [1] }), ...bytes(490) };
    expect(notified(gp3, minute)).toMatchObject({ cause: 'volume-iops', also: ['volume-throughput'] });
  });

  test('both checks of 1 name both, however far the other limit', () => {
    const both = { VolumeIOPSExceededCheck: [1], VolumeThroughputExceededCheck: [1] };
    expect(notified(gp3, minuteOf(2_500, both))).toMatchObject({
      cause: 'volume-iops',
      also: ['volume-throughput'],
    });
  });
});

test.each([
  [399, true], // below 80 % of 500 MiB/s
  [400, false],
])('a throughput check at %d MiB/s on average: micro-burst %s', (mibps, micro) => {
  const checked = minuteOf(500, { VolumeThroughputExceededCheck: [1] });
  const minute = { ...checked, VolumeReadBytes: [mibps * 60 * 1_048_576] };
  expect(notified(gp3, minute)).toMatchObject({ cause: 'volume-throughput', micro });
});

describe('was it this volume that the instance throttled?', () => {
  // 900 IOPS at 1 ms keep 0.9 in flight
  test.each([
    { proof: 'check', queue: 1.12, cause: 'none' }, // 1.25 x 0.9 = 1.125
    { proof: 'check', queue: 1.13, cause: 'instance-iops' },
    { proof: 'rate', queue: 1.79, cause: 'none' }, // 2 x 0.9 = 1.8
    { proof: 'rate', queue: 1.81, cause: 'instance-iops' },
    { proof: 'balance', queue: 1.79, cause: 'none' },
    { proof: 'balance', queue: 1.81, cause: 'instance-iops' },
  ] as const)('proved by its $proof, with $queue in flight: $cause', ({ proof, queue, cause }) => {
    const felt: number[] = [];
    const instances = instanceSays('instance-iops', { proof, feel: (i) => felt.push(i) });
    expect(notified(gp3, minuteOf(900, { VolumeQueueLength: [queue] }), { instances }).cause).toBe(cause);
    // The calm minutes before wait for nothing.
    expect(felt).toEqual(cause === 'none' ? [] : [20]);
  });

  test.each([
    { proof: 'check', isCoarse: false, cause: 'instance-iops' },
    { proof: 'check', isCoarse: true, cause: 'none' }, // one of five minutes: nobody can tell which
    { proof: 'rate', isCoarse: false, cause: 'none' },
    { proof: 'balance', isCoarse: false, cause: 'none' },
  ] as const)(
    'without a queue figure, by its $proof, coarse $isCoarse: $cause',
    ({ proof, isCoarse, cause }) => {
      const instances = instanceSays('instance-iops', { proof, isCoarse });
      expect(notified(gp3, minuteOf(900), { instances }).cause).toBe(cause);
    },
  );

  test('of several instances the first that says something of it counts', () => {
    const [quiet, iops, throughput] = [
      ...noInstance,
      ...instanceSays('instance-iops', { proof: 'rate' }),
      ...instanceSays('instance-throughput'),
    ];
    const minute = (queue: number) => minuteOf(900, { VolumeQueueLength: [queue] });
    const instances = [quiet, iops, throughput].filter((one) => one !== undefined);
    expect(notified(gp3, minute(50), { instances })).toMatchObject({ cause: 'instance-iops', also: [] });
    // 1.5 are more than 1.125 and less than 1.8: only the one that is proved counts
    expect(notified(gp3, minute(1.5), { instances })).toMatchObject({ cause: 'instance-throughput' });
  });
});

describe('how sure it is', () => {
  test.each<[string, Points, object]>([
    ['a check alone', minuteOf(900, { VolumeIOPSExceededCheck: [1] }), { confidence: 'medium' }],
    ['with a queue', minuteOf(900, { VolumeIOPSExceededCheck: [1], ...waits }), { confidence: 'high' }],
    ['with a rate', minuteOf(2_850, { VolumeIOPSExceededCheck: [1] }), { confidence: 'high' }],
    ['a stall', minuteOf(900, { VolumeStalledIOCheck: [1] }), { confidence: 'high' }],
    ['a rate with its queue', minuteOf(2_900, waits), { cause: 'volume-iops', confidence: 'medium' }],
    [
      'an active-time rate',
      minuteOf(500, { VolumeQueueLength: [40], VolumeIdleTime: [50] }),
      { cause: 'volume-iops', confidence: 'low' },
    ],
    ['nothing, with a queue metric and no checks', minuteOf(100), { cause: 'none', confidence: 'medium' }],
    [
      'nothing, with checks of 0',
      minuteOf(100, { VolumeIOPSExceededCheck: [0], VolumeThroughputExceededCheck: [0] }),
      { cause: 'none', confidence: 'high' },
    ],
  ])('%s', (_what, minute, expected) => {
    expect(notified(gp3, minute)).toMatchObject(expected);
  });

  test('without a queue metric a rate at the limit is low, and so is that nothing was', () => {
    expect(notified(gp3, minuteOf(2_900), { withQueue: false })).toMatchObject({
      cause: 'volume-iops',
      confidence: 'low',
    });
    expect(notified(gp3, minuteOf(100), { withQueue: false })).toMatchObject({
      cause: 'none',
      confidence: 'low',
    });
  });

  test('an instance is high where its check meets a queue, else medium', () => {
    const of = (proof: 'check' | 'rate', minute: Points) =>
      notified(gp3, minute, { instances: instanceSays('instance-iops', { proof }) }).confidence;
    expect(of('check', minuteOf(900, waits))).toBe('high');
    expect(of('check', minuteOf(900))).toBe('medium');
    expect(of('rate', minuteOf(900, waits))).toBe('medium');
  });
});

describe('an instance that throttled all the time, so that no minute is calm', () => {
  const heldFromStart = (says: { proof: Proof; isSaturated?: boolean }) =>
    instanceSays('instance-iops', says).map((one) => ({
      ...one,
      cause: one.cause.fill(causeCode['instance-iops']),
    }));
  // 16 KiB at 1,000 IOPS: 1.156 in flight is typical
  test("AWS's check of the instance counts by itself against a queue of what is typical", () => {
    const minute = minuteOf(1_000, { VolumeQueueLength: [1.1] });
    const held = { calmMinutes: 1, instances: heldFromStart({ proof: 'check' }) };
    expect(notified(gp3, minute, held)).toMatchObject({ cause: 'instance-iops', confidence: 'medium' });
    // Twenty calm minutes at 1 ms tell that 1.1 at 1,000 IOPS does not wait
    expect(notified(gp3, minute, { instances: instanceSays('instance-iops') }).cause).toBe('none');
  });

  test.each([
    [true, 'instance-iops'],
    [false, 'none'],
  ])('the sum over its volumes counts where it is the limit itself: %s is %s', (isSaturated, cause) => {
    const minute = minuteOf(1_000, { VolumeQueueLength: [1.1] });
    const instances = heldFromStart({ proof: 'rate', isSaturated });
    expect(notified(gp3, minute, { calmMinutes: 1, instances }).cause).toBe(cause);
  });
});

test("what the volume's own check throttled waited, so its instance's check stands beside it", () => {
  const minute = minuteOf(2_500, {
    VolumeQueueLength: [2.5],
    VolumeIOPSExceededCheck: [1],
    VolumeThroughputExceededCheck: [0],
  });
  expect(notified(gp3, minute, { instances: instanceSays('instance-throughput') })).toMatchObject({
    cause: 'volume-iops',
    also: ['instance-throughput'],
  });
});

test.each([
  [{}, 'volume-iops'],
  [{ VolumeIOPSExceededCheck: [0], VolumeThroughputExceededCheck: [0] }, 'none'],
])('96 %% of the limit without a queue metric, with the checks %j: %s', (checks, cause) => {
  expect(notified(gp3, minuteOf(2_880, checks), { withQueue: false }).cause).toBe(cause);
});
