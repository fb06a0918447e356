/** What a run tells, what the schedule tells, and what stands beside it. */
import fc from 'fast-check';
import { campaignReport } from '../../../core/benchmark/campaign/campaign-report.ts';
import { notificationFor } from '../../../core/delivery/routes.ts';
import { bytesInTopic, maxBytesOfJson } from '../../../core/lifecycle/notification.ts';
import { run } from '../../../core/recommendations/recommendation.ts';
import type { LinkOf } from '../../../core/report/report-link.ts';
import { type CampaignReport, campaignReportSchema } from '../../../core/schemas/campaign-report.ts';
import { type Finding, type Severity, severityRank } from '../../../core/schemas/finding.ts';
import type { Notification } from '../../../core/schemas/notification.ts';
import { isoFromEpochSeconds, secondsPerDay } from '../../../core/units.ts';
import { type NotifyWith, notifyDue, notifyRun } from '../../../lambdas/notify-findings/notify-findings.ts';
import { aCampaign, aResult as aMeasurement, anEnd } from '../../core/benchmark/campaign/campaigns.ts';
import { aLayout } from '../../core/benchmark/campaign/requests.ts';
import {
  aFinding,
  aRecommendation,
  aResult,
  asRemembered,
  findingsOnVolumes,
  runEndEpochSeconds,
} from '../../fixtures/findings.ts';
import { Process, World } from './world.ts';

let world: World;
beforeEach(() => {
  world = new World();
});

const day = secondsPerDay;
const [a, b] = findingsOnVolumes(2) as [Finding, Finding];
const notifiedIds = () => world.heard.map(({ notified }) => notified.map(({ id }) => id));

/** The next run, so many days later. */
async function runAfter(days: number, findings: readonly Finding[]) {
  world.nowEpochSeconds += days * day;
  return world.run(`run-${world.nowEpochSeconds}`, findings);
}

test('a run tells what is new in one message, and the next run nothing', async () => {
  expect(await runAfter(0, [a, b])).toEqual({ notified: 2, nobodyListens: false });
  expect(await runAfter(1, [a, b])).toEqual({ notified: 0, nobodyListens: false });
  expect(notifiedIds()).toEqual([['finding-0', 'finding-1']]);
  expect(world.published[0]).toMatchObject({
    madeAt: '2026-11-20T00:00:00Z',
    run: { volumes: 2, openFindings: 2, location: `s3://bucket/runs/run-${runEndEpochSeconds}/` },
  });
});

test('a run without findings sends nothing', async () => {
  expect(await runAfter(0, [])).toEqual({ notified: 0, nobodyListens: false });
  expect(world.published).toEqual([]);
});

test('what goes on for a month is notified once; gone for two runs it is resolved, and then it is back', async () => {
  for (let i = 0; i <= 30; i++) await runAfter(1, [a]);
  for (let i = 0; i < 2; i++) await runAfter(1, []);
  await runAfter(5, [a]);
  expect(world.changes).toEqual([
    ...['finding-0: opened warning', 'finding-0: resolved'],
    'finding-0: reopened warning',
  ]);
});

test('what was found between two runs is notified by the schedule, and names no run', async () => {
  await world.monitoring('finding-0', asRemembered(a));
  await world.tick();
  expect(world.published).toMatchObject([
    { run: null, notified: [{ id: 'finding-0', change: 'opened', url: null }] },
  ]);
});

test('what somebody saw just now is notified though the index does not know of it yet', async () => {
  await world.monitoring('finding-0', asRemembered(a));
  const use = world.wired(new Process());
  const behind = { ...use, records: { ...use.records, due: async () => [] } };
  const by = { by: 'due 1', nowEpochSeconds: world.nowEpochSeconds, rules: world.rules };
  expect(await notifyDue(by, behind)).toMatchObject({ notified: 0 });
  expect(await notifyDue(by, behind, ['finding-0', 'finding-7'])).toMatchObject({ notified: 1 });
  expect(notifiedIds()).toEqual([['finding-0']]);
});

