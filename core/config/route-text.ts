/** Routes and channels in sentences. */
import { moreUrgent, type Severity } from '../schemas/finding-kinds.ts';
import type { ChannelConfig, Route } from './config.ts';
import type { WantedTags } from './tags.ts';

export const listText = (words: readonly string[], joint = 'and'): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${joint} ${words.at(-1)}`;

/** "team = payments or orders", "backup with any value". */
function tagText(key: string, wanted: string | readonly string[]): string {
  const values = typeof wanted === 'string' ? [wanted] : wanted;
  if (values.includes('*')) return `${key} with any value`;
  return `${key} = ${listText(
    values.map((value) => (value === '' ? '(empty)' : value)),
    'or',
  )}`;
}

export const tagsText = (tags: WantedTags, joint: string): string =>
  listText(
    Object.entries(tags).map(([key, wanted]) => tagText(key, wanted)),
    joint,
  );

const severityTexts: Record<Severity, string> = {
  critical: 'what is critical',
  warning: 'what is a warning or critical',
  info: 'everything',
};

/** @param leastSeverity of all that is told. */
export function routeText(route: Route, leastSeverity: Severity): string {
  const { to, kinds, accounts, regions, tags, digests, alarms } = route;
  const conditions = [
    ...(kinds === undefined ? [] : [`of ${listText(kinds, 'or')}`]),
    ...(accounts === undefined ? [] : [`in account ${listText(accounts, 'or')}`]),
    ...(regions === undefined ? [] : [`in ${listText(regions, 'or')}`]),
    ...(tags === undefined ? [] : [`on what is tagged ${tagsText(tags, 'and')}`]),
  ];
  const also = [...(digests ? ['digests'] : []), ...(alarms ? ['alarms of the service'] : [])];
  const what = [severityTexts[moreUrgent(route.leastSeverity, leastSeverity)], ...conditions].join(' ');
  const more = also.length === 0 ? '; no digests, no alarms' : `; ${listText(also)} too`;
  return `${what} goes to ${to.length === 0 ? 'nobody' : listText(to)}${more}`;
}

const kindTexts: Record<ChannelConfig['kind'], string> = {
  'slack-webhook': 'Slack, by its incoming webhook',
  'slack-bot': 'Slack, by a bot with threads and buttons',
  teams: 'Teams, by the webhook of a workflow',
  'amazon-q': 'Amazon Q Developer in chat applications, by an SNS topic',
  sns: 'an SNS topic: e-mail and JSON',
  eventbridge: 'events on EventBridge',
};

export function channelText(channel: ChannelConfig): string {
  const of = (): string => {
    if (channel.kind === 'slack-bot') return `, in ${channel.channel}${channel.charts ? ' with charts' : ''}`;
    if (channel.kind === 'eventbridge') return `, on the bus ${channel.bus}`;
    if (channel.kind === 'sns' && channel.emails.length > 0) return `, to ${listText(channel.emails)}`;
    return '';
  };
  return `${kindTexts[channel.kind]}${of()}; at most ${channel.mostPerHour} messages an hour`;
}
