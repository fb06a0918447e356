/** What a configuration means: who is notified of what, when it is quiet, what a month costs. */
import { checked } from '../../../core/config/check.ts';
import { explained, type MonitoringAsked } from '../../../core/config/explain.ts';
import { monitoringCost } from '../../../core/monitoring/expected-cost.ts';
import { type ConfigAnswer, configAnswerSchema } from '../../../core/schemas/config-answer.ts';

const now = new Date('2026-11-20T12:34:56Z');

function answer(said: object, others: Partial<Parameters<typeof explained>[0]> = {}): ConfigAnswer {
  const { config, problems } = checked(said);
  if (config === null) throw new Error(problems.map(({ text }) => text).join());
  return explained({ config, file: 'a.yaml', volumes: 1_000, monitoringCost: null, now, ...others });
}

test('the answer is what its schema says', () => {
  const said = answer({ channels: { a: { kind: 'teams', quietHours: { from: '22:00', to: '07:00' } } } });
  expect(configAnswerSchema.parse(JSON.parse(JSON.stringify(said)))).toEqual(said);
});

test('what runs when', () => {
  expect(answer({}).runs).toEqual({
    audit: { everyHours: 24, regions: [], lookbackDays: 14, mode: 'adaptive', periodSeconds: 300 },
    monitoring: { everyMinutes: 1 },
    digest: { when: 'weekly', at: '07:00' },
  });
  const other = answer({
    regions: ['us-east-1', 'eu-central-1'],
    audit: { everyHours: 1, lookbackDays: 1, periodSeconds: 60 },
    monitoring: { enabled: false },
    notifications: { digest: 'daily', digestAt: '06:30' },
  });
  expect(other.runs).toEqual({
    audit: {
      ...{ everyHours: 1, regions: ['us-east-1', 'eu-central-1'], lookbackDays: 1 },
      ...{ mode: 'full', periodSeconds: 60 },
    },
    monitoring: null,
    digest: { when: 'daily', at: '06:30' },
  });
  expect(answer({ notifications: { digest: 'none' } }).runs.digest).toBeNull();
});

test('which accounts are read, and in which Regions: those of organization go before those of all', () => {
  const ofAudit = (organization: object) =>
    answer({ regions: ['us-east-1'], organization: { externalId: 'of-the-members', ...organization } }).runs
      .audit;
  const first = '111122223333';
  expect(ofAudit({ accounts: [first, first], regions: ['eu-west-1'] })).toMatchObject({
    accounts: { accounts: [first], organizationalUnits: null, regionsEnabled: false },
    regions: ['eu-west-1'],
  });
  expect(ofAudit({ organizationalUnits: ['r-ab12'], exclude: [first], regions: 'enabled' })).toMatchObject({
    accounts: { accounts: null, organizationalUnits: ['r-ab12'], exclude: [first], regionsEnabled: true },
  });
  expect(ofAudit({ accounts: 'all' })).toMatchObject({
    accounts: { accounts: null, organizationalUnits: null, memberRoleName: 'StripewiseMember' },
    regions: ['us-east-1'],
  });
});

test('what must be asked for, and is not', () => {
  const places = { vpcId: 'vpc-22222222', subnetIds: ['subnet-11111111'] };
  const bot = { kind: 'slack-bot', channel: 'C0123456789' };
  const without = (config: object) => answer(config).notIncluded;
  expect(without({})).toEqual(['report.links', 'benchmark', 'archive', 'changes']);
  expect(without({ benchmark: places, channels: { dba: bot } })).toEqual([
    'report.links',
    'buttons',
    'archive',
    'changes',
  ]);
  expect(
    without({
      ...{ benchmark: places, archive: {} },
      ...{ report: { links: true }, channels: { dba: { ...bot, buttons: true } } },
      changes: { approvers: { slackUsers: ['U0123456789'] } },
    }),
  ).toEqual([]);
});

test('who approves what, and when it begins; nothing of a section that is off', () => {
  const roles = ['arn:aws:iam::111122223333:role/dba'];
  const of = (changes: object) => answer({ archive: {}, changes: { approvers: { roles }, ...changes } });
  expect(of({ enabled: false })).toMatchObject({
    changes: null,
    notIncluded: expect.arrayContaining(['changes']),
  });
  const rules = {
    automatic: [{ direction: 'reduction', tags: { env: 'test' }, maxUsdPerMonth: 20 }],
    windows: [{ days: ['saturday'], from: '22:00', to: '04:00', timeZone: 'Europe/Berlin' }],
  };
  expect(of(rules).changes).toEqual({
    ...{ slackUsers: [], roles, approvals: 1, maxAtOnce: 2, maxPerDay: 10, maxIncreaseUsdPerMonth: 100 },
    automatic: [{ direction: 'reduction', kinds: null, tags: { env: ['test'] }, maxUsdPerMonth: 20 }],
    windows: [{ tags: {}, days: [6], from: '22:00', to: '04:00', timeZone: 'Europe/Berlin' }],
  });
});

