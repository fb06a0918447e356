/** Who of a stripe carried how much, and who kept the others waiting. */
import type { GradedTestAnswer } from '../../core/schemas/grade-answer.ts';
import { axisText, baseOption, panelTitle, tooltipOf } from './base-option.ts';
import type { Chart } from './chart.ts';
import type { Palette } from './palette.ts';
import { labelsOf, patternOf } from './run-look.ts';
import { inTooltip, label, measured } from './words.ts';

type Member = GradedTestAnswer['members'][number];

const [rowPixels, topPixels] = [28, 26];
/** Behind the longest bar there is room for its figure. */
const room = 1.6;
const noted = (isSlow: boolean): string => (isSlow ? ', slow' : '');

/** Null where there are less than two to compare. */
export function membersChart({ members, run, name }: GradedTestAnswer, palette: Palette): Chart | null {
  if (members.length < 2) return null;
  const names = labelsOf(members.map(({ volumeId, device }) => volumeId ?? device));
  const slow = names.filter((_, index) => members[index]?.isSlow);
  const shares = members.map(({ share }) => 100 * share);
  const description = `${members.length} members of ${label(name)} carried from ${measured(Math.min(...shares))} to ${measured(Math.max(...shares))} % of its operations; ${slow.length === 0 ? 'none is slower than the others' : `slower than the others: ${slow.join(', ')}`}`;
  const panels = [
    {
      title: 'IOPS',
      of: ({ iops }: Member) => iops,
      text: ({ iops, share }: Member) => `${measured(iops)} (${measured(100 * share)} %)`,
    },
    {
      title: 'An operation took, ms',
      of: ({ waitMs }: Member) => waitMs,
      text: ({ waitMs, isSlow }: Member) =>
        waitMs === null ? 'not known' : `${measured(waitMs)} ms${noted(isSlow)}`,
    },
  ];
  const lefts = ['150', '58%'];
  return {
    title: `Members in ${label(name)} (${label(run)})`,
    description,
    heightPixels: topPixels + members.length * rowPixels + 8,
    option: {
      ...baseOption(palette, description),
      title: panels.map(({ title }, index) =>
        panelTitle(palette, title, { top: 4, left: index === 0 ? 150 : '58%' }),
      ),
      grid: [
        { top: topPixels, bottom: 8, left: 150, right: '44%' },
        { top: topPixels, bottom: 8, left: lefts[1] as string, right: 8 },
      ],
      xAxis: panels.map(({ of }, index) => ({
        ...{ type: 'value' as const, gridIndex: index, min: 0 },
        max: Math.max(...members.map((member) => of(member) ?? 0)) * room || 1,
        axisLabel: { show: false },
        splitLine: { show: false },
      })),
      yAxis: panels.map((_, index) => ({
        ...{ type: 'category' as const, gridIndex: index, inverse: true, data: names },
        axisLine: { lineStyle: { color: palette.faint } },
        axisTick: { show: false },
        axisLabel: {
          ...{ ...axisText(palette), color: palette.ink, show: index === 0, interval: 0 },
          ...{ width: 140, overflow: 'truncate' as const },
        },
      })),
      series: panels.map(({ of, text }, index) => ({
        ...{ type: 'bar' as const, xAxisIndex: index, yAxisIndex: index, barWidth: 15 },
        data: members.map((member) => ({
          value: of(member) ?? '-',
          itemStyle: member.isSlow
            ? { color: palette.limit, ...patternOf(1, palette) }
            : { color: palette.series[0] as string },
        })),
        label: {
          ...{ show: true, position: 'right' as const, color: palette.ink, fontSize: 11 },
          formatter: ({ dataIndex }: { dataIndex: number }) => {
            const member = members[dataIndex];
            return member === undefined ? '' : text(member);
          },
        },
      })),
      tooltip: {
        ...tooltipOf(palette),
        trigger: 'item',
        formatter: (params: unknown) => {
          const { dataIndex } = params as { dataIndex: number };
          const member = members[dataIndex];
          if (member === undefined) return '';
          const notified = panels.map(({ title, text }) => `${title}: ${text(member)}`);
          return [inTooltip(names[dataIndex] ?? ''), ...notified].join('\n');
        },
      },
    },
    table: () => ({
      head: ['Volume', 'Device', 'IOPS', 'Share of operations (%)', 'An operation took (ms)', 'Slow'],
      rows: members.map(({ volumeId, device, iops, share, waitMs, isSlow }) => [
        ...[volumeId, device, iops, Number((100 * share).toPrecision(4)), waitMs, isSlow ? 'yes' : 'no'],
      ]),
    }),
  };
}
