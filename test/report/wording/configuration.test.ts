/** What a configuration means: every code once, in a file that a person reads in a review. */
import { channelKinds } from '../../../core/config/config.ts';
import {
  type BudgetMeaning,
  type ConfigAnswer,
  type ConfigNote,
  configAnswerSchema,
  type ExpectedMonitoring,
  optional,
} from '../../../core/schemas/config-answer.ts';
import {
  changesTexts,
  channelTexts,
  configNoteText,
  costTexts,
  lookTexts,
  notIncludedTexts,
  routeTexts,
  runTexts,
} from '../../../report/wording/configuration.ts';
import { codesOf, expectToRead, unreadable } from './rendered.ts';

const answer: ConfigAnswer = {
  file: 'stripewise.yaml',
  runs: {
    audit: { everyHours: 24, regions: [], lookbackDays: 14, mode: 'adaptive', periodSeconds: 300 },
    monitoring: { everyMinutes: 1 },
    digest: { when: 'weekly', at: '07:00' },
  },
  notIncluded: [...optional],
  changes: null,
  ...{ excludeTags: {}, keptTagKeys: [], channels: [], routes: [], emails: [], thresholds: [], notes: [] },
  cost: {
    volumes: 1_000,
    audits: {
      ...{ aMonth: 30.4167, metricsPerVolume: 4.7, metricsPerVolumeInTrouble: 16.4 },
      ...{ metrics: 142_958, usd: 1.43, mode: 'adaptive' },
    },
    archive: {
      ...{ isKept: false, metrics: 'default', keepDays: 400, maxQueryGiB: 10 },
      price: {
        ...{ metricsPerVolume: 8.7, metrics: 264_625, apiUsd: 2.65 },
        ...{ storageUsd: 0.19, requestsUsd: 0.01, volumeYearUsd: 0.0008, fleetQuarterUsd: 0.0092 },
      },
    },
    ...{ monitoring: null, usd: null, budgetUsd: null, budget: { code: 'no-budget' } },
    budgetsOfAccounts: [],
  },
};

const slackOnly: NonNullable<ConfigAnswer['changes']> = {
  ...{ slackUsers: ['U0123456789'], roles: [], approvals: 1, automatic: [], windows: [] },
  ...{ maxAtOnce: 2, maxPerDay: 10, maxIncreaseUsdPerMonth: 100 },
};
const changes: ConfigAnswer['changes'][] = [
  slackOnly,
  {
    ...{ ...slackOnly, slackUsers: ['U0123456789', 'U0123456780'], approvals: 2 },
    roles: ['arn:aws:iam::111122223333:role/dba'],
    automatic: [
      { direction: 'reduction', kinds: null, tags: {}, maxUsdPerMonth: 20 },
      { direction: 'increase', kinds: ['throttled'], tags: { env: ['test'] }, maxUsdPerMonth: 5 },
    ],
    windows: [
      { tags: { env: ['prod'] }, days: [6, 7], from: '22:00', to: '04:00', timeZone: 'Europe/Berlin' },
    ],
    ...{ maxAtOnce: 1, maxPerDay: 2, maxIncreaseUsdPerMonth: null },
  },
  {
    ...slackOnly,
    windows: [{ tags: {}, days: [1, 2, 3, 4, 5, 6, 7], from: '01:00', to: '02:00', timeZone: 'UTC' }],
  },
];

const hourly: ConfigAnswer = {
  ...answer,
  runs: {
    audit: {
      ...{ everyHours: 1, regions: ['us-east-1', 'eu-central-1', 'eu-west-1'], lookbackDays: 1 },
      ...{ mode: 'full', periodSeconds: 60, compareWith: ['compute-optimizer', 'cost-optimization-hub'] },
    },
    monitoring: null,
    digest: { when: 'daily', at: '06:30' },
  },
  excludeTags: { environment: ['test', 'sandbox'], ignore: ['*'], scratch: [''] },
  keptTagKeys: ['environment', 'ignore', 'scratch', 'team'],
};

const quietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', allowCritical: true };
const utcToday = { from: '21:00', to: '06:00' };
const channels: ConfigAnswer['channels'] = channelKinds.map((kind) => ({
  ...{ name: kind, kind, maxMessagesPerHour: kind === 'teams' ? 1 : 60 },
  slackChannel: kind === 'slack-bot' ? 'C0123456789' : null,
  charts: kind === 'slack-bot',
  buttons: kind === 'slack-bot',
  bus: kind === 'eventbridge' ? 'default' : null,
  emails: kind === 'sns' ? ['a@example.com', 'b@example.com'] : [],
  quietHours:
    kind === 'teams'
      ? { ...quietHours, utcToday }
      : kind === 'slack-bot'
        ? { ...quietHours, allowCritical: false, utcToday }
        : null,
}));

const all = {
  ...{ kinds: null, accounts: null, organizationalUnits: null, regions: null },
  ...{ tags: {}, namespaces: null },
};
const routes: ConfigAnswer['routes'] = [
  { to: ['a', 'b'], minSeverity: 'warning', ...all, digests: true, alarms: true },
  { to: ['a'], minSeverity: 'info', ...all, digests: true, alarms: false },
  {
    ...{ to: ['b'], minSeverity: 'critical', kinds: ['idle', 'unattached'] },
    ...{ accounts: ['111122223333'], regions: ['us-east-1', 'eu-central-1'] },
    ...{ organizationalUnits: ['ou-ab12-11111111', 'ou-ab12-22222222'] },
    ...{ namespaces: ['payments', 'shop'] },
    ...{ tags: { team: ['x', 'y'], tier: ['1'] }, digests: false, alarms: false },
  },
  { to: [], minSeverity: 'info', ...all, digests: false, alarms: true },
];

const ofSeveral = (accounts: Partial<ConfigAnswer['runs']['audit']['accounts']>): ConfigAnswer => {
  const asked = {
    accounts: null,
    organizationalUnits: null,
    exclude: [],
    memberRoleName: 'StripewiseMember',
  };
  const audit = {
    ...answer.runs.audit,
    accounts: { ...asked, regionsEnabled: false, ...accounts },
  };
  return { ...answer, runs: { ...answer.runs, audit } };
};
const severalAccounts = [
  ofSeveral({ regionsEnabled: true }),
  ofSeveral({ accounts: ['111122223333', '222233334444'], memberRoleName: 'Reader' }),
  ofSeveral({ organizationalUnits: ['ou-ab12-11111111'], exclude: ['333344445555'] }),
];

const quiet: ExpectedMonitoring = {
  ...{ volumes: 1_000, metrics: 4_409_000, quietUsd: 44.09, troubledUsd: 101.41 },
  ...{ everyMinutes: 1, laterMinutes: 0, budget: null },
};
const monitoringRuns: ExpectedMonitoring[] = [
  quiet,
  { ...quiet, everyMinutes: 5, laterMinutes: 3, budget: { code: 'enough', metrics: 12_000_000 } },
  { ...quiet, budget: { code: 'enough-in-quiet-times', metrics: 5_000_000 } },
  {
    ...quiet,
    budget: { code: 'too-little', metrics: 2_200_000, quietEveryMinutes: 30, usualEveryMinutes: 15 },
  },
  { ...quiet, budget: { code: 'nothing-left' } },
];

const budgets: BudgetMeaning[] = [
  { code: 'no-budget' },
  { code: 'below-one-audit', budgetUsd: 0.04, oneAuditUsd: 0.05 },
  { code: 'audits-take-all', budgetUsd: 1, auditsUsd: 1.43 },
  { code: 'rest-for-monitoring', budgetUsd: 5, auditsUsd: 1.43, restUsd: 3.57 },
  { code: 'monitoring-off', budgetUsd: 5, auditsUsd: 1.43 },
];

