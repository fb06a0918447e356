/** What sections of a configuration cannot know by themselves; and whatever a file says, it is refused in one line. */
import fc from 'fast-check';
import { z } from 'zod';
import { allKeys, checked, defaultConfig, keysAt } from '../../../core/config/check.ts';
import { type Config, configSchema } from '../../../core/config/config.ts';
import { placeText } from '../../../core/config/problem.ts';
import { configurableThresholds, thresholdBounds } from '../../../core/config/threshold-settings.ts';
import { packChannels, unpackChannels, variablesOf } from '../../../core/config/variables.ts';
import { defaultThresholds } from '../../../core/diagnosis/thresholds.ts';

interface NumberSchema {
  type?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  const?: unknown;
}

/** Every number of a JSON Schema, by its path. */
const role = 'arn:aws:iam::111122223333:role/dba';
const numbersIn = (schema: object, path = ''): [string, NumberSchema][] =>
  Object.entries(schema).flatMap(([key, value]) => {
    if (typeof value !== 'object' || value === null) return [];
    const { type } = value as NumberSchema;
    const own: [string, NumberSchema][] =
      type === 'number' || type === 'integer' ? [[`${path}.${key}`, value]] : [];
    return [...own, ...numbersIn(value, `${path}.${key}`)];
  });

const lines = (said: unknown): string[] =>
  checked(said).problems.map(({ path, text }) => `${placeText(path)}: ${text}`);
const [first, second] = ['111122223333', '444455556666'] as const;
const routed = (route: object) => ({ channels: { a: { kind: 'teams' } }, routes: [{ to: ['a'], ...route }] });
const organization = { accounts: [first, second], externalId: 'of-the-members' };
const two = { a: { kind: 'teams' }, b: { kind: 'teams' } };

test.each([
  [
    'monitoring off, and a digest all the same',
    { monitoring: { enabled: false }, notifications: { digest: 'daily' } },
  ],
  ['a budget below what one audit costs', { budget: { apiUsdPerMonth: 0.01 } }],
  ['no channel at all', { channels: {} }],
  [
    'an account that has a budget in a unit that has one',
    {
      organization: { accounts: 'all', externalId: 'of-the-members' },
      budget: {
        accounts: [
          { accounts: [first], apiUsdPerMonth: 5 },
          { organizationalUnits: ['ou-ab12-11111111'], apiUsdPerMonth: 20 },
        ],
      },
    },
  ],
  ['a route to two channels', { channels: two, routes: [{ to: ['a', 'b'] }] }],
  [
    'one address in two places',
    { notifications: { emails: ['a@example.com'] }, alarms: { emails: ['a@example.com'] } },
  ],
  ['a warning as late as what is critical', { thresholds: { throttledWarningMinutes: 60 } }],
  [
    'idle over all of the lookback',
    { audit: { lookbackDays: 2 }, thresholds: { idleWindowSeconds: 172_800 } },
  ],
  [
    'any number of batches without a share of the quota',
    { audit: { batchesAtOnce: 40, maxQuotaPercent: null } },
  ],
  // 330,000 / 32 = 10,312
  ['as many batches as all of the quota feeds', { audit: { batchesAtOnce: 32, maxQuotaPercent: 100 } }],
  [
    'without monitoring a batch has its share too', // 396,000 / 4 = 99,000, at 11 %: 10,890
    { audit: { maxQuotaPercent: 11 }, monitoring: { enabled: false } },
  ],
  ['a lookback of hours, which says nothing of idle', { audit: { lookbackDays: 0.5 } }],
  ['nothing', null],
  ['sections of which all lines are comments', { audit: null, routes: null, keep: null }],
])('%s is allowed', (_, said) => {
  expect(lines(said)).toEqual([]);
});

