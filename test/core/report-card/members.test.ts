/** Who carried how much, who waited, and which limit ended it. */
import type { MemberCounters } from '../../../core/report-card/fio-result.ts';
import { limitThatEnded, membersOf, slowMembers } from '../../../core/report-card/members.ts';

interface Did {
  reads: number;
  readMs?: number;
  /** Of 10 s. */
  exceededSeconds?: Partial<
    Record<'volumeIops' | 'volumeThroughput' | 'instanceIops' | 'instanceThroughput', number>
  >;
}

function counters(
  name: string,
  { reads, readMs = 0, exceededSeconds }: Did,
  seconds: number,
): MemberCounters {
  const at = (share: 0 | 1) => ({
    uptimeSeconds: 100 + share * seconds,
    disk: {
      ...{ reads: 1_000 + share * reads, readSectors: 0, readMs: 50 + share * readMs, writes: 0 },
      ...{ writeSectors: 0, writeMs: 0, inFlight: 0, busyMs: 0, queueMs: 0 },
    },
    ...(exceededSeconds === undefined
      ? { ebs: null, ebsReason: 'nvme-cli is not there' }
      : {
          ebs: {
            ...{ readOps: 0, writeOps: 0, readBytes: 0, writeBytes: 0 },
            volumeIopsExceededMicroseconds: share * (exceededSeconds.volumeIops ?? 0) * 1e6,
            volumeThroughputExceededMicroseconds: share * (exceededSeconds.volumeThroughput ?? 0) * 1e6,
            instanceIopsExceededMicroseconds: share * (exceededSeconds.instanceIops ?? 0) * 1e6,
            instanceThroughputExceededMicroseconds: share * (exceededSeconds.instanceThroughput ?? 0) * 1e6,
          },
        }),
  });
  return { volumeId: `vol-${name}`, device: name, before: at(0), after: at(1) };
}
const during = (seconds: number, ...all: readonly Did[]) =>
  membersOf(all.map((did, index) => counters(`nvme${index}n1`, did, seconds)));
const of = (...all: readonly Did[]) => during(10, ...all);

test('each has its rate, its share and what an operation waited', () => {
  const [first, second] = of({ reads: 3_000, readMs: 6_000 }, { reads: 1_000, readMs: 20_000 });
  expect(first).toMatchObject({ iops: 300, share: 0.75, waitMs: 2 });
  expect(second).toMatchObject({ iops: 100, share: 0.25, waitMs: 20 });
});

test('a disk that did nothing has no wait', () => {
  expect(of({ reads: 0 })[0]).toMatchObject({ iops: 0, share: 0, waitMs: null });
});

test('a disk that went while it was measured has no figures', () => {
  const gone = counters('nvme1n1', { reads: 10 }, 10);
  expect(membersOf([{ ...gone, after: { ...gone.after, disk: null } }])[0]).toMatchObject({
    iops: 0,
    waitMs: null,
  });
});

test.each([
  [{ volumeIops: 9 }, 'volume-iops'],
  [{ volumeThroughput: 5, volumeIops: 1 }, 'volume-throughput'],
  [{ instanceIops: 8, volumeIops: 2 }, 'instance-iops'],
  [{ instanceThroughput: 1 }, 'instance-throughput'],
])('where most of the time was spent at a limit, that ended it: %j', (exceededSeconds, limit) => {
  const members = of({ reads: 1, exceededSeconds: {} }, { reads: 1, exceededSeconds });
  expect(limitThatEnded(members)).toEqual({ known: true, value: limit });
});

test('below a tenth of the time none has ended it', () => {
  expect(limitThatEnded(of({ reads: 1, exceededSeconds: { volumeIops: 0.9 } }))).toEqual({
    known: true,
    value: null,
  });
});

test('what a device does not tell CloudWatch may', () => {
  const uptime = { reads: 1 };
  const looked = [0, 60, 120];
  const none = { looked, exceeded: [] };
  const notified = {
    checks: {
      volumes: { 'vol-nvme0n1': { iops: { looked, exceeded: looked }, throughput: none } },
      instance: { iops: none, throughput: none },
    },
    span: { fromEpochSeconds: 0, toEpochSeconds: 180 },
  };
  const silent = [counters('nvme0n1', uptime, 180)];
  expect(limitThatEnded(membersOf(silent, notified))).toEqual({ known: true, value: 'volume-iops' });
  // The device itself is heard first.
  const notifying = [counters('nvme0n1', { reads: 1, exceededSeconds: {} }, 180)];
  expect(limitThatEnded(membersOf(notifying, notified))).toEqual({ known: true, value: null });
  const strange = [counters('nvme1n1', uptime, 180)];
  expect(limitThatEnded(membersOf(strange, notified))).toEqual({
    known: false,
    reason: {
      ...{ code: 'no-whole-minute-of-volume', volumeId: 'vol-nvme1n1' },
      deviceSays: 'nvme-cli is not there',
    },
  });
});

test('what a device does not tell is unknown', () => {
  expect(limitThatEnded(of({ reads: 1 }))).toEqual({
    known: false,
    reason: { code: 'device-silent', deviceSays: 'nvme-cli is not there' },
  });
  expect(limitThatEnded(of({ reads: 1 }, { reads: 1, exceededSeconds: {} }))).toEqual({
    known: false,
    reason: { code: 'some-disks-silent', silent: 1, disks: 2 },
  });
  expect(limitThatEnded([])).toEqual({ known: false, reason: { code: 'no-disk' } });
});

const fast = { reads: 100, readMs: 100 };

test('who waits twice what the others do is slow', () => {
  expect(
    slowMembers(during(30, fast, fast, { reads: 100, readMs: 210 })).map(({ device }) => device),
  ).toEqual(['nvme2n1']);
  expect(slowMembers(during(30, fast, fast, { reads: 100, readMs: 190 }))).toEqual([]);
  expect(slowMembers(during(30, fast))).toEqual([]);
});

test('of members that are alike one waits for a while: a short test does not tell', () => {
  expect(slowMembers(during(29, fast, fast, { reads: 100, readMs: 2_000 }))).toEqual([]);
});

test('members end to end are not compared', () => {
  // The second carries half of what the first does.
  expect(slowMembers(during(60, { reads: 200, readMs: 4_000 }, fast))).toEqual([]);
});
