/** `audit --compare-with`: an earlier audit, and what other services recommend, from files or asked of the account. */
import { existsSync } from 'node:fs';
import { type ComparedFile, readComparedFile, requireWhole } from '../adapters/files/second-opinion-file.ts';
import { BadInput } from '../core/errors.ts';
import type { Volume } from '../core/inventory.ts';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import { type OpinionRead, type OpinionSource, opinionSources } from '../core/schemas/second-opinion.ts';
import type { GivenOpinions } from '../core/schemas/volume-recommendation.ts';
import { matched } from '../core/second-opinion/given.ts';
import type { RecommendationRows } from '../core/second-opinion/recommendations.ts';

export interface ComparedWith {
  earlier: AuditResult | null;
  /** To be asked of the account. */
  asked: OpinionSource[];
  /** From files, each source once. */
  given: RecommendationRows[];
}

export const comparedWithNothing: ComparedWith = { earlier: null, asked: [], given: [] };

const isOpinionSource = (text: string): text is OpinionSource =>
  (opinionSources as readonly string[]).includes(text);

/** Files among what is given. */
export const comparedFiles = (values: readonly string[] = []): string[] =>
  values.filter((value) => !isOpinionSource(value));

/** Several files of one source are pages of it. */
function bySource(files: readonly ComparedFile[]): RecommendationRows[] {
  return opinionSources.flatMap((source) => {
    const parts = files.flatMap((file) =>
      file.kind === 'recommendations' && file.rows.source === source ? [file.rows] : [],
    );
    const sum = (count: 'rdsRows' | 'otherRows'): number =>
      parts.reduce((total, one) => total + one[count], 0);
    return parts.length === 0
      ? []
      : [
          {
            source,
            rows: parts.flatMap(({ rows }) => rows),
            ...{ rdsRows: sum('rdsRows'), otherRows: sum('otherRows') },
            errors: parts.flatMap(({ errors = [] }) => errors),
          },
        ];
  });
}

/**
 * @param isLive the account is read, so that it can be asked.
 * @throws BadInput where a file is none of what can be compared with.
 */
export function comparedWith(values: readonly string[] | undefined, isLive: boolean): ComparedWith {
  if (values === undefined) return comparedWithNothing;
  const asked = [...new Set(values.filter(isOpinionSource))];
  const [first] = asked;
  if (first !== undefined && !isLive)
    throw new BadInput(
      `--compare-with ${first} asks the account: where files are audited, give the file that holds its recommendations`,
    );
  const paths = [...new Set(comparedFiles(values))];
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined)
    throw new BadInput(
      `${missing}: cannot be read: there is no such file; give the path of one, or ${opinionSources.join(' or ')}`,
    );
  const files = paths.map(readComparedFile);
  requireWhole(files);
  const [earlier, another] = files.filter((file) => file.kind === 'earlier');
  if (another !== undefined)
    throw new BadInput(
      `--compare-with: ${earlier?.path} and ${another.path} are earlier audits: give one of them`,
    );
  const given = bySource(files);
  const twice = asked.find((source) => given.some((one) => one.source === source));
  if (twice !== undefined) throw new BadInput(`--compare-with: ${twice} and a file of it: give one of them`);
  return { earlier: earlier?.result ?? null, asked, given };
}

/** Is anything compared but an earlier audit? */
export const hasOpinions = ({ asked, given }: ComparedWith): boolean => asked.length + given.length > 0;

interface OpinionsOfFiles {
  opinions: GivenOpinions[];
  secondOpinionReads: OpinionRead[];
}

/** @param accounts that are read; null: not known, as of files. */
export function opinionsOfFiles(
  { given }: ComparedWith,
  volumes: readonly (Pick<Volume, 'volumeId'> & Partial<Pick<Volume, 'region' | 'account'>>)[],
  accounts: readonly string[] | null,
): OpinionsOfFiles {
  const all = given.map((rows) => matched(rows, { volumes, accounts, account: null, region: null }));
  return {
    opinions: all.map((one) => one.given),
    secondOpinionReads: all.map(({ read }) => read),
  };
}
