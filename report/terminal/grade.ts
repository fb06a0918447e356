/** The report card for people: a row a test, why, and runs side by side. */
import type { Compared, GradeAnswer, GradedTestAnswer, Repeated } from '../../core/schemas/grade-answer.ts';
import { gradeNoteText, limitLine, slowMembersLine, whyLines } from '../wording/report-card.ts';
import { longTable } from './long-table.ts';
import { number, sanitize, usd, whole, withoutTrailingSpaces } from './text.ts';

const orDash = (value: number | null, text: (value: number) => string = number): string =>
  value === null ? '-' : text(value);
/** Three digits: 0.042, 4.2, 42. */
const ms = (value: number | null): string => orDash(value, (one) => String(Number(one.toPrecision(3))));

function row(
  test: GradedTestAnswer,
  { withRun, withPrice }: { withRun: boolean; withPrice: boolean },
): string[] {
  const { latencyMs } = test;
  return [
    ...(withRun ? [sanitize(test.run)] : []),
    sanitize(test.name),
    orDash(test.blockKiB),
    orDash(test.users, whole),
    whole(test.iops),
    number(Number(test.mibps.toPrecision(4))),
    ...[latencyMs.mean, latencyMs.p50, latencyMs.p95, latencyMs.p99].map(ms),
    test.grade ?? '-',
    test.scalingGrade ?? '-',
    ...(withPrice ? [orDash(test.usdPer1000Iops, usd)] : []),
  ];
}

function testsTable({ tests }: GradeAnswer, withRun: boolean): string {
  const withPrice = tests.some(({ usdPer1000Iops }) => usdPer1000Iops !== null);
  const head = [
    ...(withRun ? ['run'] : []),
    ...['test', 'KiB', 'users', 'IOPS', 'MiB/s', 'mean ms', '50 %', '95 %', '99 %', 'grade', 'scaling'],
    ...(withPrice ? ['a month per 1,000 IOPS'] : []),
  ];
  return longTable(
    head,
    tests.map((test) => row(test, { withRun, withPrice })),
  );
}

function diskLines(test: GradedTestAnswer): string[] {
  const slow = slowMembersLine(test);
  return [...(test.limit === null ? [] : [limitLine(test)]), ...(slow === null ? [] : [slow])];
}

const loadKey = ({ run, access, blockKiB }: GradedTestAnswer): string =>
  JSON.stringify([run, access, blockKiB]);

function whyOfTests({ tests }: GradeAnswer, withRun: boolean): string[] {
  // A load is graded with some numbers of users only: beside those, others need no reason.
  const graded = new Set(tests.filter(({ grade }) => grade !== null).map(loadKey));
  return tests
    .filter((test) => test.grade !== null || test.error !== null || !graded.has(loadKey(test)))
    .map((test) =>
      [
        `${withRun ? `${sanitize(test.run)}, ` : ''}${sanitize(test.name)}:`,
        ...whyLines(test),
        ...diskLines(test),
      ].join(' '),
    );
}

const sideBySide = ({ name, runs }: Compared): string =>
  `${sanitize(name)}: ${runs
    .map(({ run, iops, timesFirst, p95Ms }, index) =>
      [
        `${sanitize(run)} ${whole(iops)} IOPS`,
        ...(index === 0 || timesFirst === null ? [] : [`(${timesFirst.toFixed(2)} times)`]),
        `95 % in ${ms(p95Ms)} ms`,
      ].join(' '),
    )
    .join(', ')}`;

const repeated = ({ name, runs, iops, p95Ms }: Repeated): string => {
  const span = (low: number | null, high: number | null, text: (value: number) => string): string =>
    low === null || high === null ? '' : ` (${text(Math.max(0, low))} to ${text(high)})`;
  const latency = p95Ms === null ? '' : `, 95 % in ${ms(p95Ms.mean)} ms${span(p95Ms.low, p95Ms.high, ms)}`;
  return `${sanitize(name)}: ${runs} runs, ${whole(iops.mean)} IOPS${span(iops.low, iops.high, whole)}${latency}, with 95 % confidence`;
};

/** Lines for a terminal. */
export function gradeText(answer: GradeAnswer): string[] {
  const withRun = new Set(answer.tests.map(({ run }) => run)).size > 1;
  const { comparison, repeats } = answer;
  return [
    withoutTrailingSpaces(testsTable(answer, withRun)),
    '',
    ...whyOfTests(answer, withRun),
    ...(comparison.length === 0 ? [] : ['', 'Side by side:', ...comparison.map(sideBySide)]),
    ...(repeats.length === 0 ? [] : ['', 'Repeated:', ...repeats.map(repeated)]),
    ...answer.notes.map((note) => `note: ${gradeNoteText(note)}`),
  ];
}