test('a run tells in a message of its own what it saw, and in another what was due besides', async () => {
  await world.monitoring('finding-0', asRemembered(a));
  await runAfter(0, [b]);
  expect(world.published.map(({ run, notified }) => [run === null, notified.map(({ id }) => id)])).toEqual([
    [false, ['finding-1']],
    [true, ['finding-0']],
  ]);
});

test('what waits for its day is notified by the schedule when that is over', async () => {
  await runAfter(0, [a]);
  await runAfter(0.25, []);
  await runAfter(0.5, []);
  // Resolved after 18 hours: for a day it must stay so.
  expect(world.published).toHaveLength(1);
  world.nowEpochSeconds += day - 1;
  await world.tick();
  expect(world.published).toHaveLength(1);
  world.nowEpochSeconds += 1;
  await world.tick();
  expect(world.changes.at(-1)).toBe('finding-0: resolved');
});

/** Each is as long as it is said, in bytes or more. */
const longFindings = (count: number, bytes: number, team: string): Finding[] =>
  findingsOnVolumes(count, {
    severity: 'critical',
    recommendations: [aRecommendation({ steps: [run('x'.repeat(bytes))] })],
  }).map((finding) => ({
    ...finding,
    id: `${team}-${finding.id}`,
    resource: { ...finding.resource, volumeId: `${team}-${finding.resource.id}`, tags: { team } },
  }));

describe('a large batch', () => {
  test.each([
    [401, 100],
    [401, 3_000],
    [40, 20_000],
    [3, 300_000],
  ])(
    'of %i findings of %i bytes: one message within bounds, and all of it is kept before it is sent',
    async (count, bytes) => {
      const all = longFindings(count, bytes, 'web');
      expect(await runAfter(0, all)).toEqual({ notified: count, nobodyListens: false });
      expect(world.heard.map(({ notified }) => notified.map(({ id }) => id).sort())).toEqual([
        all.map(({ id }) => id).sort(),
      ]);
      const [sent] = world.published as [Notification];
      expect(world.published).toHaveLength(1);
      expect(bytesInTopic(sent)).toBeLessThanOrEqual(maxBytesOfJson + 200);
      expect(sent.notified.length + sent.notShown).toBe(count);
      expect(sent.wholeKey === undefined).toBe(sent.notShown === 0);
      expect(await runAfter(1, all)).toEqual({ notified: 0, nobodyListens: false });
    },
  );

  test('of more than one item of the table can name is some messages, of which one is the first', async () => {
    const all = longFindings(6_000, 100, 'web');
    expect(await runAfter(0, all)).toEqual({ notified: 6_000, nobodyListens: false });
    expect(world.heard.map(({ notified, isContinued }) => [notified.length, isContinued])).toEqual([
      [5_000, undefined],
      [1_000, true],
    ]);
    expect(notifiedIds().flat().sort()).toEqual(all.map(({ id }) => id).sort());
  });

  test('a channel that is for the least urgent of it alone hears of that', async () => {
    const [own] = longFindings(1, 100, 'db') as [Finding];
    await runAfter(0, [...longFindings(400, 2_000, 'web'), { ...own, severity: 'warning' }]);
    const db = {
      to: ['db'],
      minSeverity: 'info',
      digests: true,
      alarms: true,
      tags: { team: 'db' },
    } as const;
    const heard = world.heard.flatMap((one) => notificationFor('db', one, [{ ...db, to: ['db'] }]) ?? []);
    expect(heard.map(({ notified, notShown }) => [notified.map(({ id }) => id), notShown])).toEqual([
      [[own.id], 0],
    ]);
  });

  test.each(['keep the whole', 'write a message', 'publish'])(
    'of which whoever notifies dies at "%s": the schedule sends all of it, once',
    async (step) => {
      const all = longFindings(150, 3_000, 'web');
      const dies = new Process({ refuses: step });
      await expect(runWith(world.wired(dies), 'run-1', all)).rejects.toThrow(`refused: ${step}`);
      expect(world.published).toEqual([]);
      world.nowEpochSeconds += 900;
      for (let i = 0; i < 3; i++) await world.tick();
      expect(notifiedIds().flat().sort()).toEqual(all.map(({ id }) => id).sort());
    },
  );
});

