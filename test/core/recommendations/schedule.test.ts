/** A schedule of IOPS: which hours, which figures, what it costs, and when there is none. */
import fc from 'fast-check';
import { builtInRegionCatalog } from '../../../core/catalog/region-catalog.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import { configurationOf, type Volume } from '../../../core/inventory.ts';
import { known, unknown } from '../../../core/known.ts';
import type { VolumeLoad } from '../../../core/load/volume-load.ts';
import type { VolumeModification } from '../../../core/recommendations/modifications.ts';
import { observedNeed, type SavingsOf, volumeSavings } from '../../../core/recommendations/savings.ts';
import { isBusyAt, type ScheduledLayouts } from '../../../core/recommendations/schedule.ts';
import {
  type ScheduledSaving,
  scheduledSaving,
  scheduleFor,
} from '../../../core/recommendations/scheduled-saving.ts';
import { commandsOf } from '../../fixtures/findings.ts';
import { aVolume } from '../../fixtures/inventory.ts';

/** A Monday, 00:00 UTC. */
const monday = Date.UTC(2026, 9, 5) / 1_000;
const day = 86_400;

/** What a load does in a minute, counted from its first. */
type RateAt = (minute: number) => { iops: number; mibps?: number };

function loadFrom(days: number, at: RateAt, periodSeconds = 60): VolumeLoad {
  const length = (days * day) / periodSeconds;
  const rates = Array.from({ length }, (_, i) => at((i * periodSeconds) / 60));
  return {
    periodSeconds,
    epochSeconds: Float64Array.from(rates, (_, i) => monday + i * periodSeconds),
    ops: Float64Array.from(rates, ({ iops }) => iops * periodSeconds),
    iops: Float64Array.from(rates, ({ iops }) => iops),
    mibps: Float64Array.from(rates, ({ iops, mibps = iops / 64 }) => mibps),
    ...{ activeTimeIops: null, busyMiBps: null, queueLength: null, latencyMs: null },
    knownSeconds: days * day,
  };
}

const hourOfDay = (minute: number): number => Math.floor(minute / 60) % 24;
const dayOf = (minute: number): number => Math.floor(minute / 1_440);

/** 10,000 IOPS from 01:00 to 03:00 UTC on the days that are asked for, 500 all else. */
const nightly =
  (isOn: (day: number) => boolean = () => true): RateAt =>
  (minute) => ({ iops: [1, 2].includes(hourOfDay(minute)) && isOn(dayOf(minute)) ? 10_000 : 500 });

const minutesOf = (
  minutes: number,
  state: VolumeModification['state'] = 'completed',
): VolumeModification => ({
  ...{ state, startEpochSeconds: monday - day },
  endEpochSeconds: state === 'completed' ? monday - day + minutes * 60 : null,
});

/** As the volume's own limits have it, minute by minute: independent of the replay. */
const throttledIn =
  ({ epochSeconds, iops, mibps }: VolumeLoad) =>
  ({ low, high, busy }: ScheduledLayouts, [from, end]: readonly [number, number]): number =>
    epochSeconds.reduce((minutes, time, i) => {
      const layout = isBusyAt(busy, time) ? high : low;
      const isMore =
        (iops[i] as number) > layout.iops || (mibps[i] as number) > layout.throughputMiBps * (1 + 1e-9);
      return minutes + (time >= from && time < end && isMore ? 1 : 0);
    }, 0);

interface Case {
  load: VolumeLoad;
  volume?: Partial<Volume>;
  modifications?: readonly VolumeModification[] | null;
  throttled?: number;
}

const { ebs } = builtInRegionCatalog('us-east-1').prices;

function savingsOf({ load, volume = {}, modifications = [minutesOf(27)], throttled = 0 }: Case): SavingsOf {
  const all = aVolume({
    ...{ volumeId: 'vol-0123456789abcdef0', sizeGiB: 500, iops: 16_000, throughputMiBps: 500 },
    ...volume,
  });
  const configured = configurationOf(all);
  if (!configured.known || !ebs.known) throw new Error('not a volume');
  const days = load.knownSeconds / day;
  const window = { startEpochSeconds: monday, endEpochSeconds: monday + days * day };
  const { need } = observedNeed(
    load,
    configured.value.config.volumeType,
    window,
    throttled,
    defaultThresholds,
  );
  return {
    ...{ thresholds: defaultThresholds, volume: all, atItsLimit: false, alike: [], freeAttachments: 1 },
    current: { ...configured.value, prices: ebs.value },
    seen: need,
    throttledMinutesWith: () => 0,
    scheduled: { load, modifications, throttledMinutesWith: throttledIn(load) },
  };
}

