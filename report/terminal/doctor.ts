/** The checks of `doctor`, a line each. */
import { styleText } from 'node:util';
import type { CheckStatus, DoctorAnswer } from '../../core/schemas/doctor-answer.ts';
import { checkWords } from '../wording/doctor.ts';
import { metricPriceNote } from '../wording/words.ts';
import { costText, hanging, plural, sanitize, type TerminalStyle, widthOf } from './text.ts';

const longest = 1_500;

const columnOf = (words: readonly string[]): number => Math.max(...words.map((word) => word.length)) + 2;

const colors = {
  ok: 'green',
  warning: 'yellow',
  trouble: 'red',
  unknown: 'magenta',
} as const satisfies Record<CheckStatus, string>;

export function doctorText(
  answer: DoctorAnswer,
  { columns, color }: Omit<TerminalStyle, 'recorded'>,
): string[] {
  const { checks, counts, cost, region, file, purposes } = answer;
  const statusColumn = columnOf(checks.map(({ status }) => status));
  const nameColumn = columnOf(checks.map(({ check }) => checkWords[check]));
  const lines = checks.flatMap(({ check, status, text, fix }) => {
    const name = checkWords[check].padEnd(nameColumn);
    const said = sanitize(fix === null ? text : `${text} ${fix}`, longest);
    const [first = '', ...more] = hanging(
      `${status.padEnd(statusColumn)}${name}${said}`,
      widthOf(columns),
      statusColumn + nameColumn,
    );
    const painted = color
      ? `${styleText(colors[status], status, { validateStream: false })}${first.slice(status.length)}`
      : first;
    return [painted, ...more];
  });
  const what = { audit: 'an audit', deploy: '`cdk deploy`', benchmark: 'a benchmark' };
  const metrics = `${plural(cost.apiCalls, 'API call')}, ${plural(cost.metricsRequested, 'metric')} requested (${costText(cost.usd)}${metricPriceNote([region])})`;
  return [
    `What ${purposes.map((one) => what[one]).join(' and ')} need${purposes.length === 1 ? 's' : ''} in ${region}, by ${file === null ? 'the default configuration' : sanitize(file, longest)}:`,
    '',
    ...lines,
    '',
    `${counts.ok} ok, ${plural(counts.warning, 'warning')}, ${counts.trouble} in trouble, ${counts.unknown} unknown. ${metrics}.`,
  ];
}
