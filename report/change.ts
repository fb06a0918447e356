/** One finding that changed: what every channel calls it, and the id under which who gets it twice knows that. */
import { createHash } from 'node:crypto';
import { type Change, newsRank } from '../core/schemas/changes.ts';
import type { Notification, NotifiedFinding } from '../core/schemas/notification.ts';
import { sanitize } from './terminal/text.ts';
import { kindWords, shortText } from './wording/words.ts';

/** Of a message of its own. */
const titles: Readonly<Record<Change, string>> = {
  ...{ opened: 'New', worse: 'Worse', better: 'Better', resolved: 'Resolved', reopened: 'Back' },
  validated: 'Benchmarked',
};

export const newsTitle = ({ change, kind, resource }: NotifiedFinding): string =>
  `${titles[change]}: ${kindWords(kind)} on ${sanitize(resource.id)}${resource.name === null ? '' : ` "${shortText(resource.name, 40)}"`}`;

/** Ids of ours are hashes and names of runs; others would not fit into every channel. */
const plainId = /^[\w.:#/-]{1,200}$/;
export const isPlainId = (id: string): boolean => plainId.test(id);

/** The id itself, or a hash of one that no channel would take. */
export const plainIdOf = (id: string): string =>
  isPlainId(id) ? id : createHash('sha256').update(id).digest('hex');

/** The same when the same news is reported again, in whatever message. */
export const changeIdOf = ({ id }: Pick<Notification, 'id'>, finding: Pick<NotifiedFinding, 'id'>): string =>
  plainIdOf(`${id}:${finding.id}`);

/** Most urgent first, what is over last; else in the order in which they were reported. */
export const byUrgency = (notified: readonly NotifiedFinding[]): NotifiedFinding[] =>
  notified.toSorted((a, b) => newsRank(a) - newsRank(b));
