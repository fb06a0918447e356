import { judgeInstance } from '../../../core/diagnosis/judge-instance.ts';
import type { Instance } from '../../../core/inventory.ts';
import { metricSet, type Points, repeat } from '../../fixtures/metric-set.ts';

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

function kinds(points: Points, periodSeconds = 60): string[] {
  const found = judgeInstance(instance, metricSet(points, periodSeconds), ['vol-1'], day);
  if (!found.known) throw new Error(found.because);
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

test('the throughput check is told as throughput', () => {
  const points = { InstanceEBSIOPSExceededCheck: ones(0), InstanceEBSThroughputExceededCheck: ones(10) };
  expect(kinds(points)).toEqual(['throttled-instance-throughput warning']);
});

test('a minute in which both were exceeded is told as IOPS', () => {
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
  expect(judgeInstance(instance, metricSet({}), [], day)).toEqual({
    known: false,
    because: expect.stringContaining('no EBS metrics'),
  });
  const little = metricSet({ InstanceEBSIOPSExceededCheck: repeat(10, 0) });
  expect(judgeInstance(instance, little, [], day)).toEqual({
    known: false,
    because: expect.stringContaining('only 10 minutes'),
  });
});