test.each([
  ['opens nothing where the Region was read in whole', true, []],
  ['counts where it was not', false, ['finding-0: opened warning']],
])('an audit that is handed in after one that ended later %s', async (_, isWhole, changes) => {
  const end = world.nowEpochSeconds;
  const window = { start: '2026-11-01T00:00:00Z', end: isoFromEpochSeconds(end) };
  const later = aResult([], { runId: 'later', window, ...(isWhole ? { wholeRegions: ['us-east-1'] } : {}) });
  const by = { by: 'later', nowEpochSeconds: end, rules: world.rules };
  await notifyRun({ result: later, location: 's3://bucket/' }, by, world.wired(new Process()));
  await world.run('earlier', [a], { endEpochSeconds: end - 600 });
  expect(world.changes).toEqual(changes);
});

describe('a channel for what is at least', () => {
  const levels = fc.constantFrom<Severity | null>('critical', 'warning', 'info', null);
  /** What it knows of the finding after each message that it got. */
  const known = (minSeverity: Severity): (Severity | null)[] => {
    const route = { to: ['dba'], minSeverity, digests: true, alarms: true };
    const got = world.published.flatMap(
      (notification) => notificationFor('dba', notification, [route])?.notified ?? [],
    );
    return got.map(({ change, severity }) => (change === 'resolved' ? null : severity));
  };

  test.each(['critical', 'warning', 'info'] as const)(
    '%s hears the end of all that it heard of',
    async (least) => {
      await fc.assert(
        fc.asyncProperty(fc.array(levels, { minLength: 1, maxLength: 8 }), async (days) => {
          world = new World();
          for (const severity of days) await runAfter(2, severity === null ? [] : [aFinding({ severity })]);
          for (let i = 0; i < 3; i++) await runAfter(2, []);
          await world.tick();
          const heard = known(least);
          // It ends, or it has become so low that nobody is notified of it any more.
          expect([undefined, null, 'info']).toContain(heard.at(-1));
          // It begins with what the channel is for, each time.
          for (const [index, level] of heard.entries())
            if (index === 0 || heard[index - 1] === null)
              expect(severityRank(level)).toBeLessThanOrEqual(severityRank(least));
        }),
        { numRuns: 60 },
      );
    },
  );

  test('better, and then resolved', async () => {
    for (const severity of ['critical', 'warning', 'warning'] as const)
      await runAfter(2, [aFinding({ severity })]);
    for (let i = 0; i < 2; i++) await runAfter(2, []);
    expect(known('critical')).toEqual(['critical', 'warning', null]);
    // Opened again below what the channel is for, it is no news there.
    await runAfter(2, [aFinding()]);
    expect(known('critical')).toHaveLength(3);
    expect(known('warning').at(-1)).toBe('warning');
  });
});

describe('nobody listens', () => {
  beforeEach(() => {
    world.isAnybodyListening = false;
  });

  test('the observations count, and the news waits, unclaimed', async () => {
    expect(await runAfter(0, [a])).toEqual({ notified: 0, nobodyListens: true });
    expect(world.records.get('finding-0')).toMatchObject({ level: 'warning', claim: null });
    expect(await world.tick()).toEqual({ notified: 0, nobodyListens: true });
    world.isAnybodyListening = true;
    await world.tick();
    expect(notifiedIds()).toEqual([['finding-0']]);
  });

  test('that there is nothing to tell is no trouble', async () => {
    const info = aFinding({ severity: 'info' });
    expect(await runAfter(0, [info])).toEqual({ notified: 0, nobodyListens: false });
    expect(await world.tick()).toEqual({ notified: 0, nobodyListens: false });
  });
});

/** A run with something of the world replaced. */
function runWith(using: Partial<NotifyWith>, runId: string, findings: readonly Finding[]) {
  const window = {
    start: '2026-11-01T00:00:00Z',
    end: new Date(world.nowEpochSeconds * 1_000).toISOString(),
  };
  const run = { result: aResult(findings, { runId, window }), location: 's3://bucket/' };
  const by = { by: runId, nowEpochSeconds: world.nowEpochSeconds, rules: world.rules };
  return notifyRun(run, by, { ...world.wired(new Process()), ...using });
}

