/** A digest for Amazon Q Developer. */
import type { Digest } from '../../core/schemas/digest.ts';
import { plainIdOf } from '../change.ts';
import { digestHeadline, digestInShort, digestLine, leftOut } from '../digest-text.ts';
import { plainLine } from '../wording/message.ts';
import { type AmazonQNotification, amazonQNotification } from './notification.ts';

export function amazonQDigest(digest: Digest): AmazonQNotification {
  const shown = digestInShort(digest);
  const lines = shown.flatMap((one) => [`• ${plainLine(one)}`, ...(one.next === null ? [] : [one.next])]);
  const rest = leftOut(digest, shown.length);
  const id = plainIdOf(digest.id);
  return amazonQNotification({
    ...{ id, threadId: id, eventType: 'stripewise digest' },
    title: digestHeadline(digest),
    lines: [digestLine(digest), ...lines, ...(rest === '' ? [] : [rest])],
    link: digest.reportUrl,
  });
}
