/** How the latency of one test is distributed, and what it did over time; or why that is not known. */
import { useCallback } from 'preact/hooks';
import type { GradedTestAnswer } from '../../../core/schemas/grade-answer.ts';
import type { Chart } from '../../charts/chart.ts';
import { latencyHistogram } from '../../charts/latency-histogram.ts';
import { membersChart } from '../../charts/members-chart.ts';
import { overTimeChart } from '../../charts/over-time-chart.ts';
import type { Palette } from '../../charts/palette.ts';
import { Charts } from './charts.tsx';

type ChartOf = (test: GradedTestAnswer, palette: Palette) => Chart | null;

const behind: readonly ChartOf[] = [latencyHistogram, overTimeChart];
const among: readonly ChartOf[] = [membersChart];

function ChartsOf({ test, all }: { test: GradedTestAnswer; all: readonly ChartOf[] }) {
  const make = useCallback(
    (palette: Palette): Chart[] => all.flatMap((chart) => chart(test, palette) ?? []),
    [test, all],
  );
  return <Charts make={make} heading="h4" />;
}

const noHistogram =
  'How its latency is distributed is not known: fio tells it with --output-format=json+, and only of what took time.';
const noOverTime =
  'What it did over time is not known: fio’s logs (write_iops_log, write_lat_log) were not kept beside its result, or are not of this test alone.';

export const TestCharts = ({ test }: { test: GradedTestAnswer }) => (
  <>
    <ChartsOf test={test} all={behind} />
    {test.histogram.length === 0 ? <p class="faint">{noHistogram}</p> : null}
    {test.overTime === null ? <p class="faint">{noOverTime}</p> : null}
    <ChartsOf test={test} all={among} />
  </>
);
