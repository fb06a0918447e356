/** What a configuration means, in lines: what runs when, who is notified of what, what it costs, what may not be meant so. */
import { figure, usdText } from '../../core/figures.ts';
import type {
  BudgetMeaning,
  ConfigAnswer,
  ConfigNote,
  ExpectedMonitoring,
  MonitoringBudget,
  Optional,
} from '../../core/schemas/config-answer.ts';
import type { Severity } from '../../core/schemas/finding-kinds.ts';
import type { OpinionSource } from '../../core/schemas/second-opinion.ts';
import { counted, shortText } from './words.ts';

const longestName = 200;
const sanitizeAll = (words: readonly string[]): string[] => words.map((word) => shortText(word, longestName));

/** "a, b and c". */
const listed = (words: readonly string[], joint: string): string => {
  const all = sanitizeAll(words);
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} ${joint} ${all.at(-1)}`;
};

const every = (count: number, unit: string): string =>
  count === 1 ? `every ${unit}` : `every ${figure(count)} ${unit}s`;

type Audit = ConfigAnswer['runs']['audit'];

const maxNamed = 3;
const few = (names: readonly string[]): string =>
  listed(
    names.length <= maxNamed
      ? names
      : [...names.slice(0, maxNamed), `${figure(names.length - maxNamed, 0)} more`],
    'and',
  );

/** "Accounts: all of the organization but 777788889999, each by its role StripewiseMember." */
function accountsText({
  accounts,
  organizationalUnits: units,
  exclude,
  memberRoleName,
}: NonNullable<Audit['accounts']>): string {
  const all = units === null ? 'all of the organization' : `those in ${few(units)}, and in the units in them`;
  const but = exclude.length === 0 ? '' : `, without ${few(exclude)}`;
  return `Accounts: ${accounts === null ? all : few(accounts)}${but}, each by its role ${shortText(memberRoleName, longestName)}.`;
}

function regionsText({ accounts, regions }: Audit): string {
  if (accounts?.regionsEnabled === true) return 'the Regions that each account has enabled';
  return regions.length === 0 ? 'the Region of the stack' : listed(regions, 'and');
}

const services: Readonly<Record<OpinionSource, string>> = {
  'compute-optimizer': 'Compute Optimizer',
  'cost-optimization-hub': 'Cost Optimization Hub',
};

/** Where an account does not use one, the run says so and goes on. */
const comparedText = (sources: readonly OpinionSource[]): string =>
  `Each audit reads what ${listed(
    sources.map((source) => services[source]),
    'and',
  )} ${sources.length === 1 ? 'recommends' : 'recommend'}, and enables nothing.`;

export function runTexts({ runs, excludeTags }: ConfigAnswer): string[] {
  const { audit, monitoring, digest } = runs;
  const where = regionsText(audit);
  const but = Object.keys(excludeTags).length === 0 ? '' : ' without the excluded volumes';
  const passes =
    audit.mode === 'adaptive' ? 'in two passes' : `in one pass of points of ${audit.periodSeconds} s`;
  const days = figure(audit.lookbackDays) === '1' ? '1 day' : `${figure(audit.lookbackDays)} days`;
  return [
    `Audit ${every(audit.everyHours, 'hour')}: ${where}${but}, over ${days}, ${passes}.`,
    ...(audit.accounts === undefined ? [] : [accountsText(audit.accounts)]),
    ...(audit.compareWith === undefined ? [] : [comparedText(audit.compareWith)]),
    monitoring === null
      ? 'No monitoring between audits (monitoring.enabled: false).'
      : `Monitoring between audits ${every(monitoring.everyMinutes, 'minute')}: it polls the volumes that are due.`,
    digest === null
      ? 'No digest (notifications.digest: none).'
      : `Digest each ${digest.when === 'daily' ? 'day' : 'Monday'} at ${digest.at} UTC.`,
  ];
}

type Archive = ConfigAnswer['cost']['archive'];

const s3Text = ({ keepDays, price }: Archive): string =>
  `S3 takes up to ${usdText(price.storageUsd + price.requestsUsd)} a month, after ${counted(keepDays, 'day')}`;

/** One costs less than a cent. */
const questions = 100;
const athenaText = ({ maxQueryGiB, price }: Archive): string =>
  `${questions} questions to it in Athena: ${usdText(questions * price.volumeYearUsd)} for a year of one volume each, up to ${usdText(questions * price.fleetQuarterUsd)} for a quarter of all. One that would read more than ${figure(maxQueryGiB)} GiB is stopped.`;

function archiveOffer({ volumes, audits, archive }: ConfigAnswer['cost']): string {
  const { keepDays, price } = archive;
  const instead =
    price.apiUsd > audits.usd
      ? `${usdText(price.apiUsd)} a month of metrics instead of ${usdText(audits.usd)}`
      : 'metrics cost no more';
  return `The archive (archive: {}): minutes for ${counted(keepDays, 'day')}, not 15. For ${counted(volumes, 'volume')} ${instead}. ${s3Text(archive)}.`;
}

const optionalTexts: Readonly<Record<Exclude<Optional, 'archive'>, string>> = {
  'report.links':
    'Links to reports (report.links): a message names `stripewise report open`. Links need a public address.',
  buttons: 'Buttons in Slack (buttons of a channel). They need a public address.',
  benchmark: 'The benchmark (benchmark.vpcId and benchmark.subnetIds): a stack of its own.',
  changes: 'Changes of volumes (changes): no role of the stack may change a volume.',
};
export const notIncludedTexts = ({ notIncluded, cost }: ConfigAnswer): string[] =>
  notIncluded.map((name) => (name === 'archive' ? archiveOffer(cost) : optionalTexts[name]));

type Cost = ConfigAnswer['cost'];
type Tags = ConfigAnswer['excludeTags'];

/** "team = payments or orders", "backup with any value". */
const tagText = (key: string, values: readonly string[]): string =>
  values.includes('*')
    ? `${shortText(key, longestName)} with any value`
    : `${shortText(key, longestName)} = ${listed(
        values.map((value) => (value === '' ? '(empty)' : value)),
        'or',
      )}`;

const tagsText = (tags: Tags, joint: string): string =>
  listed(
    Object.entries(tags).map(([key, values]) => tagText(key, values)),
    joint,
  );

type Changes = NonNullable<ConfigAnswer['changes']>;

function approversText({ slackUsers, roles, approvals }: Changes): string {
  const who = [
    ...(slackUsers.length === 0
      ? []
      : [`${slackUsers.length === 1 ? 'Slack user' : 'Slack users'} ${few(slackUsers)}`]),
    ...(roles.length === 0 ? [] : [`${roles.length === 1 ? 'role' : 'roles'} ${few(roles)}`]),
  ].join('; ');
  return approvals === 1
    ? `One person must approve, of: ${who}.`
    : `${approvals} people must approve, and not who asked for it, of: ${who}. A role counts once.`;
}

/** "Rule 1 approves without a person: a reduction of idle, up to 20.00 USD a month, tagged env = test." */
function ruleText(
  { direction, kinds, tags, maxUsdPerMonth }: Changes['automatic'][number],
  i: number,
): string {
  const what = direction === 'reduction' ? 'a reduction' : 'an increase';
  const of = kinds === null ? '' : ` for ${listed(kinds, 'or')}`;
  const where = Object.keys(tags).length === 0 ? 'any volume' : `volumes tagged ${tagsText(tags, 'and')}`;
  return `Rule ${i + 1} approves what is requested without a person: ${what}${of} of ${where}, up to ${usdText(maxUsdPerMonth)} a month.`;
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

function windowText({ tags, days, from, to, timeZone }: Changes['windows'][number]): string {
  const when =
    days.length === weekdays.length ? 'every day' : days.map((day) => weekdays[day - 1]).join(', ');
  const which = Object.keys(tags).length === 0 ? 'all volumes' : `volumes tagged ${tagsText(tags, 'and')}`;
  return `${which}: ${when}, ${from} to ${to} ${shortText(timeZone, longestName)}`;
}

function windowsText(windows: Changes['windows']): string {
  if (windows.length === 0) return 'They begin at any time (no windows).';
  const forAll = windows.some(({ tags }) => Object.keys(tags).length === 0);
  const others = forAll ? '' : ' Other volumes never begin.';
  return `They begin in windows, for ${windows.map(windowText).join('; ')}.${others}`;
}

/** Who approves what, when it begins, what bounds it, and what the stack may do for it. */
export function changesTexts({ changes }: Pick<ConfigAnswer, 'changes'>): string[] {
  if (changes === null) return [];
  const { roles, automatic, windows, maxAtOnce, maxPerDay, maxIncreaseUsdPerMonth: most } = changes;
  return [
    approversText(changes),
    ...(automatic.length === 0 ? ['No rule approves without a person.'] : automatic.map(ruleText)),
    windowsText(windows),
    `At most ${figure(maxAtOnce, 0)} at once and ${figure(maxPerDay, 0)} in 24 hours.`,
    most === null
      ? 'Nothing bounds what increases cost (maxIncreaseUsdPerMonth).'
      : `Increases of a calendar month raise the bill by at most ${usdText(most)} a month.`,
    'The stack gets ec2:ModifyVolume, for one role.',
    ...(roles.length === 0
      ? ['Only Slack users may approve: the end of a stop, `stripewise changes go`, needs a role.']
      : []),
  ];
}

export const lookTexts = ({ excludeTags, keptTagKeys }: ConfigAnswer): string[] => [
  Object.keys(excludeTags).length === 0
    ? 'No volume is excluded (exclude.tags).'
    : `Excluded: volumes tagged ${tagsText(excludeTags, 'or')}.`,
  keptTagKeys.length === 0
    ? 'No tags are kept.'
    : `Tags that are kept, for exclusions and routes: ${listed(keptTagKeys, 'and')}.`,
];

type Channel = ConfigAnswer['channels'][number];

const kindTexts: Record<Channel['kind'], string> = {
  'slack-webhook': 'Slack, by its incoming webhook',
  'slack-bot': 'Slack, by a bot with threads',
  teams: 'Teams, by the webhook of a workflow',
  'amazon-q': 'Amazon Q Developer in chat applications, by an SNS topic',
  sns: 'SNS topic: e-mail and JSON',
  eventbridge: 'Events on EventBridge',
};

/** Where it goes and how often, then its quiet hours. */
export function channelTexts({ kind, maxMessagesPerHour, quietHours, ...channel }: Channel): string[] {
  const { slackChannel, charts, buttons, bus, emails } = channel;
  const extras = [...(charts ? ['charts'] : []), ...(buttons ? ['buttons'] : [])];
  const where = [
    ...(slackChannel === null ? [] : [`, in ${shortText(slackChannel, longestName)}`]),
    ...(extras.length === 0 ? [] : [` with ${extras.join(' and ')}`]),
    ...(bus === null ? [] : [`, on the bus ${shortText(bus, longestName)}`]),
    ...(emails.length === 0 ? [] : [`, to ${listed(emails, 'and')}`]),
  ].join('');
  const text = `${kindTexts[kind]}${where}; at most ${counted(maxMessagesPerHour, 'message')} an hour.`;
  if (quietHours === null) return [text];
  const { from, to, timeZone, utcToday, allowCritical } = quietHours;
  const span = `Quiet from ${from} to ${to} ${shortText(timeZone, longestName)} (today ${utcToday.from} to ${utcToday.to} UTC).`;
  const critical = allowCritical ? 'Critical findings are sent all the same.' : 'Critical findings wait too.';
  return [text, `${span} ${critical}`];
}

const severityTexts: Record<Severity, string> = {
  critical: 'Critical findings',
  warning: 'Warnings and critical findings',
  info: 'All findings',
};

function routeText(route: ConfigAnswer['routes'][number]): string {
  const {
    to,
    minSeverity,
    kinds,
    accounts,
    organizationalUnits: units,
    regions,
    tags,
    namespaces,
    digests,
    alarms,
  } = route;
  const conditions = [
    ...(kinds === null ? [] : [`kind ${listed(kinds, 'or')}`]),
    ...(accounts === null ? [] : [`account ${listed(accounts, 'or')}`]),
    ...(units === null ? [] : [`in ${listed(units, 'or')}`]),
    ...(regions === null ? [] : [`Region ${listed(regions, 'or')}`]),
    ...(Object.keys(tags).length === 0 ? [] : [`tagged ${tagsText(tags, 'and')}`]),
  ];
  const also = [...(digests ? ['digests'] : []), ...(alarms ? ['alarms of the service'] : [])];
  return [
    `${severityTexts[minSeverity]} go to ${to.length === 0 ? 'nobody' : listed(to, 'and')}.`,
    ...(conditions.length === 0 ? [] : [`Only: ${conditions.join('; ')}.`]),
    ...(namespaces === null ? [] : [`Only Kubernetes namespace ${listed(namespaces, 'or')}.`]),
    also.length === 0 ? 'No digests, no alarms.' : `Also ${listed(also, 'and')}.`,
  ].join(' ');
}

export const routeTexts = ({ routes, emails }: Pick<ConfigAnswer, 'routes' | 'emails'>): string[] => [
  ...routes.map(routeText),
  ...(emails.length === 0 ? [] : [`All notifications go to ${listed(emails, 'and')} by e-mail.`]),
];

const metricsAMonth = (metrics: number): string => `${figure(metrics, 0)} metrics a month`;

type Of<Union extends { code: string }, Code> = Extract<Union, { code: Code }>;

const monitoringBudgetTexts: {
  [Code in MonitoringBudget['code']]: (of: Of<MonitoringBudget, Code>) => string;
} = {
  'nothing-left': () => 'Nothing of the budget is left for it: it does not poll.',
  enough: ({ metrics }) => `Its budget (${metricsAMonth(metrics)}) is enough.`,
  'enough-in-quiet-times': ({ metrics }) =>
    `Its budget (${metricsAMonth(metrics)}) is enough in quiet times. Where much is near its limits, quiet volumes wait.`,
  'too-little': ({ metrics, quietEveryMinutes, usualEveryMinutes }) =>
    `Its budget (${metricsAMonth(metrics)}) is less than quiet times take. Quiet volumes are polled every ${figure(quietEveryMinutes, 0)} min instead of every ${figure(usualEveryMinutes, 0)}, after those near a limit and buckets that drain. Trouble that begins on a quiet one is notified up to that much later. A small bucket may be empty before anybody looked.`,
};

function monitoringTexts({ volumes, metrics, quietUsd, troubledUsd, ...rest }: ExpectedMonitoring): string[] {
  const { everyMinutes, laterMinutes, budget } = rest;
  return [
    `Monitoring of ${counted(volumes, 'volume')}: ${metricsAMonth(metrics)} in quiet times, ${usdText(quietUsd)}. About ${usdText(troubledUsd)} where one in three is in trouble.`,
    ...(laterMinutes === 0
      ? []
      : [
          `With a poll every ${everyMinutes} min throttling is notified up to ${figure(laterMinutes, 0)} min later than with one a minute.`,
        ]),
    ...(budget === null
      ? []
      : [(monitoringBudgetTexts[budget.code] as (of: MonitoringBudget) => string)(budget)]),
  ];
}

const allTheSame = 'Audits run all the same, and nothing is left for monitoring.';

const budgetTexts: { [Code in BudgetMeaning['code']]: (of: Of<BudgetMeaning, Code>) => string } = {
  'no-budget': () => 'No budget (budget.apiUsdPerMonth): nothing bounds the API cost.',
  'below-one-audit': ({ budgetUsd, oneAuditUsd }) =>
    `The budget of ${usdText(budgetUsd)} a month is less than one audit (${usdText(oneAuditUsd)}). ${allTheSame}`,
  'audits-take-all': ({ budgetUsd, auditsUsd }) =>
    `Audits alone take ${usdText(auditsUsd)} of the budget of ${usdText(budgetUsd)} a month. ${allTheSame}`,
  'rest-for-monitoring': ({ budgetUsd, auditsUsd, restUsd }) =>
    `Of the budget of ${usdText(budgetUsd)} a month audits take ${usdText(auditsUsd)}. Monitoring keeps to the other ${usdText(restUsd)}: where that is not enough, it polls less often.`,
  'monitoring-off': ({ budgetUsd, auditsUsd }) =>
    `Of the budget of ${usdText(budgetUsd)} a month audits take ${usdText(auditsUsd)}; monitoring is off.`,
};

/** Where the budget bounds monitoring: what would not. */
function wayOutOfBudget(auditsUsd: number, expected: ExpectedMonitoring | undefined): string[] {
  const code = expected?.budget?.code;
  if (expected === undefined || (code !== 'too-little' && code !== 'nothing-left')) return [];
  const enough = figure(Math.ceil(auditsUsd + expected.quietUsd), 0);
  return [
    `The budget bounds monitoring: give budget.apiUsdPerMonth ${enough} or more, or null for no bound, to poll as usual.`,
  ];
}

/** "At most 5.00 USD a month for 111122223333 (budget.accounts[0]), enough for 90 volumes in quiet times." */
function accountBudgetText(
  { accounts, organizationalUnits, budgetUsd, quietVolumes }: Cost['budgetsOfAccounts'][number],
  entry: number,
): string {
  const whose = accounts.length > 0 ? few(accounts) : `all accounts in ${few(organizationalUnits)}`;
  const together = accounts.length === 1 ? '' : ' together';
  const enough =
    quietVolumes === null ? '' : `, enough for ${counted(quietVolumes, 'volume')} in quiet times`;
  return `At most ${usdText(budgetUsd)} a month for ${whose}${together} (budget.accounts[${entry}])${enough}.`;
}

/** Of a month, with what the budget means. */
export function costTexts({ cost, runs }: Pick<ConfigAnswer, 'cost' | 'runs'>): string[] {
  const { audits, archive, monitoring, usd, budget, budgetsOfAccounts } = cost;
  const { aMonth, metricsPerVolume, metricsPerVolumeInTrouble, metrics } = audits;
  const inTrouble =
    metricsPerVolumeInTrouble > metricsPerVolume
      ? ` Up to ${figure(metricsPerVolumeInTrouble / metricsPerVolume, 1)} times as many where all volumes are in trouble, not one in twenty.`
      : '';
  return [
    `${figure(aMonth, 1)} audits a month: ${figure(metricsPerVolume)} metrics a volume each, ${figure(metrics, 0)} metrics, ${usdText(audits.usd)}.${inTrouble}`,
    ...(archive.isKept
      ? [
          `The archive keeps what audits read. ${s3Text(archive)}; the total is without it.`,
          athenaText(archive),
        ]
      : []),
    ...(monitoring === null ? [] : monitoringTexts(monitoring.expected)),
    ...(monitoring === null && runs.monitoring !== null
      ? ['Monitoring comes on top: how much depends on how near volumes come to their limits.']
      : []),
    ...(usd === null ? [] : [`Total ${usdText(usd)}.`]),
    (budgetTexts[budget.code] as (of: BudgetMeaning) => string)(budget),
    ...wayOutOfBudget(audits.usd, monitoring?.expected),
    ...budgetsOfAccounts.map(accountBudgetText),
  ];
}

const noteTexts: { [Code in ConfigNote['code']]: (of: Of<ConfigNote, Code>) => string } = {
  'nobody-notified': () => 'No channels and no notifications.emails: nobody is notified of findings.',
  'no-route-for-digests': () => 'No route takes digests: notifications.digest is sent to nobody.',
  'no-route-for-alarms': () =>
    'No alarms.emails, and no route takes alarms: nobody is notified where the service itself fails.',
  'channel-without-route': ({ channel }) =>
    `No route leads to the channel ${shortText(channel, longestName)}: nothing is sent to it.`,
  'route-below-least': ({ route, asksFor, minSeverity }) =>
    `Route ${route} asks for ${asksFor}, but nothing below notifications.minSeverity (${minSeverity}) is sent.`,
  'email-twice': ({ channel }) =>
    `An address of notifications.emails is in the channel ${shortText(channel, longestName)} too: it gets everything twice.`,
  'window-too-short-for-idle': ({ lookbackDays }) =>
    `audit.lookbackDays (${figure(lookbackDays)}) is too short to call a volume idle.`,
  'window-too-short-for-savings': ({ lookbackDays }) =>
    `audit.lookbackDays (${figure(lookbackDays)}) is too short to show what a load could save.`,
  'monitoring-off': () => 'Monitoring is off (monitoring.enabled): nothing is polled between two audits.',
};

/** What may not be meant so. */
export const configNoteText = (note: ConfigNote): string =>
  (noteTexts[note.code] as (of: ConfigNote) => string)(note);
