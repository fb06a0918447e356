/** What a configuration means: what runs when, who is notified of what, what it asks of CloudWatch. */

import { archivePrice } from '../archive/price.ts';
import { defaultThresholds, type ThresholdName } from '../diagnosis/thresholds.ts';
import { usdOfMetrics } from '../load/metrics.ts';
import type { BudgetMeaning, ConfigAnswer, ExpectedMonitoring, Optional } from '../schemas/config-answer.ts';
import { moreUrgent, type Severity } from '../schemas/finding-kinds.ts';
import { hoursPerMonth } from '../units.ts';
import { changesOf } from './changes.ts';
import { configNotes } from './check.ts';
import { archiveDefaults, type ChannelConfig, type Config, type Route, routesOf } from './config.ts';
import type { Organization } from './organization.ts';
import { keptTagKeys, type TagFilter } from './tags.ts';
import { utcHours } from './utc-hours.ts';

// What a configuration asks of CloudWatch in a month, and what its budget means.

/**
 * Measured on simulated fleets (docs/contribute/performance.md, two-pass-metrics-share): a volume with its part of its instance. In two
 * passes where one volume in twenty is in trouble; where all are, it is a little more than in one.
 */
const metricsPerVolume = { adaptive: 4.7, full: 15.2 } as const;
/** Where all volumes are in trouble. Beside an archive two passes ask for each metric once. */
const metricsInTrouble = { adaptive: 16.4, full: 15.2 } as const;

export interface MonitoringAsked {
  volumes: number;
  everyMinutes: number;
  /** USD a month that audits leave of the budget; null: no bound. */
  leftUsd: number | null;
}
/** What monitoring is expected to take of it. */
type MonitoringCost = (asked: MonitoringAsked) => { usd: number; expected: ExpectedMonitoring };

type Cost = ConfigAnswer['cost'];

/** Of the archive as it is configured, or as it would be by default. */
function archiveOf({ archive, audit: { everyHours, mode } }: Config, volumes: number): Cost['archive'] {
  const asked = archive ?? archiveDefaults();
  // One pass reads everything, and all that is read is kept.
  const kept = mode === 'full' ? { ...asked, metrics: 'all' as const } : asked;
  return { isKept: archive !== undefined, ...asked, price: archivePrice(volumes, everyHours, kept) };
}

/** What is archived is what an audit reads; it is asked for once. */
function auditsOf(
  { audit: { everyHours, mode } }: Config,
  volumes: number,
  { isKept, price }: Cost['archive'],
): Cost['audits'] {
  const aMonth = hoursPerMonth / everyHours;
  const each = isKept ? Math.max(metricsPerVolume[mode], price.metricsPerVolume) : metricsPerVolume[mode];
  const inTrouble = isKept ? metricsPerVolume.full : metricsInTrouble[mode];
  const metrics = Math.round(volumes * each * aMonth);
  return {
    ...{ aMonth, metricsPerVolume: each, metricsPerVolumeInTrouble: inTrouble },
    ...{ metrics, usd: usdOfMetrics(metrics), mode },
  };
}

/** Between the two nothing is bounded but monitoring: an audit that is left out would be missed. */
function budgetOf({ monitoring }: Config, audits: Cost['audits'], budgetUsd: number | null): BudgetMeaning {
  if (budgetUsd === null) return { code: 'no-budget' };
  const { usd: auditsUsd, aMonth } = audits;
  const oneAuditUsd = auditsUsd / aMonth;
  if (budgetUsd < oneAuditUsd) return { code: 'below-one-audit', budgetUsd, oneAuditUsd };
  if (budgetUsd <= auditsUsd) return { code: 'audits-take-all', budgetUsd, auditsUsd };
  return monitoring.enabled
    ? { code: 'rest-for-monitoring', budgetUsd, auditsUsd, restUsd: budgetUsd - auditsUsd }
    : { code: 'monitoring-off', budgetUsd, auditsUsd };
}

/** @param quietUsd what monitoring takes in quiet times; null: not known. */
function budgetsOfAccounts(
  { budget }: Config,
  { volumes, audits }: Pick<Cost, 'volumes' | 'audits'>,
  quietUsd: number | null,
): Cost['budgetsOfAccounts'] {
  const usdOfVolume = quietUsd === null || volumes === 0 ? null : (audits.usd + quietUsd) / volumes;
  return (budget.accounts ?? []).map(({ accounts = [], organizationalUnits = [], apiUsdPerMonth }) => ({
    ...{ accounts, organizationalUnits, budgetUsd: apiUsdPerMonth },
    quietVolumes: usdOfVolume === null ? null : Math.floor(apiUsdPerMonth / usdOfVolume),
  }));
}

/** @param monitoringCost null where what monitoring takes is not known. */
function monthCost(config: Config, volumes: number, monitoringCost: MonitoringCost | null): Cost {
  const archive = archiveOf(config, volumes);
  const audits = auditsOf(config, volumes, archive);
  const { enabled, everyMinutes } = config.monitoring;
  const budgetUsd = config.budget.apiUsdPerMonth;
  const leftUsd = budgetUsd === null ? null : Math.max(0, budgetUsd - audits.usd);
  const monitoring = enabled ? (monitoringCost?.({ volumes, everyMinutes, leftUsd }) ?? null) : null;
  const isUnknown = enabled && monitoring === null;
  return {
    ...{ volumes, audits, archive, monitoring },
    usd: isUnknown ? null : audits.usd + (monitoring?.usd ?? 0),
    budgetUsd,
    budget: budgetOf(config, audits, budgetUsd),
    budgetsOfAccounts: budgetsOfAccounts(config, { volumes, audits }, monitoring?.expected.quietUsd ?? null),
  };
}