/** What a schedule must beat: as the volume stands, 500 x 0.08 + 13,000 x 0.005 + 375 x 0.04 = 120. */
const asItStands = 120;
const scheduled = (of: Case) => scheduleFor(savingsOf(of), asItStands);
const savingOf = (...of: Parameters<typeof scheduledSaving>): ScheduledSaving | null => {
  const saving = scheduledSaving(...of);
  return saving.known ? saving.value : null;
};
const kinds = (of: Case): string[] => volumeSavings(savingsOf(of)).map(({ draft }) => draft.kind);

describe('a nightly batch of two hours', () => {
  const of = { load: loadFrom(28, nightly()) };

  test('is scheduled beside the lower figures of the whole month, and saves more', () => {
    const found = volumeSavings(savingsOf(of));
    expect(found.map(({ draft }) => draft.kind)).toEqual(['over-provisioned', 'schedule-iops']);
    // High: 12,500 IOPS and 10,000 / 64 x 1.25 = 196 MiB/s. All month: 40 + 9,500 x 0.005 + 71 x 0.04 = 90.34.
    // (2 h + 30 min) / 24 h of the 50.34 above the 40 that 3,000 IOPS and 125 MiB/s cost: 40 + 5.24 = 45.24.
    const [lower, schedule] = found;
    expect(lower?.recommendations[0]?.monthlyUsdDelta).toBeCloseTo(90.34 - 120, 2);
    expect(schedule?.recommendations[0]?.monthlyUsdDelta).toBeCloseTo(45.24 - 120, 2);
    expect(schedule?.draft.evidence).toMatchObject({
      ...{ scheduledDays: 'daily', busyFromUtc: '01:00', busyUntilUtc: '03:00', raiseAtUtc: '00:30' },
      ...{ lowerAtUtc: '03:00', leadMinutes: 30, longestModificationMinutes: 27, earlierModifications: 1 },
      ...{ recommendedIops: 12_500, recommendedThroughputMiBps: 196, lowIops: 3_000, lowMiBps: 125 },
      ...{ monthlyUsd: 120, allMonthMonthlyUsd: 90.34, recommendedMonthlyUsd: 45.24, highPercent: 10.4167 },
      ...{ historyDays: 28, heldOutDays: 14 },
    });
  });

  test('its steps are two modifications at two times, and nothing that stripewise would change itself', () => {
    const saving = savingOf(savingsOf(of), asItStands);
    const [recommendation] = saving?.recommendations ?? [];
    expect(recommendation).toMatchObject({ action: 'schedule', change: { of: 'schedule' } });
    const [raise, lower, ...more] = commandsOf(recommendation);
    expect(more).toEqual([]);
    expect(raise).toContain("--schedule-expression 'cron(30 0 * * ? *)' --schedule-expression-timezone UTC");
    expect(lower).toContain("--schedule-expression 'cron(0 3 * * ? *)'");
    const inputOf = (command = ''): unknown => {
      const target = JSON.parse(/--target '(.*)'$/.exec(command)?.[1] ?? '{}');
      return JSON.parse(target.Input);
    };
    const VolumeId = 'vol-0123456789abcdef0';
    expect(inputOf(raise)).toEqual({ VolumeId, Iops: 12_500, Throughput: 196 });
    expect(inputOf(lower)).toEqual({ VolumeId, Iops: 3_000, Throughput: 125 });
    expect(recommendation?.steps.filter(({ code }) => code === 'scheduled')).toMatchObject([
      { what: 'raise', days: '*', atUtc: '00:30', command: expect.stringContaining('--iops 12500') },
      { what: 'lower', days: '*', atUtc: '03:00', command: expect.stringContaining('--iops 3000') },
    ]);
  });

  test.each<[string, Partial<Case>, string]>([
    ['nobody told of modifications', { modifications: null }, 'modifications-unknown'],
    ['it was never modified', { modifications: [] }, 'modifications-unknown'],
    [
      'its one modification ends before it began',
      { modifications: [minutesOf(-5)] },
      'modifications-unknown',
    ],
    ['its one modification failed', { modifications: [minutesOf(5, 'failed')] }, 'modifications-unknown'],
    [
      'a modification goes on',
      { modifications: [minutesOf(27), minutesOf(0, 'optimizing')] },
      'modification-not-completed',
    ],
    // 22 h between the batches: room for two of 11 h, and not for two of 11 h 5 min.
    ['a modification took 11 h 1 min', { modifications: [minutesOf(661)] }, 'modifications-too-slow'],
    ['it was throttled: its need is unknown', { throttled: 5 }, 'need-unknown'],
  ])('not where %s', (_, other, code) => {
    expect(scheduled({ ...of, ...other })).toEqual(unknown(expect.objectContaining({ code })));
    expect(kinds({ ...of, ...other })).not.toContain('schedule-iops');
  });

  test('the longest of the earlier modifications is the lead: 11 h just fit', () => {
    const found = scheduled({ ...of, modifications: [minutesOf(27), minutesOf(660), minutesOf(3)] });
    expect(found).toMatchObject(known({ leadMinutes: 660, modifications: { count: 3 } }));
  });
});

