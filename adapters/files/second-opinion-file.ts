/** A file of `audit --compare-with`: what it is shows in what it holds. */
import { BadInput } from '../../core/errors.ts';
import { groupBy } from '../../core/group-by.ts';
import { sanitize } from '../../core/sanitize.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import {
  type ComputeOptimizerPage,
  computeOptimizerPageSchema,
  computeOptimizerRows,
  exportedRows,
  hubPageSchema,
  hubRows,
  isExportOfRds,
  isExportOfVolumes,
  isHubRow,
  type RecommendationRows,
} from '../../core/second-opinion/recommendations.ts';
import { readAuditResult } from './audit-result.ts';
import { parseCsv } from './csv.ts';
import { readText } from './read-file.ts';

const expected =
  'what `audit --json` wrote earlier, what `aws compute-optimizer get-ebs-volume-recommendations` prints, the CSV that Compute Optimizer exports for EBS volumes, or what `aws cost-optimization-hub list-recommendations` or `get-recommendation` prints';

export type ComparedFile =
  | { kind: 'earlier'; path: string; result: AuditResult }
  | {
      kind: 'recommendations';
      path: string;
      rows: RecommendationRows;
      /** Pages, and how many of them say that another one follows. */
      pages: number;
      unfinished: number;
    };

// One document after the other, as several commands append them to a file.

