import { evaluateInstance } from '../../../core/diagnosis/evaluate-instance.ts';
import { instanceEvidence } from '../../../core/diagnosis/instance-evidence.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';
import type { Instance } from '../../../core/inventory.ts';
import { metricSet, type Points, repeat } from '../../fixtures/metric-set.ts';
import { ebs } from '../../fixtures/region-catalog.ts';
import { evidenceOf as evidenceOfVolumes, loadAt } from './one-instance.ts';

const instance: Instance = {
  instanceId: 'i-0123456789abcdef0',
  instanceType: 'm6i.large',
  state: 'running',
  region: 'us-east-1',
  account: null,
  name: 'db',
  bandwidthWeighting: null,
};
const day = { startEpochSeconds: 0, endEpochSeconds: 86_400 };

/** By its own metrics alone. */
const evidenceOf = (points: Points, periodSeconds = 60) =>
  instanceEvidence(
    { metrics: metricSet(points, periodSeconds), figures: null, loads: [], volumes: 1 },
    defaultThresholds,
  );

function kinds(points: Points, periodSeconds = 60): string[] {
  const found = evaluateInstance(
    instance,
    evidenceOf(points, periodSeconds),
    null,
    ['vol-1'],
    day,
    defaultThresholds,
  );
  if (!found.known) throw new Error(found.reason.code);
  return found.value.map(({ kind, severity }) => `${kind} ${severity}`);
}

/** A day of minutes, 1 in so many of them from minute 100 on. */
const ones = (count: number): number[] =>
  Array.from({ length: 1_440 }, (_, i) => (i >= 100 && i < 100 + count ? 1 : 0));

test.each([
  [4, []],
  [5, ['throttled-instance-iops warning']],
  [59, ['throttled-instance-iops warning']],
  [60, ['throttled-instance-iops critical']],
])('%d minutes of the IOPS check: %j', (count, expected) => {
  expect(kinds({ InstanceEBSIOPSExceededCheck: ones(count) })).toEqual(expected);
});

test('the throughput check is reported as throughput', () => {
  const points = { InstanceEBSIOPSExceededCheck: ones(0), InstanceEBSThroughputExceededCheck: ones(10) };
  expect(kinds(points)).toEqual(['throttled-instance-throughput warning']);
});

test('a minute in which both were exceeded is reported as IOPS', () => {
  const points = { InstanceEBSIOPSExceededCheck: ones(10), InstanceEBSThroughputExceededCheck: ones(10) };
  expect(kinds(points)).toEqual(['throttled-instance-iops warning']);
});

test('without checks a balance that stays empty is exhausted credits; one that touches empty and recovers is not', () => {
  const balance = (...empty: number[]): number[] =>
    Array.from({ length: 288 }, (_, i) => (empty.includes(i) ? 0.5 : 60));
  expect(kinds({ 'EBSIOBalance%': balance(20) }, 300)).toEqual([]);
  expect(kinds({ 'EBSIOBalance%': balance(20, 21) }, 300)).toEqual(['instance-credits-exhausted warning']); // 5 minutes
  expect(kinds({ 'EBSByteBalance%': balance(20, 21, 22, 23) }, 300)).toEqual([
    'instance-credits-exhausted critical',
  ]); // 15
});

test('an instance without metrics is unknown, and so is one with ten minutes of a day', () => {
  expect(evaluateInstance(instance, evidenceOf({}), null, [], day, defaultThresholds)).toEqual({
    known: false,
    reason: { code: 'no-ebs-metrics', isStopped: false },
  });
  const little = evidenceOf({ InstanceEBSIOPSExceededCheck: repeat(10, 0) });
  expect(evaluateInstance(instance, little, null, [], day, defaultThresholds)).toEqual({
    known: false,
    reason: { code: 'too-few-minutes-of-ebs', knownMinutes: 10 },
  });
});

describe('a Xen instance of 10,000 IOPS and 500 MiB/s, which publishes nothing of its own', () => {
  const xen = { ...instance, instanceType: 'm4.4xlarge' };
  /** A volume at 100 IOPS, and from minute 100 on at more. */
  const volume = (iops: number, minutes: number) =>
    loadAt([...repeat(100, 100), ...repeat(minutes, iops), ...repeat(1_340 - minutes, 100)]);
  const volumes = (minutes: number) => [volume(6_000, minutes), volume(4_000, minutes)];
  /** Its volumes together do its 10,000 for so many minutes, and one of them waits in so many. */
  const evaluate = (minutes: number, felt: number, seen: { volumes?: number } = {}) => {
    const evidence = evidenceOfVolumes({ figures: ebs(10_000, 500), loads: volumes(minutes), ...seen });
    evidence.felt.fill(1, 100, 100 + felt);
    return evaluateInstance(xen, evidence, ebs(10_000, 500), ['vol-1', 'vol-2'], day, defaultThresholds);
  };

  test.each([
    [10, 10, ['throttled-instance-iops warning']],
    [60, 60, ['throttled-instance-iops critical']],
    [60, 5, ['throttled-instance-iops warning']], // minutes in which nobody waited do not count
    [60, 4, []],
    [60, 0, []],
    [4, 4, []],
  ])('%d minutes at its limit of which %d were felt: %j', (minutes, felt, expected) => {
    const found = evaluate(minutes, felt);
    if (!found.known) throw new Error(found.reason.code);
    expect(found.value.map(({ kind, severity }) => `${kind} ${severity}`)).toEqual(expected);
  });

  test('a minute that was felt below the limit is none', () => {
    const evidence = evidenceOfVolumes({ figures: ebs(10_000, 500), loads: volumes(10) });
    evidence.felt.fill(1, 0, 100);
    expect(evaluateInstance(xen, evidence, ebs(10_000, 500), [], day, defaultThresholds)).toEqual({
      known: true,
      value: [],
    });
  });

  test('the finding says what it rests on', () => {
    expect(evaluate(10, 10)).toMatchObject({
      value: [
        {
          resource: { type: 'instance', id: instance.instanceId },
          status: 'ended',
          firstSeen: '1970-01-01T01:40:00Z', // minute 100
          limit: { what: 'maximum', value: 10_000, unit: 'IOPS', scope: 'instance' },
          confidence: 'medium',
          evidence: {
            throttledMinutesPeak24h: 10,
            topIopsOfAllVolumes: 10_000,
            topMiBpsOfAllVolumes: 156.25, // 10,000 x 16 KiB
            balanceBasis: 'none',
            lowestIoBalancePercent: null,
            lowestByteBalancePercent: null,
            replayDeviationPoints: null,
            volumes: ['vol-1', 'vol-2'],
            decidedBy: 'sum-of-volumes',
          },
        },
      ],
    });
  });

  test('where one more volume is not seen the sum proves what it shows, and nothing by what it does not', () => {
    expect(evaluate(10, 10, { volumes: 3 })).toMatchObject({ known: true, value: [{ severity: 'warning' }] });
    expect(evaluate(10, 0, { volumes: 3 })).toEqual({
      known: false,
      reason: { code: 'volumes-in-part' },
    });
  });
});