test('findings of the run have their links, what was due besides has that of the report alone', async () => {
  const linkOf: LinkOf = (findingId) => `https://reports.example/run-1#${findingId}`;
  await world.monitoring('finding-1', asRemembered(b));
  await runWith({ linksToReport: async () => linkOf }, 'run-1', [a]);
  expect(
    world.published.map(({ reportUrl, notified }) => [reportUrl, ...notified.map(({ url }) => url)]),
  ).toEqual([
    [linkOf(null), linkOf('finding-0')],
    [linkOf(null), null],
  ]);
});

test('records that cannot be read tell nothing: everything would be notified again', async () => {
  const process = new Process({ refuses: 'read records' });
  await expect(world.run('run-1', [a], { process })).rejects.toThrow('refused: read records');
  expect(world.published).toEqual([]);
});

describe('a benchmark of a finding', () => {
  const id = '0123456789abcdef';
  const finding = aFinding({ id });
  const single = (name: string) => aLayout({ name, kind: 'single', members: 1 });
  const iopsOf = { 'current-m1-large': 3_000, 'recommended-m1-large': 12_000 };

  /** @param afterDays after the first run. */
  const validationAt = (afterDays: number): CampaignReport => {
    const campaign = aCampaign({ layouts: [single('current'), single('recommended')], findingId: id });
    const measured = new Map(
      Object.entries(iopsOf).map(([cellId, iops]) => [
        cellId,
        [{ runId: 'r1', result: aMeasurement('r1', 16, iops, 2) }],
      ]),
    );
    const ends = Object.keys(iopsOf).map((cellId) => anEnd(cellId));
    const gradedAt = new Date((runEndEpochSeconds + afterDays * day) * 1_000).toISOString();
    return campaignReport(campaign, ends, measured, gradedAt);
  };
  const validations = new Map<string, CampaignReport>();
  const unread: string[] = [];
  beforeEach(() => {
    validations.clear();
    unread.length = 0;
  });

  const withValidations = (): Partial<NotifyWith> => ({
    listValidations: async () => [...validations.keys()],
    // As it is stored.
    readValidation: async (findingId) =>
      campaignReportSchema.parse(JSON.parse(JSON.stringify(validations.get(findingId)))),
    onUnread: (reason) => unread.push(reason),
  });
  function notify(afterDays: number, findings: readonly Finding[], using: Partial<NotifyWith> = {}) {
    world.nowEpochSeconds = runEndEpochSeconds + afterDays * day;
    return runWith({ ...withValidations(), ...using }, `run-${afterDays}`, findings);
  }
  const validationsNotified = () =>
    world.published.map(({ notified }) => notified.map(({ change, validation }) => [change, validation]));
  const shown = expect.objectContaining({
    isValidated: true,
    current: expect.objectContaining({ iops: 3_000 }),
    recommended: expect.objectContaining({ iops: 12_000 }),
  });

  test('stands beside the finding that is notified', async () => {
    validations.set(id, validationAt(-1));
    await notify(0, [finding]);
    expect(validationsNotified()).toEqual([[['opened', shown]]]);
  });

  test('of a finding that was notified before is notified once more, once; made again it is notified again', async () => {
    await notify(0, [finding]);
    validations.set(id, validationAt(0.5));
    for (const days of [1, 2]) await notify(days, [finding]);
    validations.set(id, validationAt(2.5));
    await notify(3, [finding]);
    expect(validationsNotified()).toEqual([
      [['opened', null]],
      [['validated', shown]],
      [['validated', shown]],
    ]);
  });

  test.each(['listValidations', 'readValidation'] as const)(
    'that cannot be read (%s) stops nothing',
    async (call) => {
      validations.set(id, validationAt(-1));
      const broken = { [call]: () => Promise.reject(new Error(`no ${call}`)) };
      expect(await notify(0, [finding], broken)).toMatchObject({ notified: 1 });
      expect(validationsNotified()).toEqual([[['opened', null]]]);
      expect(unread).toEqual([`no ${call}`]);
    },
  );

  test('is read for findings of the run alone', async () => {
    validations.set('ffffffffffffffff', validationAt(-1));
    await notify(0, [finding], { readValidation: () => Promise.reject(new Error('it was read')) });
    expect(unread).toEqual([]);
  });
});
