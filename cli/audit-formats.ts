/** How `audit` prints what it found: as text, as JSON, as CSV, as a table of Markdown. */
import type { Picked } from '../core/audit/selected-resources.ts';
import { BadInput } from '../core/errors.ts';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import { auditText, usualTop } from '../report/terminal/audit.ts';
import { inOrder } from '../report/terminal/finding-order.ts';
import { findingsCsv } from '../report/terminal/findings-csv.ts';
import { findingsMarkdown } from '../report/terminal/findings-markdown.ts';
import { type SpansOfVolumes, selectedText } from '../report/terminal/selected.ts';
import { folded, widthOf } from '../report/terminal/text.ts';
import type { FindingOrder } from '../report/wording/audit-totals.ts';
import { partialText, type WhereListed } from '../report/wording/partial.ts';
import { type Io, printJson } from './io.ts';

export const formats = ['table', 'json', 'csv', 'markdown'] as const;
export type Format = (typeof formats)[number];

export interface FormatOptions {
  format?: Format;
  json?: true;
  top?: number;
  sort?: FindingOrder;
}

/** @throws BadInput where two of them are asked for, or an option that the format has no use for. */
export function formatOf({ format, json, top }: FormatOptions): Format {
  if (json && format !== undefined && format !== 'json')
    throw new BadInput(`--json is --format json, and --format ${format} is given too: leave one of them out`);
  const asked = json ? 'json' : (format ?? 'table');
  if (top !== undefined && (asked === 'json' || asked === 'csv'))
    throw new BadInput(`--top is for --format table and markdown, ${asked} has every finding: leave it out`);
  return asked;
}

/** What is printed of a result: all of it, or what was asked for. */
export interface Notified extends Picked {
  /** What was asked for and is nowhere. */
  missing: string[];
}

export interface ToPrint {
  notified: Notified;
  format: Format;
  /** Of the fleet what `--resource` asks for. */
  isPart: boolean;
  spans: SpansOfVolumes;
  recorded: boolean;
}

/** In the order that was asked for; JSON where none was, as the result has it. */
const sorted = (result: AuditResult, order: FindingOrder | undefined): AuditResult =>
  order === undefined ? result : { ...result, findings: inOrder(result.findings, order) };

function textLines(
  { notified, isPart, spans, recorded }: ToPrint,
  { top, sort }: FormatOptions,
  io: Io,
): string[] {
  const options = {
    ...{ columns: io.columns, color: io.color, recorded, order: sort ?? ('impact' as const) },
    ...(top === undefined ? {} : { top }),
  };
  return isPart
    ? selectedText({ ...notified, spans }, options)
    : auditText(notified.result, { ...options, invokedAs: io.invokedAs });
}

export function printAudit(toPrint: ToPrint, options: FormatOptions, io: Io): void {
  const { result } = toPrint.notified;
  const { sort = 'impact', top = usualTop } = options;
  switch (toPrint.format) {
    case 'json':
      printJson(io, sorted(result, options.sort));
      break;
    case 'csv':
      io.out(findingsCsv(inOrder(result.findings, sort), result.accountCoverage !== undefined));
      break;
    case 'markdown':
      for (const line of findingsMarkdown(result, inOrder(result.findings, sort), top)) io.out(line);
      break;
    case 'table':
      for (const line of textLines(toPrint, options, io)) io.out(line);
  }
}

function listedIn({ format, isPart }: ToPrint): WhereListed {
  if (format === 'json') return 'in-json';
  if (format !== 'table') return 'elsewhere';
  return isPart ? 'above-with-each' : 'above';
}

/** The last line of a run that ends with 3, on standard error: why it does. */
export function printWhyPartial(toPrint: ToPrint, io: Io): void {
  const { result, missing } = toPrint.notified;
  const text = partialText(result, { selectors: missing, listed: listedIn(toPrint) });
  const columns = io.errIsTerminal ? widthOf(io.columns) : Number.POSITIVE_INFINITY;
  for (const line of folded(`stripewise: ${text}`, columns)) io.err(line);
}