test('Monday to Friday: the raise may begin on the day before', () => {
  const at: RateAt = (minute) => ({
    iops: hourOfDay(minute) === 0 && dayOf(minute) % 7 < 5 ? 10_000 : 500,
  });
  const saving = savingOf(savingsOf({ load: loadFrom(28, at) }), asItStands);
  expect(saving?.draft.evidence).toMatchObject({
    ...{ scheduledDays: 'monday-to-friday', busyFromUtc: '00:00', raiseAtUtc: '23:30' },
  });
  const [raise, lower] = commandsOf(saving?.recommendations[0]);
  expect(raise).toContain("'cron(30 23 ? * SUN-THU *)'");
  expect(lower).toContain("'cron(0 1 ? * MON-FRI *)'");
});

test('the scheduler of GovCloud is asked by the ARN of its partition', () => {
  const of = savingsOf({ load: loadFrom(28, nightly()), volume: { region: 'us-gov-west-1' } });
  const found = scheduledSaving(of, asItStands);
  const [raise] = commandsOf(found.known ? found.value.recommendations[0] : undefined);
  expect(raise).toContain('"Arn":"arn:aws-us-gov:scheduler:::aws-sdk:ec2:modifyVolume"');
});

test('hours over midnight are those of the day on which they begin', () => {
  const at: RateAt = (minute) => {
    // From 23:00 of Monday to Friday to 01:00.
    const offset = (hourOfDay(minute) + 1) % 24;
    const began = dayOf(minute - offset * 60);
    return { iops: offset < 2 && ((began % 7) + 7) % 7 < 5 && began >= 0 ? 10_000 : 500 };
  };
  const saving = savingOf(savingsOf({ load: loadFrom(28, at) }), asItStands);
  expect(saving?.draft.evidence).toMatchObject({
    ...{ scheduledDays: 'monday-to-friday', busyFromUtc: '23:00', busyUntilUtc: '01:00' },
  });
  expect(commandsOf(saving?.recommendations[0])[1]).toContain("'cron(0 1 ? * TUE-SAT *)'");
});

