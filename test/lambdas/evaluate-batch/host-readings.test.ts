/** What hosts counted is kept for the run that follows; where it cannot be, the run goes on and says so. */
import { AccessDenied, Unreadable } from '../../../core/errors.ts';
import type { HostReading } from '../../../core/host/ebs-statistics.ts';
import type { HostEvidence } from '../../../core/stripes/host-evidence.ts';
import { keepHostReadings } from '../../../lambdas/evaluate-batch/host-readings.ts';

const day = 86_400;
const reading = (epochSeconds: number): HostReading => ({
  ...{ epochSeconds, uptimeSeconds: null, bootId: 'a', volumes: [] },
});
const host = (readings?: HostReading[]): HostEvidence => ({
  ...{ arrays: [], singleVolumeIds: [], notes: [], readings },
});
const [first, second] = ['i-0123456789abcdef0', 'i-0123456789abcdef1'];

test('the readings of a host are those of before and that of now', async () => {
  const stored = new Map([[first, [reading(20 * day)]]]);
  const asked = new Map([
    [first, host([reading(21 * day)])],
    [second, host()],
  ]);
  const changed: string[] = [];
  const { hosts, notices, incomplete } = await keepHostReadings(asked, async (id, change) => {
    changed.push(id);
    const after = change(stored.get(id) ?? []);
    stored.set(id, after);
    return after;
  });
  expect([notices, incomplete]).toEqual([[], []]);
  expect(changed).toEqual([first]);
  expect(hosts.get(first)?.readings).toEqual([reading(20 * day), reading(21 * day)]);
  expect(hosts.get(second)?.readings).toBeUndefined();
  expect(stored.get(first)).toEqual([reading(20 * day), reading(21 * day)]);
});

test.each([
  [new Unreadable('s3:GetObject of hosts/ failed'), 'notices'],
  [new AccessDenied('s3:PutObject of hosts/ failed'), 'incomplete'],
] as const)('%s is one of the %s, and the reading of now is used', async (error, where) => {
  const asked = new Map([first, second].map((id) => [id, host([reading(21 * day)])]));
  const kept = await keepHostReadings(asked, () => Promise.reject(error));
  expect(kept[where]).toEqual([{ code: 'host-readings-not-kept', count: 2, reason: error.message }]);
  expect(kept.hosts.get(first)?.readings).toEqual([reading(21 * day)]);
});
