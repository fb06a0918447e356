/** One test: its figures, why it has its letters, and what is behind them. */
import type { ComponentChildren } from 'preact';
import type { GradedTestAnswer } from '../../../core/schemas/grade-answer.ts';
import { errorText, limitLine, whyLines } from '../../wording/report-card.ts';
import { usd } from '../shared/format.ts';
import { Text } from '../shared/text.tsx';
import { measuredText, msText, percentText, wholeText } from './figures.ts';
import { loadOf } from './glance.ts';
import { Letter } from './letter.tsx';
import { MembersTable } from './members-table.tsx';
import { Ruler } from './scale-tables.tsx';
import { TestCharts } from './test-charts.tsx';

const Figure = ({ what, children }: { what: string; children: ComponentChildren }) => (
  <div class={what.length > 16 ? 'is-long' : ''}>
    <dt>{what}</dt>
    <dd>{children}</dd>
  </div>
);

function Figures({ test }: { test: GradedTestAnswer }) {
  const { iops, mibps, latencyMs, users, ioDepth, readShare, usdPer1000Iops } = test;
  return (
    <dl class="test-figures">
      <Figure what="IOPS">{wholeText(iops)}</Figure>
      <Figure what="MiB/s">{measuredText(mibps)}</Figure>
      <Figure what="Mean">{msText(latencyMs.mean)}</Figure>
      <Figure what="50 % within">{msText(latencyMs.p50)}</Figure>
      <Figure what="95 % within">{msText(latencyMs.p95)}</Figure>
      <Figure what="99 % within">{msText(latencyMs.p99)}</Figure>
      <Figure what="Users">{wholeText(users)}</Figure>
      <Figure what="At once each">{wholeText(ioDepth)}</Figure>
      <Figure what="Reads">{percentText(readShare)}</Figure>
      {usdPer1000Iops === null ? null : <Figure what="A month per 1,000 IOPS">{usd(usdPer1000Iops)}</Figure>}
    </dl>
  );
}

const Why = ({ test }: { test: GradedTestAnswer }) => (
  <ul class="why">
    {[...whyLines(test), limitLine(test)].map((sentence) => (
      <li key={sentence}>
        <Text value={sentence} />
      </li>
    ))}
    {test.latencyMs.isWorstOfSeveral ? (
      <li>Percentiles are the worst of its jobs: the true ones of all together are not above them.</li>
    ) : null}
  </ul>
);

export function TestSection({ test, number }: { test: GradedTestAnswer; number: number }) {
  const title = `test-${number}-title`;
  const names = `${title} ${title}-run`;
  return (
    <section class="test" id={`test-${number}`} aria-labelledby={names}>
      <header>
        <h3 id={title}>
          <Text value={test.name} most={120} /> <small>{loadOf(test)}</small>
        </h3>
        <span class="letters">
          {test.grade === null ? (
            <span class="no-letter">no letter</span>
          ) : (
            <Letter letter={test.grade} of="latency" />
          )}
          {test.scalingGrade === null ? null : <Letter letter={test.scalingGrade} of="scaling" />}
        </span>
        <p class="faint" id={`${title}-run`}>
          Test {number}, of <Text value={test.run} most={60} />
        </p>
      </header>
      {test.error === null ? null : <p class="is-trouble">It failed: {errorText(test.error)}.</p>}
      <Figures test={test} />
      <Ruler test={test} />
      <Why test={test} />
      <TestCharts test={test} />
      {test.members.length === 0 ? (
        <p class="faint">
          Its members are not known: only a result of run-fio tells what each disk below a test did.
        </p>
      ) : (
        <MembersTable members={test.members} within={names} />
      )}
    </section>
  );
}