test.each([
  [
    'a route to a channel that is not there',
    { channels: two, routes: [{ to: ['a'] }, { to: ['a', 'pagers'] }] },
    'routes[1].to[1]: "pagers" is none of channels: give one of a, b',
  ],
  [
    'a channel that is nearly named',
    { channels: { payments: { kind: 'teams' } }, routes: [{ to: ['payment'] }] },
    'routes[0].to[0]: "payment" is none of channels: did you mean payments?',
  ],
  [
    'a route where there is no channel',
    { channels: {}, routes: [{ to: ['a'] }] },
    'routes[0].to[0]: "a" is none of channels: there is no channel',
  ],
  [
    // 396,000 x 50 % x 5/6 = 165,000; / 20 = 8,250; 165,000 / 10,080 = 16.4; 10,080 x 20 / 330,000 = 61.1 %
    'more batches at once than the quota feeds',
    { audit: { batchesAtOnce: 20 } },
    'audit.batchesAtOnce: 20 with maxQuotaPercent: 50 leave each batch 8,250 points a second, and it needs 10,080: give batchesAtOnce of 16 or fewer, or maxQuotaPercent of 62 or more',
  ],
  [
    // 330,000 x 2 % = 6,600: not enough for one
    'so little of the quota that not one batch is read in time',
    { audit: { maxQuotaPercent: 2 } },
    'audit.batchesAtOnce: 4 with maxQuotaPercent: 2 leave each batch 1,650 points a second, and it needs 10,080: give maxQuotaPercent of 13 or more',
  ],
  [
    'more than all of the quota feeds',
    { audit: { batchesAtOnce: 40, maxQuotaPercent: 50 } },
    'audit.batchesAtOnce: 40 with maxQuotaPercent: 50 leave each batch 4,125 points a second, and it needs 10,080: give batchesAtOnce of 16 or fewer',
  ],
  [
    'quiet hours that end when they begin',
    { channels: { a: { kind: 'teams', quietHours: { from: '08:00', to: '08:00' } } } },
    'channels.a.quietHours: end when they begin: give two times, or no quietHours; a channel that is to say nothing has no route',
  ],
  [
    'an address twice',
    { notifications: { emails: ['a@example.com', 'b@example.com', 'A@example.com'] } },
    'notifications.emails[2]: this address stands there twice: give it once',
  ],
  [
    'a Region twice',
    { regions: ['us-east-1', 'us-east-1'] },
    'regions[1]: this Region stands there twice: give it once',
  ],
  [
    // 48 h x 2 = 4 days
    'a memory shorter than two audits',
    { audit: { everyHours: 48 }, notifications: { retentionDays: 3 } },
    'notifications.retentionDays: 3 days are shorter than two audits (audit.everyHours: 48): what goes on would be reported again; give 4 or more',
  ],
  [
    'a warning after what is critical',
    { thresholds: { throttledWarningMinutes: 61 } },
    'thresholds.throttledWarningMinutes: 61 is more than throttledCriticalMinutes (60), and what is critical is a warning before: give at most 60, or another throttledCriticalMinutes',
  ],
  [
    'the same from the other side',
    { thresholds: { willExhaustSeconds: 900 } },
    'thresholds.willExhaustSeconds: 900 is less than willExhaustCriticalSeconds (1800), and what is critical is a warning before: give at least 1800, or another willExhaustCriticalSeconds',
  ],
  [
    'idle over more than is looked at',
    { audit: { lookbackDays: 1 }, thresholds: { idleWindowSeconds: 172_800 } },
    'thresholds.idleWindowSeconds: 172800 is longer than an audit looks back (audit.lookbackDays: 1): give 86400 or less, or nothing of that would ever be reported',
  ],
  [
    'an archive that forgets what an audit looks back at',
    { archive: { keepDays: 30 }, audit: { lookbackDays: 40 } },
    'archive.keepDays: 30 days are fewer than an audit looks back: give 40 or more, or a shorter audit.lookbackDays',
  ],
  [
    'secrets, which do not stand here',
    { channels: { a: { kind: 'slack-webhook', webhookUrl: 'https://hooks.example.com/T0/B0/XXXX' } } },
    'channels.a: "webhookUrl" is not known here: no secret stands in this file; one secret has them for all channels (output ChannelSecrets)',
  ],
  [
    'a list of accounts that are all left out',
    { organization: { ...organization, exclude: [second, first] } },
    'organization.exclude: names each of organization.accounts: no account is left; give fewer',
  ],
  [
    'a route of units that nobody knows',
    { organization, ...routed({ organizationalUnits: ['ou-ab12-11111111'] }) },
    'routes[0].organizationalUnits: organization.accounts is a list, of which no units are known: give accounts',
  ],
  [
    'a route of units without an organization',
    routed({ organizationalUnits: ['ou-ab12-11111111'] }),
    'routes[0].organizationalUnits: no units are known without organization: give organization, or accounts',
  ],
  [
    'a route of an account that is not read',
    { organization, ...routed({ accounts: [first, '999988887777'] }) },
    'routes[0].accounts[1]: 999988887777 is none of organization.accounts: give one of them',
  ],
  [
    'a budget of accounts without any but its own',
    { budget: { accounts: [{ accounts: [first], apiUsdPerMonth: 5 }] } },
    'budget.accounts: are of accounts that organization reads: give organization, or budget.apiUsdPerMonth alone',
  ],
  [
    'a budget of nobody',
    { organization, budget: { accounts: [{ apiUsdPerMonth: 5 }] } },
    'budget.accounts[0]: give accounts or organizationalUnits, one of the two',
  ],
  [
    'a budget of an account that is not read',
    { organization, budget: { accounts: [{ accounts: ['999988887777'], apiUsdPerMonth: 5 }] } },
    'budget.accounts[0].accounts[0]: 999988887777 is none of organization.accounts: give one of them',
  ],
  [
    'a budget of an account that is left out',
    {
      organization: { accounts: 'all', exclude: [second], externalId: 'of-the-members' },
      budget: { accounts: [{ accounts: [first, second], apiUsdPerMonth: 5 }] },
    },
    `budget.accounts[0].accounts[1]: ${second} is in organization.exclude: nothing is read of it; give another account`,
  ],
  [
    'an account in two budgets',
    {
      organization,
      budget: {
        accounts: [
          { accounts: [first], apiUsdPerMonth: 5 },
          { accounts: [second, first], apiUsdPerMonth: 5 },
        ],
      },
    },
    `budget.accounts[1].accounts[1]: ${first} stands in budget.accounts[0] too: give it in one of them`,
  ],
  [
    'a budget of units that nobody knows',
    {
      organization,
      budget: { accounts: [{ organizationalUnits: ['ou-ab12-11111111'], apiUsdPerMonth: 5 }] },
    },
    'budget.accounts[0].organizationalUnits[0]: organization.accounts is a list, of which no units are known: give accounts',
  ],
  [
    'a budget of accounts that is more than that of all',
    { organization, budget: { apiUsdPerMonth: 20, accounts: [{ accounts: [first], apiUsdPerMonth: 21 }] } },
    'budget.accounts[0].apiUsdPerMonth: 21 is more than budget.apiUsdPerMonth (20), which it is a part of: give 20 or less, or a larger budget.apiUsdPerMonth',
  ],
  [
    'a benchmark of which all lines are comments: who means it says so',
    { benchmark: null },
    'benchmark: is empty: give a section with vpcId and subnetIds, which say where hosts are launched',
  ],
  [
    'an archive of which all lines are comments',
    { archive: null },
    'archive: is empty: give archive: {} for its defaults, or remove the section',
  ],
  [
    'changes of which all lines are comments',
    { archive: {}, changes: null },
    'changes: is empty: give a section (name: value), {} for its defaults',
  ],
  [
    'rules that nobody could undo or stop',
    { archive: {}, changes: { automatic: [{ direction: 'reduction', maxUsdPerMonth: 5 }] } },
    'changes.approvers: nobody may approve, undo or lift a stop: give slackUsers or roles, or enabled: false',
  ],
  [
    'two who must approve, of one role',
    { archive: {}, changes: { approvals: 2, approvers: { roles: [role] } } },
    'changes.approvals: 2 people must approve, and one may (a role counts once): give more approvers',
  ],
  [
    'two who must approve, of one role by two paths: a session has none',
    {
      archive: {},
      changes: { approvals: 2, approvers: { roles: [role, role.replace('dba', 'teams/dba')] } },
    },
    'changes.approvals: 2 people must approve, and one may (a role counts once): give more approvers',
  ],
  [
    'a window of no length',
    {
      archive: {},
      changes: { approvers: { roles: [role] }, windows: [{ from: '22:00', to: '22:00' }] },
    },
    'changes.windows[0]: is a window of no length: give two times; no windows at all are any time',
  ],
  [
    'an archive that is a switch',
    { archive: true },
    'archive: is true: give archive: {} for its defaults, or remove the section',
  ],
  [
    'a key that an archive does not have',
    { archive: { keepDay: 90 } },
    'archive: "keepDay" is not known here: did you mean keepDays?',
  ],
  [
    'a lookback that only an archive has',
    { audit: { lookbackDays: 90 } },
    'audit.lookbackDays: with audit.periodSeconds: 90 days are longer than CloudWatch keeps points of 300 s (63 days): ask for fewer days or a longer period, or give archive: {} (up to 395 days)',
  ],
  [
    'a lookback that not even an archive has: it would be offered in vain',
    { audit: { lookbackDays: 396 } },
    'audit.lookbackDays: with audit.periodSeconds: 396 days are longer than CloudWatch keeps points of 300 s (63 days): ask for fewer days or a longer period',
  ],
])('%s is refused', (_, said, line) => {
  expect(lines(said)).toEqual([line]);
});

