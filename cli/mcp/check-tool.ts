/** The tool that checks infrastructure code: files that were named when the server was started, read anew at each call. */
import { z } from 'zod';
import { BadInput } from '../../core/errors.ts';
import { checkViewSchema } from '../../core/schemas/assistant-answers.ts';
import { type CheckFinding, loadClasses } from '../../core/schemas/check-answer.ts';
import { severities } from '../../core/schemas/finding-kinds.ts';
import { untrusted } from '../../core/untrusted.ts';
import { withUntrusted } from '../../core/untrusted-document.ts';
import { checkLines } from '../../report/wording/assistant.ts';
import { inToolWords } from '../../report/wording/assistant-names.ts';
import { checkHeadline, checkNotes, ruleTexts } from '../../report/wording/check.ts';
import { checkFindingLines } from '../../report/wording/check-finding.ts';
import { labelledLine } from '../../report/wording/finding-lines.ts';
import type { CheckOptions } from '../check.ts';
import { isArchiveInS3 } from './options.ts';
import type { Source } from './source.ts';
import { cursorOption, partOf, regionArgument, tool } from './tool.ts';

const maxNotes = 12;

/** What is written in a file is data, the address of a resource too. */
function view(finding: CheckFinding) {
  const lines = checkFindingLines(withUntrusted(finding));
  return {
    ...{ rule: finding.rule, severity: finding.severity, line: finding.line },
    ...{ address: untrusted(finding.address), file: untrusted(finding.file) },
    lines: [ruleTexts[finding.rule].title, ...lines.map((line) => inToolWords(labelledLine(line)))],
  };
}

/** What was measured is that of the server, where it has minutes of files. */
function measuredOf({ options }: Source): CheckOptions {
  const { volumes, instances, metrics, archive, profile, lookbackDays } = options;
  if (volumes === undefined || (metrics === undefined && archive === undefined)) return {};
  const ofFiles = { volumes, ...(instances === undefined ? {} : { instances }) };
  if (archive === undefined) return { ...ofFiles, ...(metrics === undefined ? {} : { metrics }) };
  return {
    ...{ ...ofFiles, archive },
    ...(profile === undefined ? {} : { profile }),
    ...(lookbackDays === undefined ? {} : { lookbackDays }),
  };
}

export const checkTool = tool({
  name: 'check',
  input: z.strictObject({
    severity: z.enum(severities).optional(),
    changedOnly: z.boolean().optional(),
    load: z.enum(loadClasses).optional(),
    region: regionArgument.optional(),
    limit: z.int().min(1).max(20).default(10),
    cursor: cursorOption,
  }),
  output: checkViewSchema,
  isOffered: ({ options: { check } }) => check !== undefined,
  readsAws: ({ options }) => isArchiveInS3(options),
  answer: (asked, { source, io, signal }) =>
    source.inTurn(signal, async () => {
      const { check: paths, prices = [] } = source.options;
      if (paths === undefined) throw new BadInput('no files were given at the start: start with --check');
      const { checkAnswer } = await import('../check.ts');
      const { load, region, changedOnly, cursor } = asked;
      const how: CheckOptions = {
        ...{ ...measuredOf(source), prices },
        ...(load === undefined ? {} : { load }),
        ...(region === undefined ? {} : { region }),
        ...(changedOnly === true ? { changedOnly } : {}),
      };
      const answer = await source.lastCheck.of(how, { cursor, now: io.now() }, () =>
        checkAnswer(paths, how, io),
      );
      const { coverage, price } = answer;
      const marked = {
        ...withUntrusted(answer),
        price: { ...withUntrusted(price), sources: price.sources },
        // Its reasons are codes, and of the rest figures alone are said.
        measured: answer.measured,
      };
      const all = answer.findings.filter(
        ({ severity }) => asked.severity === undefined || severity === asked.severity,
      );
      const { items, page } = partOf(all.map(view), asked);
      const document = {
        headline: checkHeadline(marked),
        monthlyUsdDifference: price.monthlyUsdDifference,
        ...{ findings: items, page, notes: checkNotes(marked).slice(0, maxNotes).map(inToolWords) },
        ...{ seen: coverage.seen, understood: coverage.understood, notRead: coverage.unreadable.length },
        notChecked: answer.notChecked.length,
      };
      return { document, lines: checkLines(document) };
    }),
});
