/** What is wrong with a notification for Amazon Q Developer, whatever an account holds: none where all is well. */
import { z } from 'zod';
import type { AmazonQNotification } from '../../../report/amazon-q/notification.ts';
import { asReceived, ourAddress, stringsIn } from '../../fixtures/untrusted-notification.ts';
import { complaintsIf, restless } from '../../untrusted/complaints.ts';

/** AWS, "Custom notifications using Amazon Q Developer in chat applications", read 2026-11-23. */
const documented = z.strictObject({
  version: z.literal('1.0'),
  source: z.literal('custom'),
  id: z.string().min(1).optional(),
  content: z.strictObject({
    textType: z.literal('client-markdown').optional(),
    title: z.string().min(1).max(250).optional(),
    description: z.string().min(1).max(8_000),
    nextSteps: z.array(z.string().min(1).max(350)).optional(),
    keywords: z.array(z.string().min(1).max(75)).optional(),
  }),
  metadata: z
    .strictObject({
      threadId: z.string().min(1).optional(),
      summary: z.string().min(1).optional(),
      eventType: z.string().optional(),
      relatedResources: z.array(z.string()).optional(),
      additionalContext: z.record(z.string(), z.string()).optional(),
      enableCustomActions: z.boolean().optional(),
    })
    .optional(),
});

/** What a standard topic with subscribers of every kind carries. */
const maxBytesOfSns = 256 * 1_024;

export function notificationComplaints(notification: AmazonQNotification): string[] {
  const received = asReceived(notification);
  const { content, metadata } = notification;
  const lines = [
    ...[content.title, metadata.summary, ...content.description.split('\n')],
    ...(content.nextSteps ?? []),
    ...(content.keywords ?? []),
  ].filter((line) => !line.startsWith(ourAddress));
  const some = (pattern: RegExp): boolean => lines.some((line) => new RegExp(pattern).test(line));
  const parsed = documented.safeParse(received);
  return complaintsIf(
    [!parsed.success, parsed.success ? '' : z.prettifyError(parsed.error)],
    [Buffer.byteLength(JSON.stringify(notification), 'utf8') > maxBytesOfSns, 'too large for a topic'],
    [some(/[<>&[\]\\@|]|https?:\/\//), 'a mention, a link or an escape'],
    [some(/[*~`]|(?<![a-zA-Z0-9])_|_(?![a-zA-Z0-9])/), 'formatting'],
    [some(/:[a-z0-9_+'-]+:/i), 'an emoji'],
    [some(/^(?:[-+#=\s]|\d+[.)])/), 'a heading or a list'],
    [lines.some((line) => restless.test(line.replaceAll('\u200b', ''))), 'a character that hides or turns'],
    [!stringsIn(received).every((text) => text.isWellFormed()), 'half a character'],
    [
      !stringsIn([notification.id, metadata.threadId, metadata.additionalContext]).every((text) =>
        /^[\w.:#/-]{1,200}$/.test(text),
      ),
      'an id that is not plain',
    ],
  );
}