test.each<[string, Case, string]>([
  ['fewer than 14 days', { load: loadFrom(13, nightly()) }, 'short-history'],
  ['points of five minutes', { load: loadFrom(28, nightly(), 300) }, 'points-over-a-minute'],
  [
    'a batch on weekends only',
    {
      load: loadFrom(
        28,
        nightly((one) => one % 7 > 4),
      ),
    },
    'no-rhythm',
  ],
  [
    'one batch in four weeks',
    {
      load: loadFrom(
        28,
        nightly((one) => one === 20),
      ),
    },
    'no-rhythm',
  ],
  ['a need of all day', { load: loadFrom(28, () => ({ iops: 10_000 })) }, 'no-rhythm'],
  [
    'a batch at another hour each day',
    {
      load: loadFrom(28, (minute) => ({
        iops: hourOfDay(minute) === (7 * dayOf(minute)) % 24 ? 10_000 : 500,
      })),
    },
    'no-rhythm',
  ],
  [
    'a batch that became longer in the later half',
    {
      load: loadFrom(28, (minute) => ({
        iops: [1, 2, ...(dayOf(minute) > 20 ? [3] : [])].includes(hourOfDay(minute)) ? 10_000 : 500,
      })),
    },
    'differs-on-other-days',
  ],
  [
    'gp2, whose figures follow from its size',
    { load: loadFrom(28, nightly()), volume: { volumeType: 'gp2', iops: null, throughputMiBps: null } },
    'figures-not-provisioned',
  ],
])('not for %s', (_, of, code) => {
  const { load, ...rest } = of;
  // Points of five minutes hide bursts unless the idle time is known: then the need is known too.
  const idle = new Float64Array(load.iops.length);
  const withIdle = load.periodSeconds === 60 ? load : { ...load, idleSeconds: idle };
  expect(scheduled({ load: withIdle, ...rest })).toEqual(unknown(expect.objectContaining({ code })));
});

test.each<[string, readonly VolumeModification[] | null]>([
  ['are not known', null],
  ['took long', [minutesOf(700)]],
])('a load without a rhythm is not said to lack one for its modifications: they %s', (_, modifications) => {
  const atAll = { load: loadFrom(28, () => ({ iops: 10_000 })), modifications };
  expect(scheduled(atAll)).toEqual(unknown({ code: 'no-rhythm' }));
  expect(scheduled({ load: loadFrom(13, nightly()), modifications })).toEqual(
    unknown({ code: 'short-history', days: 13 }),
  );
});

test('what is tried on the later half is made of the earlier half alone', () => {
  /** What was tried first, and on which part. */
  const triedFirst = (load: VolumeLoad) => {
    const tried: [ScheduledLayouts, readonly [number, number]][] = [];
    const of = savingsOf({ load });
    const throttledMinutesWith: typeof throttledIn extends (load: VolumeLoad) => infer With ? With : never = (
      ...asked
    ) => {
      tried.push(asked);
      return 0;
    };
    scheduleFor(
      { ...of, scheduled: { load, modifications: [minutesOf(27)], throttledMinutesWith } },
      asItStands,
    );
    return tried[0];
  };
  const later = (minute: number): boolean => dayOf(minute) >= 14;
  const same = triedFirst(loadFrom(28, nightly()));
  const higher = triedFirst(
    loadFrom(28, (minute) => {
      const { iops } = nightly()(minute);
      return { iops: later(minute) && iops > 500 ? 11_000 : iops };
    }),
  );
  expect(same?.[1]).toEqual([monday + 14 * day, monday + 28 * day]);
  expect(higher).toEqual(same);
});

test('lower figures all month win where they are enough', () => {
  // 2,000 x 1.25 are within the 3,000 that are free: nothing is left for a schedule to save.
  const load = loadFrom(28, (minute) => ({ iops: [1, 2].includes(hourOfDay(minute)) ? 2_000 : 100 }));
  expect(kinds({ load })).toEqual(['over-provisioned']);
});

test('another type that costs less all month wins', () => {
  // io1 of 500 GiB and 4,000 IOPS: 62.5 + 260; gp3 with all of them 45, less than the storage of io1 alone.
  const load = loadFrom(28, (minute) => ({ iops: [1, 2].includes(hourOfDay(minute)) ? 3_000 : 100 }));
  const volume = { volumeType: 'io1', iops: 4_000, throughputMiBps: null };
  expect(kinds({ load, volume })).toEqual(['cheaper-type']);
});

test('throughput of gp3 is scheduled too, and IOPS of io2 without throughput', () => {
  const mibps = loadFrom(28, (minute) => ({ iops: 500, mibps: hourOfDay(minute) === 1 ? 800 : 20 }));
  const gp3 = savingOf(savingsOf({ load: mibps, volume: { throughputMiBps: 1_000 } }), 140);
  // An I/O of 1.6 MiB counts as several: 500 + 3,200 at 256 KiB, with headroom 4,625.
  expect(gp3?.draft.evidence).toMatchObject({ recommendedThroughputMiBps: 1_000, recommendedIops: 4_625 });
  expect(gp3?.draft.evidence.lowMiBps).toBe(125);
  const io2 = savingOf(
    savingsOf({
      load: loadFrom(28, nightly()),
      volume: { volumeType: 'io2', iops: 16_000, throughputMiBps: null },
    }),
    1_000,
  );
  expect(commandsOf(io2?.recommendations[0]).join()).not.toContain('Throughput');
  expect(io2?.draft.evidence).toMatchObject({ recommendedIops: 12_500, lowIops: 625 });
});

