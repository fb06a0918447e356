/** Events for EventBridge: one for each finding, in batches that PutEvents takes. */
import fc from 'fast-check';
import { run } from '../../../core/recommendations/recommendation.ts';
import { type EventEntry, eventDigest, eventEntries } from '../../../report/event/notification-event.ts';
import { jsonWithin } from '../../../report/event/within-bytes.ts';
import { aDigest } from '../../fixtures/digests.ts';
import { aFinding, aNotification, findingsOnVolumes, onVolume, someLinks } from '../../fixtures/findings.ts';
import {
  notifiedTimes,
  untrustedDigest,
  untrustedNotification,
} from '../../fixtures/untrusted-notification.ts';
import { detailOf, eventComplaints } from './event-complaints.ts';

test('a finding that changed is an event with the id of its change', () => {
  const finding = aFinding({
    id: '0123456789abcdef',
    resource: onVolume('vol-0123456789abcdef0', { name: 'db', account: '111122223333' }),
  });
  const [[entry] = [], ...more] = eventEntries(aNotification([finding], 'worse', someLinks));
  if (entry === undefined) throw new Error('there is one');
  expect(more).toEqual([]);
  expect(entry).toMatchObject({
    source: 'stripewise',
    detailType: 'stripewise finding worse',
    resources: ['arn:aws:ec2:us-east-1:111122223333:volume/vol-0123456789abcdef0'],
  });
  expect(detailOf(entry)).toMatchObject({
    ...{ version: 2, changeId: 'message-1:0123456789abcdef', notificationId: 'message-1', runId: 'run-1' },
    ...{ findingId: '0123456789abcdef', change: 'worse', severity: 'warning', kind: 'throttled-volume-iops' },
    lines: [
      { label: 'Problem', text: expect.stringMatching(/^Worse\. Throttled at its maximum/) },
      {},
      {},
      {},
      {},
    ],
    finding: {
      evidence: finding.evidence,
      recommendations: finding.recommendations,
      url: someLinks('0123456789abcdef'),
    },
  });
});

test('of a volume in an account that is not known there is no ARN', () => {
  const resource = onVolume('vol-0123456789abcdef0');
  const [[entry] = []] = eventEntries(aNotification([aFinding({ resource })]));
  expect(entry?.resources).toEqual([]);
});

test.each([
  ['cn-north-1', 'aws-cn'],
  ['us-gov-west-1', 'aws-us-gov'],
  ['eusc-de-east-1', 'aws-eusc'],
  ['eu-central-1', 'aws'],
])('in %s the partition is %s', (region, partition) => {
  const resource = onVolume('vol-0123456789abcdef0', { region, account: '111122223333' });
  const [[entry] = []] = eventEntries(aNotification([aFinding({ resource })]));
  expect(entry?.resources[0]).toMatch(new RegExp(`^arn:${partition}:ec2:${region}:`));
});

test('ten go in a batch, and what was left out is an event too', () => {
  const batches = eventEntries({ ...aNotification(findingsOnVolumes(25)), notShown: 4 });
  expect(batches.map((batch) => batch.length)).toEqual([10, 10, 6]); // 25 + 1
  const last = batches.at(-1)?.at(-1);
  expect(last?.detailType).toBe('stripewise findings left out');
  expect(JSON.parse(last?.detail ?? '')).toMatchObject({ changeId: 'message-1:left-out', notShown: 4 });
});

test('large events make batches of fewer', () => {
  const [first] = aFinding().recommendations;
  const recommendations = Array.from({ length: 40 }, () => ({
    ...first,
    steps: [run('x'.repeat(3_100))],
  })) as never;
  const batches = eventEntries(notifiedTimes(aNotification([aFinding({ recommendations })]), 12));
  // With its other fields a piece of recommendation is about 4 KB, an event 160 KB: 6 are below 1 MB, 7 above.
  expect(batches.map((batch) => batch.length)).toEqual([6, 6]);
  expect(eventComplaints(batches)).toEqual([]);
});

test('whatever stands in the account: within every limit, and an event for each finding', () => {
  fc.assert(
    fc.property(untrustedNotification(20), (notification) => {
      const batches = eventEntries(notification);
      expect(eventComplaints(batches)).toEqual([]);
      const all = batches.flat();
      const changed = all.filter(({ detailType }) => detailType.startsWith('stripewise finding '));
      expect(changed).toHaveLength(notification.notified.length);
      expect(new Set(changed.map((entry) => detailOf(entry)['changeId'])).size).toBe(
        notification.notified.length,
      );
      const leftOut = all.find((entry) => !changed.includes(entry));
      expect(leftOut === undefined ? 0 : detailOf(leftOut)['notShown']).toBe(notification.notShown);
    }),
    { numRuns: 25 },
  );
});

test('thousands of findings are all told', () => {
  const batches = eventEntries(notifiedTimes(aNotification([aFinding()]), 3_000));
  expect(batches).toHaveLength(300);
  expect(eventComplaints(batches)).toEqual([]);
});

test('a digest is one event', () => {
  const [[entry] = []] = eventDigest(aDigest());
  if (entry === undefined) throw new Error('there is one');
  expect(entry.detailType).toBe('stripewise digest');
  expect(detailOf(entry)).toMatchObject({
    ...{ version: 2, changeId: 'digest-2026-11-20', opened: 2, resolved: 1, notShown: 2 },
    first: [{ kind: 'throttled-volume-iops' }],
  });
});

test('whatever a digest holds: within every limit, and every finding is shown or counted', () => {
  fc.assert(
    fc.property(untrustedDigest(20), (digest) => {
      const batches = eventDigest(digest);
      expect(eventComplaints(batches)).toEqual([]);
      const { first, notShown } = detailOf(batches[0]?.[0] as EventEntry) as {
        first: unknown[];
        notShown: number;
      };
      expect(first.length + notShown).toBe(digest.first.length + digest.notShown);
    }),
    { numRuns: 25 },
  );
});

describe('a document within a number of bytes', () => {
  test('is the same where it fits', () => {
    const value = { a: 'x', b: [1, null, true], c: { d: 'y' } };
    expect(JSON.parse(jsonWithin(value, 100) ?? '')).toEqual(value);
  });

  test('is cut where it does not, and keeps its form', () => {
    const cut = JSON.parse(jsonWithin({ a: 'x'.repeat(10_000), b: 1 }, 5_000) ?? '') as {
      a: string;
      b: number;
    };
    expect(cut.a).toHaveLength(4_000);
    expect(cut.b).toBe(1);
  });

  test('is none where even that is too long', () => {
    expect(jsonWithin({ a: 'x'.repeat(100) }, 50)).toBeNull();
  });
});