test('budgets of more accounts than a function can be given are refused', () => {
  const listed = Array.from({ length: 250 }, (_, i) => `1111${String(i).padStart(8, '0')}`);
  const said = {
    organization: { accounts: listed, externalId: 'of-the-members' },
    budget: { accounts: [{ accounts: listed, apiUsdPerMonth: 5 }] },
  };
  // 250 x 15 bytes.
  expect(lines(said)).toEqual([
    expect.stringMatching(/^budget.accounts: takes 3,?7\d\d bytes, and functions/),
  ]);
});

test('exclusions that no function could be given are refused: its variables have 4 KB', () => {
  const values = Array.from({ length: 120 }, (_, i) => `team-${i}-${'x'.repeat(20)}`);
  const [line] = lines({ exclude: { tags: { team: values } } });
  expect(line).toMatch(
    /^exclude\.tags: with thresholds and .* takes \d+ bytes, and functions can be given 3000 of it: give fewer/,
  );
  const { EXCLUDE_TAGS, TAG_KEYS, THRESHOLDS } = variablesOf(defaultConfig());
  expect([EXCLUDE_TAGS, TAG_KEYS, THRESHOLDS].map((text) => JSON.parse(text))).toEqual([{}, [], {}]);
});

describe('channels that no function could be given', () => {
  const topics = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`topic-${i}`, { kind: 'sns' }]));
  /** What does not pack: names of teams that nobody could guess. */
  const team = (i: number) =>
    Array.from({ length: 8 }, (_, k) => ((i + 1) * 7_919 * (k + 3) ** 5).toString(36)).join('');
  const routes = (count: number, tagOf: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => ({ to: [`topic-${i % 2}`], tags: { team: tagOf(i) } }));

  test.each([
    ['many topics: each takes its ARN', { channels: topics(16) }],
    ['many routes', { channels: topics(2), routes: routes(80, team) }],
  ])('%s', (_, said) => {
    expect(lines(said)).toEqual([
      expect.stringMatching(
        /^channels: with routes take \d+ bytes of what a function can be given, which is 2800: give fewer channels, or fewer or shorter routes$/,
      ),
    ]);
  });

  test.each([
    [40, []],
    [41, ['channels: are 41: give 40 or fewer']],
  ])('%i webhooks', (count, expected) => {
    const names = Array.from({ length: count }, (_, i) => `a-name-of-thirty-characters-${i}`);
    const channels = Object.fromEntries(names.map((name) => [name, { kind: 'teams' }]));
    expect(lines({ channels })).toEqual(expected);
  });

  test('ten topics and thirty routes are none', () => {
    expect(lines({ channels: topics(10), routes: routes(30, (i) => `team-${i}`) })).toEqual([]);
  });

  test('the function gets what the file says', () => {
    const { config } = checked({ channels: topics(2), routes: routes(3, team) });
    const { channels, routes: packed } = unpackChannels(packChannels(config as Config));
    expect([channels, packed]).toEqual([config?.channels, config?.routes]);
  });
});

