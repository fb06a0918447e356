/** Why a run is partial (exit code 3), in one line: what is missing, how much of it, and where it is listed. */
import { accountsNotWhole, isReadInPart } from '../../core/audit/accounts.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { accountText, counted, shortText } from './words.ts';

/** Of what stands in the result, by how it is printed; with each: an unknown volume says why where it is reported. */
export type WhereListed = 'above' | 'above-with-each' | 'in-json' | 'elsewhere';

interface Missing {
  /** What `--resource` asked for and is nowhere. */
  selectors: readonly string[];
  listed: WhereListed;
}

const maxNamed = 3;

function namedText(ids: readonly string[]): string {
  const named = ids.slice(0, maxNamed).map((id) => shortText(id, 60));
  const rest = ids.length - named.length;
  return `(${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''})`;
}

/** Headings of the terminal: under them is what the last line counts. */
export const listHeadings = {
  unknown: 'Unknown, and why',
  incomplete: 'Not read, or not in whole',
  accounts: 'Accounts not read, or not in whole',
} as const;

const keyTexts: Readonly<Record<keyof typeof listHeadings, string>> = {
  ...{ unknown: 'coverage.unknown', incomplete: 'coverage.incomplete', accounts: 'accountCoverage' },
};

function whereText(listed: WhereListed, names: readonly (keyof typeof listHeadings)[]): string {
  if (names.length === 0) return '';
  if (listed === 'above' || listed === 'above-with-each') {
    const places = names.map((name) =>
      name === 'unknown' && listed === 'above-with-each'
        ? 'with each volume'
        : `under "${listHeadings[name]}"`,
    );
    return ` Listed above ${places.join(' and ')}.`;
  }
  const keys = names.map((name) => keyTexts[name]).join(' and ');
  return listed === 'in-json' ? ` Listed in ${keys}.` : ` Listed by --format json in ${keys}.`;
}

/** "Partial, exit code 3. 2 volumes unknown (vol-1, vol-2). Listed above under "Unknown, and why"." */
export function partialText(
  { coverage, ...result }: Pick<AuditResult, 'coverage' | 'accountCoverage'>,
  { selectors, listed }: Missing,
): string {
  const unknown = coverage.unknown.flatMap(({ volumeId, nothingToRead }) =>
    nothingToRead ? [] : [volumeId],
  );
  const { incomplete, metricsWithoutResource } = coverage;
  const accounts = accountsNotWhole(result).filter(isReadInPart);
  const called = accounts.map((account) => accountText(account, 30));
  const parts = [
    ...(accounts.length === 0
      ? []
      : [`${counted(accounts.length, 'account')} not read in whole ${namedText(called)}.`]),
    ...(unknown.length === 0 ? [] : [`${counted(unknown.length, 'volume')} unknown ${namedText(unknown)}.`]),
    ...(incomplete.length === 0
      ? []
      : [`${counted(incomplete.length, 'read')} of metrics or inventory incomplete.`]),
    ...(metricsWithoutResource.length === 0
      ? []
      : [
          `Metrics of ${counted(metricsWithoutResource.length, 'resource')} that no inventory has ${namedText(metricsWithoutResource)}.`,
        ]),
    ...(selectors.length === 0 ? [] : [`Not found: --resource ${namedText(selectors)}.`]),
  ];
  const names = [
    ...(accounts.length === 0 ? [] : (['accounts'] as const)),
    ...(unknown.length === 0 ? [] : (['unknown'] as const)),
    ...(incomplete.length === 0 ? [] : (['incomplete'] as const)),
  ];
  return `Partial, exit code 3. ${parts.join(' ')}${whereText(listed, names)}`;
}
