/** The tool that checks infrastructure code: files that were named when the server was started, read anew at each call. */
import { z } from 'zod';
import { BadInput } from '../../core/errors.ts';
import { checkViewSchema } from '../../core/schemas/assistant-answers.ts';
import { type CheckFinding, checkAnswerSchema, loadClasses } from '../../core/schemas/check-answer.ts';
import { severities } from '../../core/schemas/finding-kinds.ts';
import { untrusted, withUntrusted } from '../../core/untrusted.ts';
import { checkLines } from '../../report/wording/assistant.ts';
import {
  checkHeadline,
  checkNotes,
  checkProblem,
  ruleTexts,
  wayOutText,
} from '../../report/wording/check.ts';
import { documentOf } from './command.ts';
import { isArchiveInS3 } from './options.ts';
import type { Source } from './source.ts';
import { cursorOption, partOf, tool } from './tool.ts';

const maxWays = 3;
const maxNotes = 12;
/** SARIF alone names it. */
const noVersion = '';

/** What is written in a file is data, an address of a resource too. */
function view(finding: CheckFinding) {
  const marked = withUntrusted(finding);
  const ways = marked.wayOut.slice(0, maxWays).map(wayOutText);
  return {
    ...{ rule: finding.rule, severity: finding.severity, line: finding.line },
    ...{ address: untrusted(finding.address), file: untrusted(finding.file) },
    lines: [
      ruleTexts[finding.rule].title,
      `Problem   ${checkProblem(marked)}`,
      ...ways.map((way, i) => `${i === 0 ? 'Fix       ' : 'Or        '}${way}`),
    ],
  };
}

/** What was measured is that of the server, where it has minutes of files. */
const measuredWords = ({ options: { volumes, instances, metrics, archive, profile } }: Source): string[] =>
  metrics === undefined && archive === undefined
    ? []
    : Object.entries({ volumes, instances, metrics, archive, profile }).flatMap(([name, given]) =>
        given === undefined ? [] : [`--${name}`, ...[given].flat()],
      );

export const checkTool = tool({
  name: 'check',
  input: z.strictObject({
    severity: z.enum(severities).optional(),
    changedOnly: z.boolean().optional(),
    load: z.enum(loadClasses).optional(),
    limit: z.int().min(1).max(20).default(10),
    cursor: cursorOption,
  }),
  output: checkViewSchema,
  isOffered: ({ options: { check } }) => check !== undefined,
  readsAws: ({ options }) => isArchiveInS3(options),
  answer: (asked, { source, io }) =>
    source.inTurn(async () => {
      const { check: paths, prices = [] } = source.options;
      if (paths === undefined) throw new BadInput('no files were given at the start: start with --check');
      const { checkCommand } = await import('../check.ts');
      const words = [
        ...(asked.changedOnly ? ['--changed-only'] : []),
        ...(asked.load === undefined ? [] : [`--load=${asked.load}`]),
        ...(prices.length === 0 ? [] : ['--prices', ...prices]),
        ...measuredWords(source),
      ];
      const printed = await documentOf((quiet) => checkCommand(quiet, noVersion, () => {}), words, io, paths);
      const answer = checkAnswerSchema.parse(printed);
      const { coverage, price } = answer;
      const marked = { ...withUntrusted(answer), price: { ...withUntrusted(price), sources: price.sources } };
      const all = answer.findings.filter(
        ({ severity }) => asked.severity === undefined || severity === asked.severity,
      );
      const { items, page } = partOf(all.map(view), asked);
      const document = {
        headline: checkHeadline(marked),
        monthlyUsdDifference: price.monthlyUsdDifference,
        ...{ findings: items, page, notes: checkNotes(marked).slice(0, maxNotes) },
        ...{ seen: coverage.seen, understood: coverage.understood, notRead: coverage.unreadable.length },
        notChecked: answer.notChecked.length,
      };
      return { document, lines: checkLines(document) };
    }),
});