test('a value that may be a secret is not shown, wherever it stands', () => {
  const secret = 'xoxb-123456789012-abcdefghijkl';
  for (const said of [
    { channels: { a: { kind: secret } } },
    { channels: { a: { kind: 'slack-bot', channel: secret } } },
    { channels: { a: { kind: 'teams', [secret]: 1 } } },
    { [secret]: 1 },
    { audit: { everyHours: secret } },
    { notifications: { emails: [secret] } },
  ]) {
    expect(lines(said)).toHaveLength(1);
    expect(lines(said)[0]).not.toContain(secret);
  }
});

test.each(configurableThresholds)(
  '%s can be what is documented, its least and its most, and nothing beyond',
  (name) => {
    const { min, max } = thresholdBounds[name];
    const ofIt = (figure: number): string[] =>
      lines({ thresholds: { [name]: figure } }).filter((line) => line.includes('give a'));
    expect(defaultThresholds[name]).toBeGreaterThanOrEqual(min);
    expect(defaultThresholds[name]).toBeLessThanOrEqual(max);
    for (const good of [min, max, defaultThresholds[name]])
      expect(ofIt(good)).not.toContainEqual(expect.stringContaining(' number from '));
    for (const bad of [min - 0.001, max + 1, Number.NaN])
      expect(ofIt(bad)).toEqual([expect.stringMatching(/ number from [\d.]+ to \d/)]);
  },
);

