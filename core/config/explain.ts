/** What a configuration means: what runs when, who is told what, what it asks of CloudWatch. */
import { defaultThresholds, type ThresholdName } from '../diagnosis/thresholds.ts';
import type { ConfigAnswer } from '../schemas/config-answer.ts';
import { type ChannelConfig, type Config, routesOf } from './config.ts';
import { configNotes } from './config-notes.ts';
import { monthCost, type PulseCost } from './month-cost.ts';
import { channelText, listText, routeText, tagsText } from './route-text.ts';
import { keptTagKeys } from './tags.ts';
import { utcHours } from './utc-hours.ts';

export interface Explained {
  config: Config;
  /** Where it stands; null: there is no file, and these are the defaults. */
  file: string | null;
  volumes: number;
  /** What the pulse is expected to take; null where nobody can tell. */
  pulseCost: PulseCost | null;
  now: Date;
}

const some = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;
const every = (count: number, unit: string): string => `every ${count === 1 ? unit : some(count, unit)}`;

function runTexts({ audit, pulse, advisory, regions, exclude }: Config): string[] {
  const where = regions.length === 0 ? 'the Region that the stack is in' : listText(regions);
  const passes =
    audit.passes === 'two' ? 'in two passes' : `in one pass, in points of ${audit.periodSeconds} s`;
  const { digest, digestAt } = advisory;
  const when = digest === 'daily' ? 'each day' : 'each Monday';
  const left = Object.keys(exclude.tags).length === 0 ? '' : ', but for what is excluded';
  return [
    `an audit ${every(audit.everyHours, 'hour')}: ${where}${left}, over ${some(audit.lookbackDays, 'day')}, ${passes}`,
    pulse.enabled
      ? `the pulse ${every(pulse.everyMinutes, 'minute')}: it looks at the volumes whose time has come`
      : 'no pulse (pulse.enabled: false)',
    digest === 'none' ? 'no digest (advisory.digest: none)' : `a digest ${when} at ${digestAt} UTC`,
  ];
}

function lookTexts(config: Config): string[] {
  const { exclude } = config;
  const keys = keptTagKeys(config);
  return [
    Object.keys(exclude.tags).length === 0
      ? 'no volume is excluded (exclude.tags)'
      : `volumes tagged ${tagsText(exclude.tags, 'or')} are left alone`,
    keys.length === 0
      ? 'no tags are kept'
      : `of tags only ${listText(keys)} ${keys.length === 1 ? 'is' : 'are'} kept, for exclusions and routes`,
  ];
}

const thresholdsOf = ({ thresholds }: Config): ConfigAnswer['thresholds'] =>
  Object.entries(thresholds).flatMap(([name, figure]) => {
    const documented = defaultThresholds[name as ThresholdName];
    return figure === undefined || figure === documented ? [] : [{ name, figure, documented }];
  });

function quietOf({ quietHours }: ChannelConfig, now: Date): ConfigAnswer['channels'][number]['quietHours'] {
  if (quietHours === null) return null;
  const { from, to, timeZone, exceptCritical } = quietHours;
  const utcToday = utcHours(quietHours, now);
  const but = exceptCritical ? '; what is critical is told all the same' : '; what is critical waits too';
  const text = `quiet from ${from} to ${to} ${timeZone}, today ${utcToday.from} to ${utcToday.to} UTC${but}`;
  return { from, to, timeZone, utcToday, text };
}

export function explained({ config, file, volumes, pulseCost, now }: Explained): ConfigAnswer {
  const { leastSeverity, emails } = config.advisory;
  const mails =
    emails.length === 0
      ? []
      : [{ to: emails, text: `all that is told goes to ${listText(emails)} by e-mail` }];
  return {
    file,
    runs: runTexts(config),
    looksAt: lookTexts(config),
    channels: Object.entries(config.channels).map(([name, channel]) => ({
      ...{ name, kind: channel.kind, mostPerHour: channel.mostPerHour },
      quietHours: quietOf(channel, now),
      text: channelText(channel),
    })),
    routes: [
      ...routesOf(config).map((route) => ({ to: route.to, text: routeText(route, leastSeverity) })),
      ...mails,
    ],
    thresholds: thresholdsOf(config),
    cost: monthCost(config, volumes, pulseCost),
    notes: configNotes(config),
  };
}
