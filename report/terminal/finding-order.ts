/** The orders that findings are listed in. */
import { bestSavingOf, peakMinutesOf } from '../../core/report/first-things.ts';
import { type Finding, severityRank } from '../../core/schemas/finding.ts';
import type { FindingOrder } from '../wording/audit-totals.ts';

/** The minutes that its lines say; what has none comes after what has. */
const minutesOf = (finding: Finding): number => peakMinutesOf(finding) ?? -1;

const byImpact = (a: Finding, b: Finding): number =>
  severityRank(a.severity) - severityRank(b.severity) || minutesOf(b) - minutesOf(a);

const nameOf = ({ resource: { name, id } }: Finding): string => (name === null || name === '' ? id : name);

const names = new Intl.Collator('en', { numeric: true });

const orders: Readonly<Record<FindingOrder, (a: Finding, b: Finding) => number>> = {
  impact: byImpact,
  savings: (a, b) => (bestSavingOf(a) ?? 0) - (bestSavingOf(b) ?? 0) || byImpact(a, b),
  name: (a, b) => names.compare(nameOf(a), nameOf(b)) || byImpact(a, b),
};

/** Of equals the most urgent first, as a result has them. */
export const inOrder = (findings: readonly Finding[], order: FindingOrder): Finding[] =>
  findings.toSorted(orders[order]);
