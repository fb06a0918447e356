/** One finding that changed: what every channel calls it, and the id under which who gets it twice knows that. */
import { createHash } from 'node:crypto';
import type { Advisory, ToldFinding } from '../core/schemas/advisory.ts';
import { resourceIdOf, severities, severityRank } from '../core/schemas/finding.ts';
import { inert } from './terminal/text.ts';

export type Change = ToldFinding['change'];

const words: Record<Change, string> = {
  ...{ opened: 'New', worse: 'Worse', better: 'Better', resolved: 'Resolved' },
  ...{ reopened: 'Back', proved: 'Benchmarked' },
};

export const changeTitle = ({ change, kind, resource }: ToldFinding): string =>
  `${words[change]}: ${kind} on ${inert(resourceIdOf(resource))}`;

/** Nothing is to be done about it any more. */
export const isOver = ({ change }: Pick<ToldFinding, 'change'>): boolean => change === 'resolved';

/** Ids of ours are hashes and names of runs; others would not fit into every channel. */
const plainId = /^[\w.:#/-]{1,200}$/;
export const isPlainId = (id: string): boolean => plainId.test(id);

/** The id itself, or a hash of one that no channel would take. */
export const plainIdOf = (id: string): string =>
  isPlainId(id) ? id : createHash('sha256').update(id).digest('hex');

/** The same when the same news is told again, in whatever message. */
export const changeIdOf = ({ id }: Pick<Advisory, 'id'>, finding: Pick<ToldFinding, 'id'>): string =>
  plainIdOf(`${id}:${finding.id}`);

const urgency = (finding: ToldFinding): number =>
  isOver(finding) ? severities.length : severityRank(finding.severity);

/** Most urgent first, what is over last; else in the order in which they were told. */
export const byUrgency = (told: readonly ToldFinding[]): ToldFinding[] =>
  told.toSorted((a, b) => urgency(a) - urgency(b));
