/** A configuration from what a file says, or what is wrong with it. */
import { z } from 'zod';
import { longestArchivedDays, readingPlan } from '../audit/batches.ts';
import { defaultThresholds, type ThresholdName } from '../diagnosis/thresholds.ts';
import { BadInput } from '../errors.ts';
import { figure } from '../figures.ts';
import { finestEbsPeriodSeconds } from '../load/metrics.ts';
import { leastOfBatch } from '../load/point-rates.ts';
import { nearest } from '../nearest.ts';
import type { ConfigNote } from '../schemas/config-answer.ts';
import { severityRank } from '../schemas/finding-kinds.ts';
import { secondsPerDay } from '../units.ts';
import { badChanges } from './changes.ts';
import { badAccounts } from './check-accounts.ts';
import { archiveDefaults, type Config, configSchema, type Route, routesOf } from './config.ts';
import type { Problem } from './problem.ts';
import { accountBudgetsOf, channelBytes, maxChannelBytes, pointRatesOf, variablesOf } from './variables.ts';

function valueAt(whole: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    whole,
  );
}

/** Short words alone: a secret may stand where it should not. */
const isHarmless = (text: string): boolean => /^[\w.:-]{1,24}$/.test(text);

function shown(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  return typeof value === 'string' && isHarmless(value) ? `"${value}"` : null;
}

function kindText(value: unknown): string {
  if (value === undefined) return 'is missing';
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'is empty';
  if (Array.isArray(value)) return 'is a list';
  return typeof value === 'object' ? 'is a section' : `is ${shown(value) ?? 'not right'}`;
}

const listed = (words: readonly unknown[]): string => `one of ${words.join(', ')}`;

/** One of these; with the one that was meant, where it is like one. */
function oneOf(value: unknown, words: readonly unknown[]): string {
  const names = words.filter((word) => typeof word === 'string');
  const meant = typeof value === 'string' ? nearest(value, names) : null;
  return `${meant === null ? '' : `did you mean ${meant}? `}give ${listed(words)}`;
}

const secretKeys = /url|webhook|token|secret|password|signing/i;

function unknownKey(key: string, path: readonly PropertyKey[], whole: unknown): string {
  const { kind } = (valueAt(whole, path) ?? {}) as { kind?: unknown };
  const known = keysAt(path, kind);
  const name = isHarmless(key) ? `"${key}"` : 'a key';
  if (path[0] === 'channels' && secretKeys.test(key))
    return `${name} is not known here: no secret stands in this file; one secret has them for all channels (output ChannelSecrets)`;
  const meant = nearest(key, known);
  return `${name} is not known here: ${meant === null ? `give ${listed(known)}` : `did you mean ${meant}?`}`;
}

const typeTexts: Partial<Record<string, string>> = {
  object: 'a section (name: value), {} for its defaults',
  array: 'a list, like [one, two]',
  number: 'a number',
  int: 'a whole number',
  string: 'text, in quotes',
  boolean: 'true or false',
};

type Issue = z.core.$ZodIssue;

function boundText(issue: Issue & { code: 'too_small' | 'too_big' }): string {
  const isSmall = issue.code === 'too_small';
  const bound = isSmall ? issue.minimum : issue.maximum;
  if (isSmall && bound === 1 && issue.origin === 'string') return 'some text';
  if (isSmall && bound === 1 && issue.origin === 'array') return 'one or more';
  const unit = issue.origin === 'string' ? ' characters' : issue.origin === 'array' ? ' entries' : '';
  if (issue.inclusive === false) return isSmall ? `more than ${bound}${unit}` : `less than ${bound}${unit}`;
  return `${bound}${unit} or ${isSmall ? 'more' : issue.origin === 'number' ? 'less' : 'fewer'}`;
}

/** Messages of zod itself; all others are of the schema and say what would be right. */
const ofZod = /^(Invalid|Too|Unrecognized)\b/;