export interface Explained {
  config: Config;
  /** Where it stands; null: there is no file, and these are the defaults. */
  file: string | null;
  volumes: number;
  /** What monitoring is expected to take; null where nobody can tell. */
  monitoringCost: MonitoringCost | null;
  now: Date;
}

type Accounts = ConfigAnswer['runs']['audit']['accounts'];

function accountsOf({ accounts, organizationalUnits, ...rest }: Organization): NonNullable<Accounts> {
  return {
    accounts: Array.isArray(accounts) ? [...new Set(accounts)] : null,
    organizationalUnits: organizationalUnits ?? null,
    ...{ exclude: rest.exclude, memberRoleName: rest.memberRoleName },
    regionsEnabled: rest.regions === 'enabled',
  };
}

function runsOf(config: Config): ConfigAnswer['runs'] {
  const { audit, monitoring, notifications, organization } = config;
  const { everyHours, lookbackDays, mode, periodSeconds } = audit;
  const { digest, digestAt } = notifications;
  const regions = Array.isArray(organization?.regions) ? organization.regions : config.regions;
  return {
    audit: {
      ...(organization === undefined ? {} : { accounts: accountsOf(organization) }),
      ...{ everyHours, regions, lookbackDays, mode, periodSeconds },
      ...(audit.compareWith.length === 0 ? {} : { compareWith: [...new Set(audit.compareWith)] }),
    },
    monitoring: monitoring.enabled ? { everyMinutes: monitoring.everyMinutes } : null,
    digest: digest === 'none' ? null : { when: digest, at: digestAt },
  };
}

/** What a stack of it is without because nobody asked for it. */
export function notIncluded({ report, benchmark, channels, archive, changes }: Config): Optional[] {
  const bots = Object.values(channels).filter((one) => one.kind === 'slack-bot');
  return [
    ...(report.links ? [] : (['report.links'] as const)),
    ...(bots.length === 0 || bots.some(({ buttons }) => buttons) ? [] : (['buttons'] as const)),
    ...(benchmark === undefined ? (['benchmark'] as const) : []),
    ...(archive === undefined ? (['archive'] as const) : []),
    ...(changesOf({ changes }) === null ? (['changes'] as const) : []),
  ];
}

const valuesByKey = (tags: TagFilter): ConfigAnswer['excludeTags'] =>
  Object.fromEntries(
    Object.entries(tags).map(([key, value]) => [key, typeof value === 'string' ? [value] : [...value]]),
  );

function explainedChanges(config: Config): ConfigAnswer['changes'] {
  const changes = changesOf(config);
  if (changes === null) return null;
  const { approvers, approvals, automatic, windows, maxAtOnce, maxPerDay, maxIncreaseUsdPerMonth } = changes;
  return {
    ...{ ...approvers, approvals, maxAtOnce, maxPerDay, maxIncreaseUsdPerMonth },
    automatic: automatic.map(({ kinds, tags, ...rule }) => ({
      ...{ ...rule, kinds: kinds ?? null, tags: valuesByKey(tags) },
    })),
    windows: windows.map(({ tags, ...window }) => ({ ...window, tags: valuesByKey(tags) })),
  };
}

const thresholdsOf = ({ thresholds }: Config): ConfigAnswer['thresholds'] =>
  Object.entries(thresholds).flatMap(([name, figure]) => {
    const documented = defaultThresholds[name as ThresholdName];
    return figure === undefined || figure === documented ? [] : [{ name, figure, documented }];
  });

type Channel = ConfigAnswer['channels'][number];

function quietOf({ quietHours }: ChannelConfig, now: Date): Channel['quietHours'] {
  return quietHours && { ...quietHours, utcToday: utcHours(quietHours, now) };
}

function channelOf(name: string, channel: ChannelConfig, now: Date): Channel {
  const { kind, maxMessagesPerHour } = channel;
  return {
    ...{ name, kind, maxMessagesPerHour },
    slackChannel: kind === 'slack-bot' ? channel.channel : null,
    charts: kind === 'slack-bot' && channel.charts,
    buttons: kind === 'slack-bot' && channel.buttons,
    bus: kind === 'eventbridge' ? channel.bus : null,
    emails: kind === 'sns' ? channel.emails : [],
    quietHours: quietOf(channel, now),
  };
}

/** @param least of all that is notified. */
function routeOf(route: Route, least: Severity): ConfigAnswer['routes'][number] {
  const {
    to,
    minSeverity,
    kinds,
    accounts,
    organizationalUnits,
    regions,
    tags,
    namespaces,
    digests,
    alarms,
  } = route;
  return {
    to,
    minSeverity: moreUrgent(minSeverity, least),
    ...{ kinds: kinds ?? null, accounts: accounts ?? null, regions: regions ?? null },
    organizationalUnits: organizationalUnits ?? null,
    tags: valuesByKey(tags ?? {}),
    namespaces: namespaces ?? null,
    ...{ digests, alarms },
  };
}

export function explained({ config, file, volumes, monitoringCost, now }: Explained): ConfigAnswer {
  const { minSeverity, emails } = config.notifications;
  return {
    file,
    runs: runsOf(config),
    notIncluded: notIncluded(config),
    changes: explainedChanges(config),
    excludeTags: valuesByKey(config.exclude.tags),
    keptTagKeys: keptTagKeys(config),
    channels: Object.entries(config.channels).map(([name, channel]) => channelOf(name, channel, now)),
    routes: routesOf(config).map((route) => routeOf(route, minSeverity)),
    emails,
    thresholds: thresholdsOf(config),
    cost: monthCost(config, volumes, monitoringCost),
    notes: configNotes(config),
  };
}
