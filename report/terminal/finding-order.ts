/** The orders that findings are listed in. */
import { bestSavingOf, mostUrgentFirst } from '../../core/report/top-recommendations.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import type { FindingOrder } from '../wording/audit-totals.ts';

const nameOf = ({ resource: { name, id } }: Finding): string => (name === null || name === '' ? id : name);

const names = new Intl.Collator('en', { numeric: true });

const orders: Readonly<Record<FindingOrder, (a: Finding, b: Finding) => number>> = {
  impact: mostUrgentFirst,
  savings: (a, b) => (bestSavingOf(a) ?? 0) - (bestSavingOf(b) ?? 0) || mostUrgentFirst(a, b),
  name: (a, b) => names.compare(nameOf(a), nameOf(b)) || mostUrgentFirst(a, b),
};

/** Of equals the most urgent first, as a result has them. */
export const inOrder = (findings: readonly Finding[], order: FindingOrder): Finding[] =>
  findings.toSorted(orders[order]);