/** The end of the JSON value that begins at a place; -1 where it has none. */
function endOfValue(text: string, start: number): number {
  let [depth, isText] = [0, false];
  for (let i = start; i < text.length; i++) {
    const character = text[i];
    if (isText) {
      if (character === '\\') i++;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      depth--;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
}

function documentsIn(path: string, text: string): unknown[] {
  const documents: unknown[] = [];
  try {
    for (let at = 0; at < text.length; ) {
      if (/\s/.test(text[at] as string)) {
        at++;
        continue;
      }
      const end = endOfValue(text, at);
      documents.push(JSON.parse(end === -1 ? text.slice(at) : text.slice(at, end)));
      at = end === -1 ? text.length : end;
    }
  } catch (error) {
    const why = error instanceof Error ? sanitize(error.message, 120) : '';
    throw new BadInput(`${path}: not whole JSON (${why}); expected the whole of ${expected}`, {
      cause: error,
    });
  }
  return documents;
}

// What a document is.

const has = (document: unknown, key: string): document is Record<string, unknown> =>
  typeof document === 'object' && document !== null && key in document;

const isComputeOptimizerRow = (row: unknown): boolean => has(row, 'volumeArn') && has(row, 'finding');

/** Answers of Compute Optimizer that are about something else. */
const otherAnswer = (document: unknown): string | undefined =>
  typeof document === 'object' && document !== null
    ? Object.keys(document).find((key) => /^[a-zA-Z]+Recommendations$/.test(key))
    : undefined;

const hasMore = (document: unknown): boolean =>
  ['nextToken', 'NextToken'].some(
    (key) => has(document, key) && document[key] !== '' && document[key] !== null,
  );

interface Sorted {
  computeOptimizer: ComputeOptimizerPage[];
  hub: unknown[];
  pages: number;
  unfinished: number;
}

function addDocument(path: string, document: unknown, sorted: Sorted): void {
  const page = computeOptimizerPageSchema.safeParse(document);
  const list = hubPageSchema.safeParse(document);
  // A row alone is no page: it cannot be the last one.
  if (page.success || list.success) sorted.pages++;
  if (page.success) sorted.computeOptimizer.push(page.data);
  else if (list.success) sorted.hub.push(...list.data.items);
  else if (isHubRow(document)) sorted.hub.push(document);
  else if (isComputeOptimizerRow(document))
    sorted.computeOptimizer.push({ volumeRecommendations: [document] });
  else {
    const other = otherAnswer(document);
    const what = other === undefined ? 'has no recommendations for EBS volumes' : `has ${sanitize(other)}`;
    throw new BadInput(`${path}: ${what}; expected ${expected}`);
  }
  if (hasMore(document)) sorted.unfinished++;
}

function fromDocuments(path: string, documents: readonly unknown[]): ComparedFile {
  const sorted: Sorted = { computeOptimizer: [], hub: [], pages: 0, unfinished: 0 };
  // Of an array each element is what a file alone would be.
  for (const document of documents.flat()) addDocument(path, document, sorted);
  const { computeOptimizer, hub, pages, unfinished } = sorted;
  if (computeOptimizer.length > 0 && hub.length > 0)
    throw new BadInput(
      `${path}: of Compute Optimizer and of Cost Optimization Hub: give each in a file of its own`,
    );
  const isOfHub = hub.length > 0 || documents.some((document) => hubPageSchema.safeParse(document).success);
  const rows = isOfHub ? hubRows(hub) : computeOptimizerRows(computeOptimizer);
  return { kind: 'recommendations', path, rows, pages, unfinished };
}

/** What the AWS CLI prints of a call that failed, and what S3 answers instead of an object. */
const awsError = /An error occurred \((\w{1,100})\)|<Code>(\w{1,100})<\/Code>|\b(AccessDenied\w{0,100})\b/;

function requireNoAwsError(path: string, text: string): void {
  const [, ofCli, ofS3, plain] = awsError.exec(text.slice(0, 2_000)) ?? [];
  const code = ofCli ?? ofS3 ?? plain;
  if (code !== undefined)
    throw new BadInput(
      `${path}: holds the AWS error ${code}, and no recommendations; run the command again where it succeeds`,
    );
}

function fromCsv(path: string, text: string): ComparedFile {
  if (!/volumearn/i.test(text)) requireNoAwsError(path, text);
  const [header, ...lines] = parseCsv(path, text, expected);
  const names = header?.fields ?? [];
  if (!isExportOfVolumes(names) && isExportOfRds(names))
    throw new BadInput(`${path}: the export of Amazon RDS, which is not covered yet; expected ${expected}`);
  if (!isExportOfVolumes(names))
    throw new BadInput(
      `${path}: has no columns volumeArn and finding (its first is "${sanitize(names[0] ?? '')}"); expected ${expected}`,
    );
  const rows = exportedRows(
    names,
    lines.map(({ fields }) => fields),
  );
  return { kind: 'recommendations', path, rows, pages: 1, unfinished: 0 };
}

/** What `audit --json` writes has both. */
const isAudit = (document: unknown): boolean => has(document, 'findings') && has(document, 'coverage');

/** @throws BadInput where it is none of what can be compared with. */
export function readComparedFile(path: string): ComparedFile {
  const text = readText(path).replace(/^\uFEFF/, '');
  const first = text.trimStart()[0];
  if (first === undefined) throw new BadInput(`${path}: is empty; expected ${expected}`);
  if (first !== '{' && first !== '[') return fromCsv(path, text);
  const documents = documentsIn(path, text);
  if (documents.length === 1 && isAudit(documents[0]))
    return { kind: 'earlier', path, result: readAuditResult(path) };
  return fromDocuments(path, documents);
}

/**
 * Where each page of a source says that another one follows, the last is missing: of its volumes nothing would seem to be said. The
 * last page of one source ends no other.
 */
export function requireWhole(files: readonly ComparedFile[]): void {
  const pages = files.filter((file) => file.kind === 'recommendations');
  for (const ofSource of groupBy(pages, ({ rows }) => rows.source).values()) {
    const count = ofSource.reduce((sum, one) => sum + one.pages, 0);
    const unfinished = ofSource.reduce((sum, one) => sum + one.unfinished, 0);
    const last = ofSource.findLast((one) => one.unfinished > 0);
    if (last !== undefined && unfinished >= count)
      throw new BadInput(
        `${last.path}: it has a nextToken, so there are more pages: ask for the next with --next-token, and give all of them to --compare-with`,
      );
  }
}