test('what is excluded, and which tags are kept for it', () => {
  expect(answer({})).toMatchObject({ excludeTags: {}, keptTagKeys: [] });
  expect(
    answer({
      exclude: { tags: { environment: ['test', 'sandbox'], ignore: '*', scratch: '' } },
      routes: [{ to: ['slack'], tags: { team: 'a' } }],
    }),
  ).toMatchObject({
    excludeTags: { environment: ['test', 'sandbox'], ignore: ['*'], scratch: [''] },
    keptTagKeys: ['environment', 'ignore', 'scratch', 'team'],
  });
});

test('each route with what it asks for, by what is notified at all', () => {
  const { routes, emails } = answer({
    organization: { accounts: 'all', externalId: 'of-the-members' },
    notifications: { emails: ['a@example.com'] },
    channels: { a: { kind: 'teams' }, b: { kind: 'eventbridge' } },
    routes: [
      { to: ['a', 'b'] },
      {
        to: ['b'],
        minSeverity: 'critical',
        kinds: ['idle', 'unattached'],
        accounts: ['111122223333'],
        organizationalUnits: ['ou-ab12-11111111'],
        regions: ['us-east-1', 'eu-central-1'],
        tags: { team: ['x', 'y'], tier: '1' },
        namespaces: ['payments'],
        digests: false,
        alarms: false,
      },
    ],
  });
  const all = {
    ...{ kinds: null, accounts: null, organizationalUnits: null, regions: null },
    ...{ tags: {}, namespaces: null },
  };
  expect(routes).toEqual([
    // The route asks for everything; notifications.minSeverity is warning.
    { to: ['a', 'b'], minSeverity: 'warning', ...all, digests: true, alarms: true },
    {
      ...{ to: ['b'], minSeverity: 'critical', kinds: ['idle', 'unattached'] },
      ...{ accounts: ['111122223333'], regions: ['us-east-1', 'eu-central-1'] },
      organizationalUnits: ['ou-ab12-11111111'],
      namespaces: ['payments'],
      ...{ tags: { team: ['x', 'y'], tier: ['1'] }, digests: false, alarms: false },
    },
  ]);
  expect(emails).toEqual(['a@example.com']);
});

