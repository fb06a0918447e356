/** What a configuration means, for people. */
import type { ConfigAnswer } from '../../core/schemas/config-answer.ts';
import { inert, number, plural } from './text.ts';

const longest = 500;

function part(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', heading, ...lines.map((line) => `  ${inert(line, longest)}`)];
}

function costLines({ cost }: ConfigAnswer, isExample: boolean): string[] {
  const { volumes, audits, pulse, pulseUnknownBecause, usd, budget } = cost;
  const pulseLines = [
    ...(pulse === null ? [] : [pulse.text]),
    ...(pulseUnknownBecause === null ? [] : [`the pulse comes on top: ${pulseUnknownBecause}`]),
  ];
  return part(
    `What it asks of CloudWatch a month, for ${plural(volumes, 'volume')}${isExample ? ' as an example (--volumes)' : ''}:`,
    [audits.text, ...pulseLines, ...(usd === null ? [] : [`in all ${usd.toFixed(2)} USD`]), ...budget],
  );
}

/** @param isExample nobody said how many volumes there are. */
export function configText(answer: ConfigAnswer, isExample: boolean): string[] {
  const { file, runs, looksAt, channels, routes, thresholds, notes } = answer;
  return [
    file === null
      ? 'No configuration file here (stripewise.yaml), so these are the defaults.'
      : `${inert(file, longest)} is good.`,
    ...part('What runs:', runs),
    ...part('What is looked at:', looksAt),
    ...part(
      'Thresholds that differ from the defaults:',
      thresholds.map(
        ({ name, figure, documented }) => `${name} ${number(figure)} instead of ${number(documented)}`,
      ),
    ),
    ...part(
      'Channels:',
      channels.flatMap(({ name, text, quietHours }) => [
        `${name}: ${text}`,
        ...(quietHours === null ? [] : [`${' '.repeat(name.length)}  ${quietHours.text}`]),
      ]),
    ),
    ...part(
      'Who is told what:',
      routes.map(({ text }, i) => `${i + 1}. ${text}`),
    ),
    ...costLines(answer, isExample),
    ...part('Is this meant?', notes),
  ];
}
