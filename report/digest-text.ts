/** What every form of a digest says, whatever the channel. */

import { figure, usdText } from '../core/figures.ts';
import type { Digest } from '../core/schemas/digest.ts';
import type { NotifiedFinding } from '../core/schemas/notification.ts';
import { accountOfResource } from './wording/accounts.ts';
import { changesLine } from './wording/changes.ts';
import { weeksLines } from './wording/fleet-weeks.ts';
import { type InShort, savingText, shownInShort } from './wording/message.ts';
import { severityText } from './wording/severities.ts';
import { timeText } from './wording/words.ts';

/** One line less than a message has room for: the digest has one for its span. */
const maxInDigest = 4;

/** "stripewise: 1 critical, 2 warnings open. Up to 120.00 USD a month to save." */
export function digestHeadline({ open, monthlyUsdToSave }: Digest): string {
  const counts = severityText(open);
  if (counts === '') return 'stripewise: no finding is open.';
  const saving = savingText(monthlyUsdToSave);
  return `stripewise: ${counts} open.${saving === null ? '' : ` ${saving}`}`;
}

/** What came and went in the span. */
function spanLine({ span, opened, resolved, muted, acknowledged }: Digest): string {
  const of = (count: number, word: string): string => `${figure(count, 0)} ${word}`;
  return `${timeText(span.start)} to ${timeText(span.end)}: ${of(opened, 'new')}, ${of(resolved, 'resolved')}. Of those open ${of(muted, 'muted')}, ${of(acknowledged, 'acknowledged')}.`;
}

const maxAccounts = 3;

/** "By account: orders (111122223333) 12 open, 1,200.00 USD a month to save; billing (444455556666) 1 open." */
function accountsLine(byAccount: NonNullable<Digest['byAccount']>): string {
  const named = byAccount.slice(0, maxAccounts).map(({ open, monthlyUsdToSave, ...resource }) => {
    const saved = monthlyUsdToSave < 0.005 ? '' : `, ${usdText(monthlyUsdToSave)} a month to save`;
    return `${accountOfResource(resource, 30)} ${figure(open, 0)} open${saved}`;
  });
  const more = byAccount.length - named.length;
  const rest = more === 0 ? [] : [`${figure(more, 0)} more`];
  return `By account: ${[...named, ...rest].join('; ')}.`;
}

/** Below the headline: what came and went in the span, and where there are several accounts what is open in each; with an archive what was throttled; once a month what changes came to. */
export const digestLines = (digest: Digest): string[] => [
  spanLine(digest),
  ...(digest.byAccount === undefined || digest.byAccount.length === 0
    ? []
    : [accountsLine(digest.byAccount)]),
  ...weeksLines(digest.weeks),
  ...(digest.changes === undefined ? [] : [changesLine(digest.changes)]),
];

/** It is reported as it stands: nothing of it changed just now. */
export const asReported = (finding: Digest['first'][number]): NotifiedFinding => ({
  ...finding,
  change: 'opened',
  validation: null,
});

export const digestInShort = ({ first }: Digest): InShort[] =>
  shownInShort(first.map(asReported), maxInDigest);

/** @param shown of `first`. */
export function leftOut({ first, notShown }: Digest, shown: number): string {
  const left = first.length - shown + notShown;
  return left === 0 ? '' : `and ${figure(left, 0)} more open`;
}
