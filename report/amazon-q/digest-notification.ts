/** A digest for Amazon Q Developer. */
import type { Digest } from '../../core/schemas/digest.ts';
import { plainIdOf } from '../change.ts';
import { digestFindingText, digestHeadline, digestLines, leftOut } from '../digest-text.ts';
import { type AmazonQNotification, fitting, notification } from './notification.ts';

const mostListCharacters = 6_000;

export function amazonQDigest(digest: Digest): AmazonQNotification {
  const lines = digest.first.map((finding) => {
    const { severity, kind, resource } = digestFindingText(finding);
    return `• ${severity}: ${kind} on ${resource}`;
  });
  const shown = fitting(lines, mostListCharacters);
  const rest = leftOut(digest, shown.length);
  const id = plainIdOf(digest.id);
  return notification({
    ...{ id, threadId: id, eventType: 'stripewise digest' },
    title: digestHeadline(digest),
    lines: [...digestLines(digest), ...shown, ...(rest === '' ? [] : [rest])],
    link: digest.reportUrl,
  });
}
