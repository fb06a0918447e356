/** Minutes at a limit, as CloudWatch publishes them, as a share of the time of a test. */
import {
  type CheckUnknown,
  type ExceededChecks,
  sharesOf,
} from '../../../core/report-card/exceeded-checks.ts';

const minute = (number: number): number => number * 60;
const looked = [0, 1, 2, 3, 4].map(minute);
const none = { looked, exceeded: [] };
const checks = (volume: object = {}, instance: object = {}): ExceededChecks => ({
  volumes: { 'vol-1': { iops: none, throughput: none, ...volume } },
  instance: { iops: none, throughput: none, ...instance },
});
const during = (from: number, to: number) => ({ fromEpochSeconds: from, toEpochSeconds: to });

test('whole minutes of the test count, those that it began or ended in do not', () => {
  const iops = { looked, exceeded: [minute(0), minute(1), minute(3)] };
  // From second 30 to second 270: minutes 1, 2 and 3; of them 1 and 3.
  expect(sharesOf(checks({ iops }), 'vol-1', during(30, 270))).toEqual({
    known: true,
    value: { 'volume-iops': 2 / 3, 'volume-throughput': 0, 'instance-iops': 0, 'instance-throughput': 0 },
  });
});

test('the instance is distinguished from the volume', () => {
  const shares = sharesOf(checks({}, { throughput: { looked, exceeded: looked } }), 'vol-1', during(0, 300));
  expect(shares).toMatchObject({ value: { 'instance-throughput': 1, 'volume-throughput': 0 } });
});

test.each<[string, ExceededChecks, string, number, CheckUnknown]>([
  [
    'a volume that nothing is published of',
    checks(),
    'vol-2',
    300,
    { code: 'no-whole-minute-of-volume', volumeId: 'vol-2' },
  ],
  [
    'a test without a whole minute',
    checks(),
    'vol-1',
    59,
    { code: 'no-whole-minute-of-volume', volumeId: 'vol-1' },
  ],
  [
    'an instance that nothing is published of',
    checks({}, { iops: { looked: [], exceeded: [] } }),
    'vol-1',
    300,
    { code: 'no-whole-minute-of-instance' },
  ],
])('%s is unknown', (_, notified, volumeId, to, reason) => {
  expect(sharesOf(notified, volumeId, during(0, to))).toEqual({ known: false, reason });
});