describe('whatever the load', () => {
  const loads = fc.record({
    days: fc.integer({ min: 14, max: 22 }),
    fromHour: fc.integer({ min: 0, max: 23 }),
    hours: fc.integer({ min: 1, max: 12 }),
    high: fc.integer({ min: 1_000, max: 12_000 }),
    low: fc.integer({ min: 10, max: 4_000 }),
    /** Days without the batch. */
    without: fc.array(fc.integer({ min: 0, max: 21 }), { maxLength: 4 }),
    /** Hours of the history with something else. */
    odd: fc.array(fc.tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 10, max: 12_000 })), {
      maxLength: 3,
    }),
    longestMinutes: fc.integer({ min: 0, max: 800 }),
  });

  test('it throttles no minute, has room for both modifications, and costs what arithmetic says', () => {
    let found = 0;
    fc.assert(
      fc.property(loads, ({ days, fromHour, hours, high, low, without, odd, longestMinutes }) => {
        const odds = new Map(odd);
        const load = loadFrom(days, (minute) => {
          const isBatch =
            (hourOfDay(minute) - fromHour + 24) % 24 < hours && !without.includes(dayOf(minute));
          return { iops: odds.get(Math.floor(minute / 60)) ?? (isBatch ? high : low) };
        });
        const of = savingsOf({ load, modifications: [minutesOf(longestMinutes)] });
        const saving = savingOf(of, asItStands);
        if (saving === null) return;
        found++;
        const { evidence } = saving.draft;
        const minuteOf = (clock: string): number => 60 * Number(clock.slice(0, 2)) + Number(clock.slice(3));
        const from = minuteOf(evidence.busyFromUtc);
        const length = (minuteOf(evidence.busyUntilUtc) - from + 1_440) % 1_440;
        const isHigh = (minute: number): boolean => {
          const offset = ((minute % 1_440) - from + 1_440) % 1_440;
          const began = Math.floor((minute - offset) / 1_440);
          return offset < length && (evidence.scheduledDays === 'daily' || ((began % 7) + 7) % 7 < 5);
        };
        // No minute needs more than it has.
        const throttled = load.iops.filter(
          (rate, minute) => rate > (isHigh(minute) ? evidence.recommendedIops : evidence.lowIops),
        );
        expect(throttled).toHaveLength(0);
        // Two modifications a day, each completed before the next begins.
        const lead = (from - minuteOf(evidence.raiseAtUtc) + 1_440) % 1_440;
        expect(lead).toBe(evidence.leadMinutes);
        expect(lead).toBeGreaterThanOrEqual(longestMinutes);
        expect(1_440 - length - lead).toBeGreaterThanOrEqual(longestMinutes);
        expect(saving.recommendations[0]?.steps.filter(({ code }) => code === 'scheduled')).toHaveLength(2);
        // 500 GiB at 0.08, IOPS above 3,000 at 0.005, MiB/s above 125 at 0.04; high from the raise to the lowering.
        const usdOf = (iops: number, mibps: number): number =>
          40 + Math.max(0, iops - 3_000) * 0.005 + Math.max(0, mibps - 125) * 0.04;
        const share = ((evidence.scheduledDays === 'daily' ? 7 : 5) * (length + lead)) / (7 * 1_440);
        const [lowUsd, highUsd] = [
          usdOf(evidence.lowIops, evidence.lowMiBps),
          usdOf(evidence.recommendedIops, evidence.recommendedThroughputMiBps),
        ];
        expect(evidence.recommendedMonthlyUsd).toBeCloseTo(lowUsd + share * (highUsd - lowUsd), 1);
        expect(evidence.recommendedMonthlyUsd).toBeLessThanOrEqual(asItStands - 5 + 0.01);
      }),
      { numRuns: 40, seed: 34 },
    );
    expect(found).toBeGreaterThan(5);
  });
});
