/** A finding as a row of a table: the columns of the CSV of the page and of the command line. */
import { bestSavingOf, peakMinutesOf } from '../../core/report/top-recommendations.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { problemInShort } from './finding-lines.ts';
import { fixInShort } from './recommendation.ts';

type Cell = string | number | null;

interface FindingColumn {
  head: string;
  of: (finding: Finding) => Cell;
}

/** What its first recommendation costs; null where nobody knows, or nothing is recommended. */
export const firstDeltaOf = ({ recommendations }: Finding): number | null =>
  recommendations[0]?.monthlyUsdDelta ?? null;

/** What is recommended first, in short; null where nothing is. */
export function firstFixOf({ recommendations }: Finding): string | null {
  const [first] = recommendations;
  return first === undefined ? null : fixInShort(first);
}

const columns: readonly FindingColumn[] = [
  { head: 'severity', of: ({ severity }) => severity },
  { head: 'kind', of: ({ kind }) => kind },
  { head: 'resource', of: ({ resource }) => resource.id },
  { head: 'name', of: ({ resource }) => resource.name },
  { head: 'account', of: ({ resource }) => resource.account },
  { head: 'Region', of: ({ resource }) => resource.region },
  { head: 'since', of: ({ firstSeen }) => firstSeen },
  { head: 'problem', of: problemInShort },
  { head: 'throttled minutes in the peak 24 h', of: peakMinutesOf },
  { head: 'recommendation', of: firstFixOf },
  { head: 'recommendation, USD a month', of: firstDeltaOf },
  { head: 'best saving, USD a month', of: bestSavingOf },
  { head: 'finding id', of: ({ id }) => id },
];

/** Of a run of several accounts; after those that are always there, so that they stay where they are. */
const accountName: FindingColumn = {
  head: 'account name',
  of: ({ resource: { account, accountName: name } }) =>
    name === undefined || name === account ? null : name,
};

/** Of volumes of Kubernetes. */
const ofKubernetes: readonly FindingColumn[] = [
  { head: 'cluster', of: ({ resource }) => resource.kubernetes?.cluster ?? null },
  { head: 'namespace', of: ({ resource }) => resource.kubernetes?.namespace ?? null },
  { head: 'claim', of: ({ resource }) => resource.kubernetes?.claim ?? null },
];

const columnsOf = (isOfSeveral: boolean): readonly FindingColumn[] => [
  ...columns,
  ...(isOfSeveral ? [accountName] : []),
  ...ofKubernetes,
];

export const findingHead = (isOfSeveral = false): string[] => columnsOf(isOfSeveral).map(({ head }) => head);

export const findingRow = (finding: Finding, isOfSeveral = false): Cell[] =>
  columnsOf(isOfSeveral).map(({ of }) => of(finding));