const budgetsOfAccounts: ConfigAnswer['cost']['budgetsOfAccounts'] = [
  { accounts: ['111122223333'], organizationalUnits: [], budgetUsd: 5, quietVolumes: 109 },
  {
    ...{ accounts: Array.from({ length: 7 }, (_, i) => `11112222333${i}`), organizationalUnits: [] },
    ...{ budgetUsd: 0.5, quietVolumes: 1 },
  },
  { accounts: [], organizationalUnits: ['ou-ab12-11111111'], budgetUsd: 20, quietVolumes: null },
];

const notes: ConfigNote[] = [
  { code: 'nobody-notified' },
  { code: 'no-route-for-digests' },
  { code: 'no-route-for-alarms' },
  { code: 'channel-without-route', channel: 'chat' },
  { code: 'route-below-least', route: 1, asksFor: 'warning', minSeverity: 'critical' },
  { code: 'email-twice', channel: 'mail' },
  { code: 'window-too-short-for-idle', lookbackDays: 0.5 },
  { code: 'window-too-short-for-savings', lookbackDays: 0.5 },
  { code: 'monitoring-off' },
];

const inOnePass: ConfigAnswer['cost']['audits'] = {
  ...{ aMonth: 30.4167, metricsPerVolume: 15.2, metricsPerVolumeInTrouble: 15.2 },
  ...{ metrics: 462_333, usd: 4.62, mode: 'full' },
};
const ofAll: ConfigAnswer['cost']['archive'] = {
  ...answer.cost.archive,
  price: { ...answer.cost.archive.price, metricsPerVolume: 15.2, metrics: 462_333, apiUsd: 4.62 },
};

const costWith = (cost: Partial<ConfigAnswer['cost']>, runs = answer.runs): string[] =>
  costTexts({ runs, cost: { ...answer.cost, ...cost } });

const parts: [string, string[]][] = [
  ['what runs', [answer, hourly, { ...answer, runs: { ...answer.runs, digest: null } }].flatMap(runTexts)],
  ['what runs, of several accounts', severalAccounts.flatMap((one) => runTexts(one).slice(0, 2))],
  [
    'not included',
    [answer, { ...answer, cost: { ...answer.cost, audits: inOnePass, archive: ofAll } }].flatMap(
      notIncludedTexts,
    ),
  ],
  ['changes', changes.flatMap((one) => changesTexts({ changes: one }))],
  ['volumes and tags', [answer, hourly].flatMap(lookTexts)],
  ['channels', channels.flatMap(channelTexts)],
  ['routes', routeTexts({ routes, emails: ['a@example.com'] })],
  [
    'cost',
    [
      ...costWith({}),
      ...costWith({ archive: { ...answer.cost.archive, isKept: true } }),
      ...costWith({ audits: inOnePass, usd: 4.62 }, hourly.runs),
      ...monitoringRuns.flatMap((expected) =>
        costWith({ monitoring: { usd: 44.09, expected }, usd: 45.52 }).slice(1, -1),
      ),
      ...budgets.flatMap((budget) => costWith({ budget }).slice(-1)),
      ...costWith({ budgetsOfAccounts }).slice(-budgetsOfAccounts.length),
    ],
  ],
  ['warnings', notes.map(configNoteText)],
];
const texts = parts.flatMap(([, lines]) => lines);

test('the lines are those that were read in a review', () => {
  expectToRead(
    'configuration.txt',
    parts.flatMap(([title, lines], i) => [...(i === 0 ? [] : ['']), `# ${title}`, ...new Set(lines)]),
  );
});

test('every code is among them', () => {
  const { notes: ofNotes, cost } = configAnswerSchema.shape;
  expect(notes.map(({ code }) => code)).toEqual(codesOf(ofNotes.element));
  expect(budgets.map(({ code }) => code)).toEqual(codesOf(cost.shape.budget));
  const { budget } = cost.shape.monitoring.unwrap().shape.expected.shape;
  expect(new Set(monitoringRuns.flatMap((one) => one.budget?.code ?? []))).toEqual(
    new Set(codesOf(budget.unwrap())),
  );
});

test('each is made of whole sentences, none of which is too long', () => {
  expect(unreadable(texts)).toEqual([]);
  expect(texts.filter((text) => !/^\S.*\.$/.test(text))).toEqual([]);
});