function rightText(issue: Issue, value: unknown): string {
  if (!ofZod.test(issue.message)) {
    return issue.message.includes('give ') ? issue.message : `give ${issue.message}`;
  }
  switch (issue.code) {
    case 'invalid_type':
      return `give ${typeTexts[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return oneOf(value, issue.values);
    case 'too_small':
    case 'too_big':
      return `give ${boundText(issue)}`;
    case 'invalid_key':
      return `give ${issue.issues[0]?.message ?? 'another name'}`;
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options) ? oneOf(value, issue.options) : issue.message;
    default:
      return issue.message;
  }
}

/** @param whole the file as it was read. */
function problemOf(issue: Issue, whole: unknown): Problem {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    return { path, key, text: unknownKey(key, path, whole) };
  }
  const value = valueAt(whole, path);
  const right = rightText(issue, value);
  if (issue.code === 'invalid_key') return { path, text: `is no name: ${right}` };
  // What two keys do to each other is said whole.
  if (issue.code === 'custom' && typeof value === 'object') return { path, text: right };
  return { path, text: `${kindText(value)}: ${right}` };
}

// The keys of the configuration, by its schema: for a hint at the one that was meant, and for who documents them.

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  const?: unknown;
}

/** What a place in the file may be: of a choice each. */
const choicesOf = (schema: JsonSchema): JsonSchema[] => {
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return choices.length === 0 ? [schema] : choices.flatMap(choicesOf);
};

const childrenOf = ({ properties, additionalProperties, items }: JsonSchema): [string, JsonSchema][] => [
  ...Object.entries(properties ?? {}),
  ...(typeof additionalProperties === 'object' ? [['*', additionalProperties] as [string, JsonSchema]] : []),
  ...(items === undefined ? [] : [['[]', items] as [string, JsonSchema]]),
];

const rootSchema = (): JsonSchema => z.toJSONSchema(configSchema, { io: 'input' }) as JsonSchema;

const into = (schemas: readonly JsonSchema[], key: PropertyKey): JsonSchema[] =>
  schemas.flatMap(choicesOf).flatMap(({ properties, additionalProperties, items }) => {
    if (typeof key === 'number') return items === undefined ? [] : [items];
    const own = properties?.[String(key)];
    if (own !== undefined) return [own];
    return typeof additionalProperties === 'object' ? [additionalProperties] : [];
  });

/** @param kind of the channel, where the place is one: each kind has keys of its own. */
export function keysAt(path: readonly PropertyKey[], kind?: unknown): string[] {
  const here = path.reduce<JsonSchema[]>(into, [rootSchema()]).flatMap(choicesOf);
  const ofKind = here.filter(({ properties }) => properties?.['kind']?.const === kind);
  const named = (ofKind.length > 0 ? ofKind : here).flatMap(({ properties }) =>
    Object.keys(properties ?? {}),
  );
  return [...new Set(named)];
}

/** Every key of the file as a path: `audit.everyHours`, `channels.*.kind`, `routes[].to`. */
export function allKeys(): string[] {
  const below = (schema: JsonSchema, path: string): string[] =>
    choicesOf(schema).flatMap((choice) =>
      childrenOf(choice).flatMap(([key, child]) => {
        const at = key === '[]' ? `${path}[]` : `${path}${path === '' ? '' : '.'}${key}`;
        return [...(key === '[]' || key === '*' ? [] : [at]), ...below(child, at)];
      }),
    );
  return [...new Set(below(rootSchema(), ''))];
}

// What a configuration may not mean as it stands: allowed, and worth a second look.

function routeNotes({ channels, notifications }: Config, routes: readonly Route[]): ConfigNote[] {
  const { minSeverity } = notifications;
  const routed = new Set(routes.flatMap(({ to }) => to));
  const least = severityRank(minSeverity);
  return [
    ...Object.keys(channels)
      .filter((name) => !routed.has(name))
      .map((channel) => ({ code: 'channel-without-route' as const, channel })),
    ...routes.flatMap(({ minSeverity: asksFor }, i) =>
      severityRank(asksFor) > least && asksFor !== 'info'
        ? [{ code: 'route-below-least' as const, route: i + 1, asksFor, minSeverity }]
        : [],
    ),
  ];
}

function nobodyNotes({ channels, notifications, alarms }: Config, routes: readonly Route[]): ConfigNote[] {
  const isAny = (is: (route: Route) => boolean): boolean =>
    routes.some((one) => one.to.length > 0 && is(one));
  const nobody = Object.keys(channels).length === 0 && notifications.emails.length === 0;
  const noDigests = notifications.digest !== 'none' && !isAny(({ digests }) => digests);
  const noAlarms = alarms.emails.length === 0 && !isAny((route) => route.alarms);
  return [
    ...(nobody ? [{ code: 'nobody-notified' as const }] : []),
    ...(noDigests ? [{ code: 'no-route-for-digests' as const }] : []),
    ...(noAlarms ? [{ code: 'no-route-for-alarms' as const }] : []),
  ];
}

function twiceNotes({ channels, notifications }: Config): ConfigNote[] {
  const mailed = new Set(notifications.emails.map((email) => email.toLowerCase()));
  return Object.entries(channels).flatMap(([name, channel]) =>
    channel.kind === 'sns' && channel.emails.some((email) => mailed.has(email.toLowerCase()))
      ? [{ code: 'email-twice' as const, channel: name }]
      : [],
  );
}

function windowNotes({ audit: { lookbackDays }, thresholds }: Config): ConfigNote[] {
  const isShort = (name: 'idleWindowSeconds' | 'savingWindowSeconds'): boolean =>
    lookbackDays * secondsPerDay < (thresholds[name] ?? defaultThresholds[name]);
  return [
    ...(isShort('idleWindowSeconds') ? [{ code: 'window-too-short-for-idle' as const, lookbackDays }] : []),
    ...(isShort('savingWindowSeconds')
      ? [{ code: 'window-too-short-for-savings' as const, lookbackDays }]
      : []),
  ];
}

export function configNotes(config: Config): ConfigNote[] {
  const routes = routesOf(config);
  return [
    ...nobodyNotes(config, routes),
    ...routeNotes(config, routes),
    ...twiceNotes(config),
    ...windowNotes(config),
    ...(config.monitoring.enabled ? [] : [{ code: 'monitoring-off' as const }]),
  ];
}

// What no section of the configuration can know by itself.

/** From the archive an audit evaluates minutes, as far back as it keeps them. */
function badArchivedWindow({ audit, archive }: Config): Problem[] {
  const isTooLong = audit.lookbackDays > longestArchivedDays;
  const keepDays = archive?.keepDays ?? Number.POSITIVE_INFINITY;
  return [
    ...(isTooLong
      ? [
          {
            path: ['audit', 'lookbackDays'],
            text: `${audit.lookbackDays} days are longer than an audit from the archive looks back: give ${longestArchivedDays} or less`,
          },
        ]
      : []),
    ...(keepDays < audit.lookbackDays
      ? [
          {
            path: ['archive', 'keepDays'],
            text: `${keepDays} days are fewer than an audit looks back: give ${Math.ceil(audit.lookbackDays)} or more, or a shorter audit.lookbackDays`,
          },
        ]
      : []),
    ...(audit.mode === 'full' && audit.periodSeconds !== finestEbsPeriodSeconds
      ? [
          {
            path: ['audit', 'periodSeconds'],
            text: `the archive keeps one-minute points: give ${finestEbsPeriodSeconds}, or leave audit.mode and audit.periodSeconds out`,
          },
        ]
      : []),
  ];
}

function badLookback(config: Config): Problem[] {
  const { audit, archive } = config;
  if (archive !== undefined) return badArchivedWindow(config);
  const periodSeconds = audit.mode === 'adaptive' ? 'two-passes' : audit.periodSeconds;
  // What CloudWatch keeps depends on how long ago a time is, and not on which day it is now.
  const now = new Date('2026-01-01T00:00:00Z');
  try {
    readingPlan({ lookbackDays: audit.lookbackDays, periodSeconds, until: now, now, settleSeconds: 0 });
    return [];
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    const isRightWithArchive = badArchivedWindow({ ...config, archive: archiveDefaults() }).length === 0;
    const orArchive = isRightWithArchive ? `, or give archive: {} (up to ${longestArchivedDays} days)` : '';
    const text = `with audit.periodSeconds: ${error.message}${orArchive}`;
    return [{ path: ['audit', 'lookbackDays'], text }];
  }
}

/** More batches at once than the quota feeds end at the limit of their function, unread. */
function badQuota({ audit, monitoring }: Config): Problem[] {
  const { batchesAtOnce, maxQuotaPercent } = audit;
  const each = pointRatesOf({ audit, monitoring }).batch?.older ?? null;
  if (each === null || maxQuotaPercent === null || each >= leastOfBatch) return [];
  const most = Math.floor((each * batchesAtOnce) / leastOfBatch);
  const percent = Math.ceil((maxQuotaPercent * leastOfBatch) / each);
  const ways = [
    ...(most < 1 ? [] : [`batchesAtOnce of ${most} or fewer`]),
    ...(percent > 100 ? [] : [`maxQuotaPercent of ${percent} or more`]),
  ];
  const right = ways.length === 0 ? 'less of the first and more of the second' : ways.join(', or ');
  const text = `${batchesAtOnce} with maxQuotaPercent: ${maxQuotaPercent} leave each batch ${figure(each)} points a second, and it needs ${figure(leastOfBatch)}: give ${right}`;
  return [{ path: ['audit', 'batchesAtOnce'], text }];
}

function badMemory({ audit, notifications }: Config): Problem[] {
  const minDays = (2 * audit.everyHours) / 24;
  if (notifications.retentionDays >= minDays) return [];
  const text = `${notifications.retentionDays} days are shorter than two audits (audit.everyHours: ${audit.everyHours}): what goes on would be reported again; give ${minDays} or more`;
  return [{ path: ['notifications', 'retentionDays'], text }];
}

function badRoutes({ routes = [], channels }: Config): Problem[] {
  const names = Object.keys(channels);
  const known = names.length === 0 ? 'there is no channel' : `give one of ${names.join(', ')}`;
  return routes.flatMap(({ to }, route) =>
    to.flatMap((name, i) => {
      if (Object.hasOwn(channels, name)) return [];
      const meant = nearest(name, names);
      const hint = meant === null ? known : `did you mean ${meant}?`;
      return [{ path: ['routes', route, 'to', i], text: `"${name}" is none of channels: ${hint}` }];
    }),
  );
}

const badQuietHours = ({ channels }: Config): Problem[] =>
  Object.entries(channels).flatMap(([name, { quietHours }]) =>
    quietHours === null || quietHours.from !== quietHours.to
      ? []
      : [
          {
            path: ['channels', name, 'quietHours'],
            text: 'end when they begin: give two times, or no quietHours; a channel that is to say nothing has no route',
          },
        ],
  );

/** The first that stands there before. */
function twice(values: readonly string[], path: readonly PropertyKey[], what: string): Problem[] {
  const seen = new Set<string>();
  for (const [i, value] of values.entries()) {
    const same = value.toLowerCase();
    if (seen.has(same)) return [{ path: [...path, i], text: `${what} stands there twice: give it once` }];
    seen.add(same);
  }
  return [];
}

const badLists = ({ regions, notifications, alarms, channels }: Config): Problem[] => [
  ...twice(regions, ['regions'], 'this Region'),
  ...twice(notifications.emails, ['notifications', 'emails'], 'this address'),
  ...twice(alarms.emails, ['alarms', 'emails'], 'this address'),
  ...Object.entries(channels).flatMap(([name, channel]) =>
    channel.kind === 'sns' ? twice(channel.emails, ['channels', name, 'emails'], 'this address') : [],
  ),
];

/** Of each pair the first is no more than the second. */
const inOrder = [
  ['throttledWarningMinutes', 'throttledCriticalMinutes', 'what is critical is a warning before'],
  ['willExhaustCriticalSeconds', 'willExhaustSeconds', 'what is critical is a warning before'],
  ['unreachableUsd', 'unreachableWarningUsd', 'a warning is reported'],
] as const satisfies readonly (readonly [ThresholdName, ThresholdName, string])[];

function badThresholds({ thresholds, audit }: Config): Problem[] {
  const inForce = (name: ThresholdName): number => thresholds[name] ?? defaultThresholds[name];
  const unordered = inOrder.flatMap(([less, more, reason]) => {
    if (inForce(less) <= inForce(more)) return [];
    const [own, other] = thresholds[less] === undefined ? [more, less] : [less, more];
    const [side, bound] = own === less ? ['more', 'at most'] : ['less', 'at least'];
    return [
      {
        path: ['thresholds', own],
        text: `${inForce(own)} is ${side} than ${other} (${inForce(other)}), and ${reason}: give ${bound} ${inForce(other)}, or another ${other}`,
      },
    ];
  });
  const seconds = audit.lookbackDays * secondsPerDay;
  const tooLong = (['idleWindowSeconds', 'savingWindowSeconds'] as const).flatMap((name) =>
    (thresholds[name] ?? 0) > seconds
      ? [
          {
            path: ['thresholds', name],
            text: `${thresholds[name]} is longer than an audit looks back (audit.lookbackDays: ${audit.lookbackDays}): give ${seconds} or less, or nothing of that would ever be reported`,
          },
        ]
      : [],
  );
  return [...unordered, ...tooLong];
}

/** All variables of a function together have 4 KB; other variables need some of it. */
const maxVariableBytes = 3_000;

function tooMuchForFunctions(config: Config): Problem[] {
  const bytes = Object.values(variablesOf(config)).reduce(
    (sum, text) => sum + new TextEncoder().encode(text).length,
    0,
  );
  const ofBudgets = new TextEncoder().encode(accountBudgetsOf(config).ACCOUNT_BUDGETS ?? '').length;
  if (bytes + ofBudgets <= maxVariableBytes) return [];
  if (bytes <= maxVariableBytes) {
    const text = `takes ${ofBudgets} bytes, and functions can be given ${maxVariableBytes - bytes} of it: give fewer, or units`;
    return [{ path: ['budget', 'accounts'], text }];
  }
  const text = `with thresholds and the keys of tags in routes takes ${bytes} bytes, and functions can be given ${maxVariableBytes} of it: give fewer or shorter values`;
  return [{ path: ['exclude', 'tags'], text }];
}

/** The notify function knows each by its name, in a variable. */
const maxChannels = 40;

function tooManyChannels(config: Config): Problem[] {
  const count = Object.keys(config.channels).length;
  if (count > maxChannels)
    return [{ path: ['channels'], text: `are ${count}: give ${maxChannels} or fewer` }];
  const bytes = channelBytes(config);
  if (bytes <= maxChannelBytes) return [];
  const text = `with routes take ${bytes} bytes of what a function can be given, which is ${maxChannelBytes}: give fewer channels, or fewer or shorter routes`;
  return [{ path: ['channels'], text }];
}

const crossChecks = (config: Config): Problem[] => [
  ...badLookback(config),
  ...badQuota(config),
  ...badMemory(config),
  ...badRoutes(config),
  ...badAccounts(config),
  ...badChanges(config),
  ...badQuietHours(config),
  ...badLists(config),
  ...badThresholds(config),
  ...tooMuchForFunctions(config),
  ...tooManyChannels(config),
];

/** The message is one line: which file, where in it, what would be right. */
export class BadConfig extends BadInput {
  override readonly name = 'BadConfig';
}

export type Checked = { config: Config; problems: [] } | { config: null; problems: [Problem, ...Problem[]] };

/** One launches instances, one keeps minutes and costs metrics, one changes volumes: who means it says so. */
const onlyIfSaid: readonly string[] = ['benchmark', 'archive', 'changes'];

/** Of a section whose lines are all comments nothing is left: it is as if it were not there. */
function withoutEmpty(said: unknown): unknown {
  if (said === null || said === undefined) return {};
  if (typeof said !== 'object' || Array.isArray(said)) return said;
  return Object.fromEntries(
    Object.entries(said).filter(([key, value]) => value !== null || onlyIfSaid.includes(key)),
  );
}

/** @param said what the file says, of any form. */
export function checked(said: unknown): Checked {
  const whole = withoutEmpty(said);
  const read = configSchema.safeParse(whole);
  const problems = read.success
    ? crossChecks(read.data)
    : read.error.issues.map((issue) => problemOf(issue, whole));
  const [first, ...others] = problems;
  if (first !== undefined) return { config: null, problems: [first, ...others] };
  return { config: read.data as Config, problems: [] };
}

/** What is in force where no file says anything. */
export const defaultConfig = (): Config => configSchema.parse({});