describe('an instance of 1,000 IOPS that bursts to 4,000, without a published balance', () => {
  // (4,000 - 1,000) x 1,800 s of credits: 30 minutes at 4,000, then 20 at its baseline
  const rates = [...repeat(100, 100), ...repeat(30, 4_000), ...repeat(20, 1_000), ...repeat(1_290, 100)];
  const bursting = ebs(1_000, 500, { maximumIops: 4_000 });

  test('its credits are modelled from the sum, and the minutes at the baseline are theirs', () => {
    const evidence = evidenceOfVolumes({ figures: bursting, loads: [loadAt(rates)] });
    evidence.felt.fill(1, 130, 150);
    expect(evaluateInstance(instance, evidence, bursting, ['vol-1'], day, defaultThresholds)).toMatchObject({
      value: [
        {
          kind: 'instance-credits-exhausted',
          severity: 'critical', // 15 minutes and more
          limit: { what: 'baseline', value: 1_000, unit: 'IOPS', scope: 'instance' },
          evidence: {
            throttledMinutesPeak24h: 20,
            balanceBasis: 'simulated',
            lowestIoBalancePercent: 0,
            lowestByteBalancePercent: null, // its bytes do not burst
          },
        },
      ],
    });
  });

  test('at its baseline by its own checks it has no credits left, whatever is published', () => {
    const points: Points = { InstanceEBSIOPSExceededCheck: rates.map((rate) => (rate === 1_000 ? 1 : 0)) };
    const evidence = evidenceOfVolumes({ figures: bursting, loads: [loadAt(rates)], volumes: 2, points });
    expect(evaluateInstance(instance, evidence, bursting, ['vol-1'], day, defaultThresholds)).toMatchObject({
      value: [
        {
          kind: 'instance-credits-exhausted',
          confidence: 'high',
          evidence: { balanceBasis: 'none', decidedBy: 'check', throttledMinutesPeak24h: 20 },
        },
      ],
    });
  });
});

test('what most of its minutes rest on is what decided', () => {
  // Ten minutes by the check, then five without a figure of it in which the sum is at the limit and somebody waits
  const known = Array.from({ length: 1_440 }, (_, i) => (i >= 110 && i < 115 ? undefined : 0));
  const points: Points = {
    InstanceEBSIOPSExceededCheck: known.map((value, i) => (i >= 100 && i < 110 ? 1 : value)),
    InstanceEBSThroughputExceededCheck: repeat(1_440, 0),
  };
  const loads = [loadAt(Array.from({ length: 1_440 }, (_, i) => (i >= 100 && i < 115 ? 10_000 : 100)))];
  const evidence = evidenceOfVolumes({ figures: ebs(10_000, 500), loads, points });
  evidence.felt.fill(1);
  expect(evaluateInstance(instance, evidence, ebs(10_000, 500), [], day, defaultThresholds)).toMatchObject({
    value: [{ confidence: 'high', evidence: { throttledMinutesPeak24h: 15, decidedBy: 'check' } }],
  });
});

describe('with the load of all its volumes known, a check counts', () => {
  /** 40,000 IOPS at most. Ten minutes with a check of 1. */
  function kindsAt(iops: number, isFelt: boolean): string[] {
    const figures = ebs(40_000, 1_250);
    const points = {
      InstanceEBSIOPSExceededCheck: [...repeat(50, 0), ...repeat(10, 1)],
      InstanceEBSThroughputExceededCheck: repeat(60, 0),
    };
    const loads = [loadAt([...repeat(50, 100), ...repeat(10, iops)])];
    const evidence = evidenceOfVolumes({ points, figures, loads });
    if (isFelt) evidence.felt.fill(1);
    const hour = { startEpochSeconds: 0, endEpochSeconds: 3_600 };
    const found = evaluateInstance(instance, evidence, figures, ['vol-1'], hour, defaultThresholds);
    if (!found.known) throw new Error(found.reason.code);
    return found.value.map(({ kind }) => kind);
  }

  test.each([
    ['where a volume waited', 32_000, true, ['throttled-instance-iops']],
    ['not where none did', 32_000, false, []],
    ['not below 80 % of the limit: a burst of seconds', 31_900, true, []],
  ])('%s', (_what, iops, isFelt, expected) => {
    expect(kindsAt(iops, isFelt)).toEqual(expected);
  });
});
