/** What a configuration means: what runs when, who is notified of what, what it asks of CloudWatch. */
import { defaultThresholds, type ThresholdName } from '../diagnosis/thresholds.ts';
import type { ConfigAnswer } from '../schemas/config-answer.ts';
import { moreUrgent, type Severity } from '../schemas/finding-kinds.ts';
import { type ChannelConfig, type Config, type Route, routesOf } from './config.ts';
import { configNotes } from './config-notes.ts';
import { type MonitoringCost, monthCost } from './month-cost.ts';
import { keptTagKeys, type TagFilter } from './tags.ts';
import { utcHours } from './utc-hours.ts';

export interface Explained {
  config: Config;
  /** Where it stands; null: there is no file, and these are the defaults. */
  file: string | null;
  volumes: number;
  /** What monitoring is expected to take; null where nobody can tell. */
  monitoringCost: MonitoringCost | null;
  now: Date;
}

function runsOf({ audit, monitoring, notifications, regions }: Config): ConfigAnswer['runs'] {
  const { everyHours, lookbackDays, mode, periodSeconds } = audit;
  const { digest, digestAt } = notifications;
  return {
    audit: { everyHours, regions, lookbackDays, mode, periodSeconds },
    monitoring: monitoring.enabled ? { everyMinutes: monitoring.everyMinutes } : null,
    digest: digest === 'none' ? null : { when: digest, at: digestAt },
  };
}

const valuesByKey = (tags: TagFilter): ConfigAnswer['excludeTags'] =>
  Object.fromEntries(
    Object.entries(tags).map(([key, demand]) => [key, typeof demand === 'string' ? [demand] : [...demand]]),
  );

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
    bus: kind === 'eventbridge' ? channel.bus : null,
    emails: kind === 'sns' ? channel.emails : [],
    quietHours: quietOf(channel, now),
  };
}

/** @param least of all that is notified. */
function routeOf(route: Route, least: Severity): ConfigAnswer['routes'][number] {
  const { to, minSeverity, kinds, accounts, regions, tags, digests, alarms } = route;
  return {
    to,
    minSeverity: moreUrgent(minSeverity, least),
    ...{ kinds: kinds ?? null, accounts: accounts ?? null, regions: regions ?? null },
    tags: valuesByKey(tags ?? {}),
    ...{ digests, alarms },
  };
}

export function explained({ config, file, volumes, monitoringCost, now }: Explained): ConfigAnswer {
  const { minSeverity, emails } = config.notifications;
  return {
    file,
    runs: runsOf(config),
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
