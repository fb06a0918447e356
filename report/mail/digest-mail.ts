/** A digest as a plain-text e-mail. */
import type { Digest } from '../../core/schemas/digest.ts';
import { addressOrNull, openReport } from '../address.ts';
import { asReported, digestHeadline, digestLine, leftOut } from '../digest-text.ts';
import { bytesOf, type Mail, mostBytes, subjectOf } from './mail.ts';
import { textOf } from './notification-mail.ts';

const mostFindings = 25;

export function digestMail(digest: Digest): Mail {
  const shown: string[] = [];
  let bytes = 0;
  for (const finding of digest.first.slice(0, mostFindings)) {
    const text = textOf(asReported(finding), true);
    bytes += bytesOf(text);
    if (bytes > mostBytes) break;
    shown.push(text);
  }
  const rest = leftOut(digest, shown.length);
  const title = digestHeadline(digest);
  const url = addressOrNull(digest.reportUrl);
  const open = url === null ? [] : [`${openReport}: ${url}`];
  const last = [rest, ...open].filter((line) => line !== '');
  return {
    subject: subjectOf(title),
    text: [title, '', digestLine(digest), '', ...shown, ...last].join('\n'),
  };
}
