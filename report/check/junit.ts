/** The check as JUnit XML: a suite of each rule, a test case of each finding; a rule without findings is one that passed. */
import {
  type CheckAnswer,
  type CheckFinding,
  type CheckRuleId,
  checkRuleIds,
} from '../../core/schemas/check-answer.ts';
import { xmlText } from '../charts/xml-text.ts';
import { placeText, ruleTexts, targetText } from '../wording/check.ts';
import { checkFindingLines, checkFindingText } from '../wording/check-finding.ts';
import { labelledLine } from '../wording/finding-lines.ts';
import { shortText } from '../wording/words.ts';

const attributes = (values: Record<string, string | number>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${xmlText(`${value}`)}"`)
    .join('');

/** An information fails nothing: it is what the case printed. */
function caseOf(finding: CheckFinding): string[] {
  const { rule, severity, file } = finding;
  const { problem } = checkFindingText(finding);
  const lines = [...checkFindingLines(finding), { label: 'At', text: placeText(finding, 200) }];
  const text = lines.map(labelledLine).join('\n');
  const failure = attributes({ message: problem, type: severity });
  return [
    `    <testcase${attributes({ classname: rule, name: targetText(finding), file: shortText(file, 200) })}>`,
    severity === 'info'
      ? `      <system-out>${xmlText(text)}</system-out>`
      : `      <failure${failure}>${xmlText(text)}</failure>`,
    '    </testcase>',
  ];
}

/** What a rule needs that was not given; null: it was held against everything. */
function notAskedFor(rule: CheckRuleId, { measured, loadClass }: CheckAnswer): string | null {
  if (rule === 'measured-load' && measured === null) return 'no --metrics and no --archive given';
  return rule === 'credits' && loadClass === null ? 'no --load given' : null;
}

/** A rule without findings passed; one that was not asked did not. */
function emptyCase(rule: CheckRuleId, notAsked: string | null): string {
  const of = attributes({ classname: rule, name: notAsked === null ? 'no findings' : 'not checked' });
  return notAsked === null
    ? `    <testcase${of}/>`
    : `    <testcase${of}><skipped${attributes({ message: notAsked })}/></testcase>`;
}

function suiteOf(
  rule: CheckRuleId,
  answer: CheckAnswer,
): { lines: string[]; tests: number; failures: number; skipped: number } {
  const { findings, ignored } = answer;
  const own = findings.filter((one) => one.rule === rule);
  const left = ignored.filter((one) => one.rule === rule);
  const notAsked = notAskedFor(rule, answer);
  const isEmpty = own.length + left.length === 0;
  const tests = own.length + left.length + (isEmpty ? 1 : 0);
  const skipped = left.length + (isEmpty && notAsked !== null ? 1 : 0);
  const failures = own.filter(({ severity }) => severity !== 'info').length;
  const lines = [
    `  <testsuite${attributes({ name: `${rule}: ${ruleTexts[rule].title}`, tests, failures, errors: 0, skipped })}>`,
    ...own.flatMap(caseOf),
    ...left.map(
      ({ address, reason }) =>
        `    <testcase${attributes({ classname: rule, name: shortText(address, 160) })}><skipped${attributes({ message: reason === null ? 'no reason given' : shortText(reason, 200) })}/></testcase>`,
    ),
    ...(isEmpty ? [emptyCase(rule, notAsked)] : []),
    '  </testsuite>',
  ];
  return { lines, tests, failures, skipped };
}

export function checkJunit(answer: CheckAnswer): string[] {
  const suites = checkRuleIds.map((rule) => suiteOf(rule, answer));
  const { unreadable } = answer.coverage;
  const total = (what: 'tests' | 'failures' | 'skipped'): number =>
    suites.reduce((sum, one) => sum + one[what], 0);
  const ofFiles =
    unreadable.length === 0
      ? []
      : [
          `  <testsuite${attributes({ name: 'files', tests: unreadable.length, failures: 0, errors: unreadable.length, skipped: 0 })}>`,
          ...unreadable.map(
            ({ file, reason }) =>
              `    <testcase${attributes({ classname: 'files', name: shortText(file, 200) })}><error${attributes({ message: shortText(reason, 500) })}/></testcase>`,
          ),
          '  </testsuite>',
        ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'stripewise check', tests: total('tests') + unreadable.length, failures: total('failures'), errors: unreadable.length, skipped: total('skipped') })}>`,
    ...suites.flatMap(({ lines }) => lines),
    ...ofFiles,
    '</testsuites>',
  ];
}