test('the keys of a place are those of its kind', () => {
  expect(keysAt(['monitoring'])).toEqual(['enabled', 'everyMinutes']);
  expect(keysAt(['channels', 'a'], 'eventbridge')).toEqual([
    'kind',
    'bus',
    'quietHours',
    'maxMessagesPerHour',
  ]);
  expect(keysAt(['routes', 0])).toContain('minSeverity');
  expect(keysAt(['channels', 'a', 'quietHours'])).toEqual(['from', 'to', 'timeZone', 'allowCritical']);
  expect(keysAt([])).toContain('budget');
});

test('whatever a file says, there is a configuration, or lines without a break that name a place', () => {
  const keys = [...new Set(allKeys().flatMap((key) => key.split(/\.|\[\]/)))];
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.string(),
      fc.double(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), tie('any'), { maxKeys: 4 }),
    ),
  })).any;
  const file = fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 4 });
  fc.assert(
    fc.property(fc.oneof(value, file), (said) => {
      const { config, problems } = checked(said);
      expect(config === null).toBe(problems.length > 0);
      for (const { text } of problems) expect(text).toMatch(/^[^\n]{5,2000}$/);
    }),
    { numRuns: 500 },
  );
});

test('every number has bounds that mean something', () => {
  const schema = z.toJSONSchema(configSchema, { io: 'input' });
  const unbounded = numbersIn(schema).filter(
    ([, { minimum, exclusiveMinimum = minimum, maximum, const: only }]) =>
      only === undefined && !((exclusiveMinimum ?? -1) >= 0 && (maximum ?? 1e9) <= 2_000_000),
  );
  expect(numbersIn(schema).length).toBeGreaterThan(30);
  expect(unbounded).toEqual([]);
});
