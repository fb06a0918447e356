/** What throttled the fleet, and what it could cost less. */
import { causes } from '../../core/diagnosis/causes.ts';
import { figure, usdText } from '../../core/figures.ts';
import { isAboutMoney, topRecommendations } from '../../core/report/top-recommendations.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { kindWords } from '../wording/words.ts';
import { barsChart } from './bars.ts';
import type { Chart, ChartWidth } from './chart.ts';
import type { Palette } from './palette.ts';
import { causeWords, measured, minutesText, throttledMinutesBy } from './words.ts';

/** Minutes in which volumes were throttled, of all volumes together. */
export function minutesByCause(
  { volumes }: AuditResult,
  palette: Palette,
  width: ChartWidth = 'wide',
): Chart {
  const rows = causes
    .map((cause) => {
      const minutes = volumes.map(({ throttledMinutesByCause }) => throttledMinutesByCause[cause] ?? 0);
      return {
        cause,
        minutes: minutes.reduce((sum, one) => sum + one, 0),
        volumes: minutes.filter((one) => one > 0).length,
      };
    })
    .filter(({ minutes }) => minutes > 0)
    .sort((a, b) => b.minutes - a.minutes);
  const said = rows
    .map(({ cause, minutes }) => `${minutesText(minutes)} ${throttledMinutesBy(cause)}`)
    .join(', ');
  return barsChart(
    rows.map(({ cause, minutes, volumes: count }) => ({
      name: `${causeWords[cause]}, ${figure(count)} ${count === 1 ? 'volume' : 'volumes'}`,
      ...{ value: minutes, text: minutesText(minutes), color: palette.cause[cause] },
    })),
    {
      ...{ palette, width, unit: 'throttled minutes, of all volumes', format: measured },
      title: 'Throttled minutes, by cause',
      description: rows.length === 0 ? 'No volume was throttled' : `Of all volumes: ${said}`,
      none: 'No volume was throttled.',
      table: () => ({
        head: ['Throttled by', 'Minutes of all volumes', 'Volumes'],
        rows: rows.map(({ cause, minutes, volumes: count }) => [causeWords[cause], minutes, count]),
      }),
    },
  );
}

/** Of what would cost less, or nothing, by its recommendation: without a price nobody can say how much. */
const hasNoPrice = (finding: Finding): boolean =>
  isAboutMoney(finding) && finding.recommendations[0]?.monthlyUsdDelta === null;

/** What recommendation would save a month, by the kind of finding that it is reported with: as in what to do first, the same money once. */
export function savingsByKind(
  { findings }: AuditResult,
  palette: Palette,
  width: ChartWidth = 'wide',
): Chart {
  const { moneyOnce } = topRecommendations(findings);
  const withoutPrice = findings.filter(hasNoPrice);
  const kinds = [...new Set([...moneyOnce, ...withoutPrice].map(({ kind }) => kind))];
  const rows = kinds
    .map((kind) => {
      const of = moneyOnce.filter((one) => one.kind === kind);
      return {
        kind,
        usd: of.reduce((sum, { monthlyUsdDelta }) => sum - (monthlyUsdDelta ?? 0), 0),
        resources: of.length,
        unknown: withoutPrice.filter((one) => one.kind === kind).length,
      };
    })
    .sort((a, b) => b.usd - a.usd);
  const total = rows.reduce((sum, { usd }) => sum + usd, 0);
  const unknown = rows.reduce((sum, row) => sum + row.unknown, 0);
  const drawn = rows.filter(({ usd }) => usd > 0);
  return barsChart(
    drawn.map(({ kind, usd, resources }) => ({
      name: `${kindWords(kind)}, ${figure(resources)} ${resources === 1 ? 'resource' : 'resources'}`,
      ...{ value: usd, text: usdText(usd), color: palette.recommended },
    })),
    {
      ...{ palette, width, unit: 'USD a month', format: (value) => figure(value) },
      title: 'What could be saved, by kind of finding',
      description: [
        drawn.length === 0
          ? unknown === 0
            ? 'No saving was found'
            : 'No saving with a known price'
          : `Up to ${usdText(total)} a month, of each resource its largest saving`,
        ...drawn.map(({ kind, usd }) => `${kindWords(kind)} ${usdText(usd)}`),
        ...(unknown === 0
          ? []
          : [
              `${figure(unknown)} ${unknown === 1 ? 'finding without a known price is' : 'findings without a known price are'} not in it`,
            ]),
      ].join('; '),
      none:
        unknown === 0
          ? 'No saving was found.'
          : `No saving with a known price; ${unknown} without a known price.`,
      table: () => ({
        head: ['Finding', 'Resources', 'Saving a month (USD)', 'Findings without a known price'],
        rows: rows.map(({ kind, usd, resources, unknown: without }) => [
          ...[kindWords(kind), resources, Number(usd.toFixed(2)), without],
        ]),
      }),
    },
  );
}

export { useAgainstCost } from './use-against-cost.ts';
