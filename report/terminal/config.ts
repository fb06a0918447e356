/** What a configuration means, for people. */
import type { ConfigAnswer } from '../../core/schemas/config-answer.ts';
import {
  changesTexts,
  channelTexts,
  configNoteText,
  costTexts,
  lookTexts,
  notIncludedTexts,
  routeTexts,
  runTexts,
} from '../wording/configuration.ts';
import { metricPriceNote } from '../wording/words.ts';
import { number, plural, sanitize } from './text.ts';

const longest = 1_000;

function part(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', heading, ...lines.map((line) => `  ${sanitize(line, longest)}`)];
}

function channelLines(channel: ConfigAnswer['channels'][number]): string[] {
  const [where = '', ...others] = channelTexts(channel);
  const under = ' '.repeat(channel.name.length + 2);
  return [`${channel.name}: ${where}`, ...others.map((line) => `${under}${line}`)];
}

/** @param isExample nobody said how many volumes there are. */
export function configText(answer: ConfigAnswer, isExample: boolean): string[] {
  const { file, channels, thresholds, notes, cost } = answer;
  const { accounts, regions } = answer.runs.audit;
  const isKnown = regions.length > 0 && accounts?.regionsEnabled !== true;
  const example = isExample ? ' as an example (--volumes)' : '';
  return [
    file === null
      ? 'No configuration file here (stripewise.yaml), so these are the defaults.'
      : `${sanitize(file, longest)} is good.`,
    ...part('What runs:', runTexts(answer)),
    ...part('Changes of volumes:', changesTexts(answer)),
    ...part('Not included:', notIncludedTexts(answer)),
    ...part('Volumes and tags:', lookTexts(answer)),
    ...part(
      'Thresholds that differ from the defaults:',
      thresholds.map(
        ({ name, figure, documented }) => `${name} ${number(figure)} instead of ${number(documented)}`,
      ),
    ),
    ...part('Channels:', channels.flatMap(channelLines)),
    ...part(
      'Who is notified of what:',
      routeTexts(answer).map((text, i) => `${i + 1}. ${text}`),
    ),
    ...part(
      `Estimated API cost of CloudWatch a month${metricPriceNote(isKnown ? regions : null)}, for ${plural(cost.volumes, 'volume')}${example}:`,
      costTexts(answer),
    ),
    ...part('Warnings:', notes.map(configNoteText)),
  ];
}