test('quiet hours are reported in UTC too: Berlin is an hour ahead on that day', () => {
  const { channels } = answer({
    channels: {
      a: { kind: 'teams', quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' } },
      b: {
        kind: 'slack-bot',
        channel: 'C0123456789',
        maxMessagesPerHour: 5,
        quietHours: { from: '08:00', to: '09:00', allowCritical: false },
      },
      c: { kind: 'sns', emails: ['a@example.com', 'b@example.com'] },
      d: { kind: 'eventbridge', bus: 'ops' },
    },
  });
  const nowhere = {
    slackChannel: null,
    charts: false,
    buttons: false,
    bus: null,
    emails: [],
    quietHours: null,
  };
  expect(channels).toEqual([
    {
      ...{ ...nowhere, name: 'a', kind: 'teams', maxMessagesPerHour: 60 },
      quietHours: {
        ...{ from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', allowCritical: true },
        utcToday: { from: '21:00', to: '06:00' },
      },
    },
    {
      ...{ ...nowhere, name: 'b', kind: 'slack-bot', maxMessagesPerHour: 5 },
      ...{ slackChannel: 'C0123456789', charts: true },
      quietHours: {
        ...{ from: '08:00', to: '09:00', timeZone: 'UTC', allowCritical: false },
        utcToday: { from: '08:00', to: '09:00' },
      },
    },
    {
      ...{ ...nowhere, name: 'c', kind: 'sns', maxMessagesPerHour: 60 },
      emails: ['a@example.com', 'b@example.com'],
    },
    { ...nowhere, name: 'd', kind: 'eventbridge', maxMessagesPerHour: 60, bus: 'ops' },
  ]);
});

test('thresholds that differ, and none that only repeat what is documented', () => {
  const { thresholds } = answer({ thresholds: { throttledWarningMinutes: 10, microBurstMinutes: 3 } });
  expect(thresholds).toEqual([{ name: 'throttledWarningMinutes', figure: 10, documented: 5 }]);
});

describe('a month of CloudWatch', () => {
  test('two passes: 1,000 volumes x 4.7 metrics x 730 / 24 audits x 0.01 / 1,000 = 1.43 USD', () => {
    const { cost } = answer({});
    expect(cost.audits.metrics).toBe(Math.round(1_000 * 4.7 * (730 / 24)));
    expect(cost.audits.usd).toBeCloseTo(1.4296, 3);
    expect(cost).toMatchObject({ volumes: 1_000, monitoring: null, usd: null, budgetUsd: 50 });
  });

  test('one pass each hour: 1,000 x 15.2 x 730 x 0.01 / 1,000 = 110.96 USD', () => {
    const { cost } = answer({ audit: { mode: 'full', everyHours: 1 }, monitoring: { enabled: false } });
    expect(cost.audits.usd).toBeCloseTo(110.96, 2);
    expect(cost).toMatchObject({ usd: cost.audits.usd, monitoring: null });
  });

  test('what monitoring takes comes on top, of what audits leave of the budget: 5 - 1.43 USD', () => {
    const asked: MonitoringAsked[] = [];
    const { expected } = monitoringCost({ volumes: 1_000, everyMinutes: 2, leftUsd: null });
    const { cost } = answer(
      { budget: { apiUsdPerMonth: 5 }, monitoring: { everyMinutes: 2 } },
      {
        monitoringCost: (one) => {
          asked.push(one);
          return { usd: 2, expected };
        },
      },
    );
    expect(asked).toEqual([{ volumes: 1_000, everyMinutes: 2, leftUsd: 5 - cost.audits.usd }]);
    expect(cost.usd).toBeCloseTo(3.43, 2);
    expect(cost.monitoring).toEqual({ usd: 2, expected });
  });

  test.each([
    [null, { code: 'no-budget' }],
    // 1.43 USD a month are 0.047 USD an audit.
    [0.04, { code: 'below-one-audit', budgetUsd: 0.04, oneAuditUsd: expect.closeTo(0.047, 3) }],
    [1, { code: 'audits-take-all', budgetUsd: 1, auditsUsd: expect.closeTo(1.43, 2) }],
    [
      5,
      {
        ...{ code: 'rest-for-monitoring', budgetUsd: 5, auditsUsd: expect.closeTo(1.43, 2) },
        restUsd: expect.closeTo(3.57, 2),
      },
    ],
  ])('a budget of %s USD', (apiUsdPerMonth, meaning) => {
    expect(answer({ budget: { apiUsdPerMonth } }).cost.budget).toEqual(meaning);
  });

  test('of a budget of some accounts: how many volumes it pays for in quiet times, with their audits', () => {
    const { expected } = monitoringCost({ volumes: 1_000, everyMinutes: 1, leftUsd: null });
    const said = {
      organization: { accounts: 'all', externalId: 'of-the-members' },
      budget: {
        accounts: [
          { accounts: ['111122223333'], apiUsdPerMonth: 5 },
          { organizationalUnits: ['ou-ab12-11111111'], apiUsdPerMonth: 10 },
        ],
      },
    };
    const { cost } = answer(said, { monitoringCost: () => ({ usd: 44, expected }) });
    // 1.43 + 44.09 USD for 1,000 volumes: 0.0455 each.
    expect(cost.budgetsOfAccounts).toEqual([
      { accounts: ['111122223333'], organizationalUnits: [], budgetUsd: 5, quietVolumes: 109 },
      { accounts: [], organizationalUnits: ['ou-ab12-11111111'], budgetUsd: 10, quietVolumes: 219 },
    ]);
    expect(answer(said).cost.budgetsOfAccounts[0]?.quietVolumes).toBeNull();
  });

  test('a budget without a monitoring run is of audits alone', () => {
    const { cost } = answer({ budget: { apiUsdPerMonth: 5 }, monitoring: { enabled: false } });
    expect(cost.budget).toEqual({ code: 'monitoring-off', budgetUsd: 5, auditsUsd: cost.audits.usd });
  });
});

describe('what may not be meant so', () => {
  test('the defaults are', () => {
    expect(answer({}).notes).toEqual([]);
  });

  test.each([
    [{ channels: {} }, { code: 'nobody-notified' }],
    [
      { channels: { a: { kind: 'teams' }, b: { kind: 'teams' } }, routes: [{ to: ['a'] }] },
      { code: 'channel-without-route', channel: 'b' },
    ],
    [
      { notifications: { minSeverity: 'critical' }, routes: [{ to: ['slack'], minSeverity: 'warning' }] },
      { code: 'route-below-least', route: 1, asksFor: 'warning', minSeverity: 'critical' },
    ],
    [{ routes: [{ to: ['slack'], digests: false }] }, { code: 'no-route-for-digests' }],
    [{ routes: [{ to: ['slack'], alarms: false }] }, { code: 'no-route-for-alarms' }],
    [
      {
        notifications: { emails: ['A@example.com'] },
        channels: { m: { kind: 'sns', emails: ['a@example.com'] } },
      },
      { code: 'email-twice', channel: 'm' },
    ],
    [{ audit: { lookbackDays: 0.5 } }, { code: 'window-too-short-for-idle', lookbackDays: 0.5 }],
    [{ audit: { lookbackDays: 0.5 } }, { code: 'window-too-short-for-savings', lookbackDays: 0.5 }],
    [{ monitoring: { enabled: false } }, { code: 'monitoring-off' }],
  ])('%j', (said, note) => {
    expect(answer(said).notes).toContainEqual(note);
  });
});

describe('the archive', () => {
  const costOf = (config: object) => answer(config).cost;

  test('is offered with its price, and costs nothing where nobody asked for it', () => {
    const { archive, audits } = costOf({});
    // 8 metrics x 1,440 minutes x 1.75 bytes x 1,000 volumes x 400 days = 8.06 GB, x 0.023 USD.
    expect(archive).toMatchObject({ isKept: false, metrics: 'default', keepDays: 400 });
    expect(archive.price.storageUsd).toBeCloseTo(0.185, 3);
    // 1,000 volumes x 8.7 metrics x 30.42 audits x 0.00001 USD.
    expect(archive.price.apiUsd).toBeCloseTo(2.646, 3);
    expect(audits.metricsPerVolume).toBe(4.7);
  });

  test('what a question in Athena costs: 5 USD a TB', () => {
    // A volume's day is 8 metrics x 1,440 minutes x 1.75 bytes = 20,160 bytes; 91 days x 1,000 volumes = 1.835 GB.
    const { price } = costOf({ archive: {} }).archive;
    expect(price.fleetQuarterUsd).toBeCloseTo(0.00917, 5);
    // 365 days x (14 volumes x 20,160 bytes, and 1,000 x 182 of the footers) = 0.169 GB.
    expect(price.volumeYearUsd).toBeCloseTo(0.00085, 5);
    // Of one volume 365 x (20,160 + 182) are 7.4 MB; 10 MB are charged.
    const alone = answer({ archive: {} }, { volumes: 1 });
    expect(alone.cost.archive.price.volumeYearUsd).toBeCloseTo(0.00005, 6);
  });

  test('makes an audit ask for what is kept: 8.7 metrics a volume, 15.2 with all', () => {
    expect(costOf({ archive: {} }).audits.metricsPerVolume).toBeCloseTo(8.7);
    expect(costOf({ archive: { metrics: 'all' } }).audits.metricsPerVolume).toBe(15.2);
    // In one pass everything is asked for anyway.
    expect(costOf({ archive: {}, audit: { mode: 'full', periodSeconds: 60 } }).audits.metricsPerVolume).toBe(
      15.2,
    );
  });

  test('where all volumes are in trouble two passes ask for 3.5 times as many, beside an archive for all once', () => {
    // Measured: two passes ask for 16.4 then, one for 15.2.
    expect(costOf({}).audits).toMatchObject({ metricsPerVolume: 4.7, metricsPerVolumeInTrouble: 16.4 });
    expect(costOf({ archive: {} }).audits.metricsPerVolumeInTrouble).toBe(15.2);
    expect(costOf({ archive: { metrics: 'all' } }).audits.metricsPerVolumeInTrouble).toBe(15.2);
    expect(costOf({ audit: { mode: 'full' } }).audits.metricsPerVolumeInTrouble).toBe(15.2);
  });

  test('beside audits in one pass takes no more metrics, and keeps all twelve', () => {
    const { archive, audits } = costOf({ audit: { mode: 'full', periodSeconds: 60 } });
    expect(archive.price.apiUsd).toBe(audits.usd);
    // 12 metrics x 1,440 minutes x 2.81 bytes x 1,000 volumes x 400 days = 19.42 GB, x 0.023 USD.
    expect(archive.price.storageUsd).toBeCloseTo(0.447, 3);
  });
});
