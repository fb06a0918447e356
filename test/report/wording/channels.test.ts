/** The same finding reads the same in every channel. */

import { changes } from '../../../core/schemas/changes.ts';
import type { Notification } from '../../../core/schemas/notification.ts';
import { amazonQNotifications } from '../../../report/amazon-q/notification.ts';
import { notificationMail } from '../../../report/mail/mail.ts';
import { slackThreadMessages } from '../../../report/slack/finding-message.ts';
import type { SlackMessage } from '../../../report/slack/message.ts';
import { notificationMessage } from '../../../report/slack/notification-message.ts';
import { teamsCard } from '../../../report/teams/card.ts';
import { findingLines } from '../../../report/wording/finding-lines.ts';
import { blockLines, shownInShort } from '../../../report/wording/message.ts';
import { aNotification, findingsOnVolumes } from '../../fixtures/findings.ts';
import { linesInShort, samples } from './samples.ts';

/** As it is read: without escapes, look-alikes and what is bold. */
const read = (text: string): string =>
  text
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .replaceAll('›', '>')
    .replaceAll('`', "'")
    .replaceAll('\u200b', '')
    .replaceAll('*', '');

const slackText = ({ blocks }: SlackMessage): string =>
  read(
    blocks
      .flatMap((block) => {
        if (block.type === 'section') return [block.text?.text ?? ''];
        return block.type === 'header' ? [block.text.text] : [];
      })
      .join('\n'),
  );

const strings = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
};

const notificationOn = (index: number): Notification => {
  const sample = samples[index];
  if (sample === undefined) throw new Error('there is no such sample');
  return aNotification([sample.finding]);
};

const cases = samples.map(({ title }, index) => [title, index] as const);

test.each(cases)('%s: all lines are in the mail, the thread and Amazon Q', (_, index) => {
  const notification = notificationOn(index);
  const [notified] = notification.notified;
  if (notified === undefined) throw new Error('it is reported');
  const mail = notificationMail(notification).text;
  const thread = slackText(slackThreadMessages(notification, true)[0]?.message as SlackMessage);
  const amazonQ = read(strings(amazonQNotifications(notification)).join('\n'));
  // What is notified has the facts that its lines are made from.
  expect(blockLines(notified)).toEqual(findingLines(samples[index]?.finding as never));
  for (const { text } of blockLines(notified)) {
    expect(mail).toContain(text);
    expect(thread).toContain(read(text));
    expect(amazonQ).toContain(read(text));
  }
});

test.each(cases)('%s: both lines are in the message and on the card', (_, index) => {
  const notification = notificationOn(index);
  const [notified] = notification.notified;
  if (notified === undefined) throw new Error('it is reported');
  const lines = linesInShort(notified, notified.volumeText);
  const message = slackText(notificationMessage(notification));
  const card = read(strings(teamsCard(notification)).join('\n'));
  for (const line of lines) {
    expect(message).toContain(read(line));
    expect(card).toContain(read(line));
  }
});

test.each(changes)('%s: no sentence of a message or of a mail has more than 25 words', (change) => {
  const all = samples.map(({ finding }, i) => ({ ...finding, id: `${i}` }));
  for (const isFirst of [true, undefined] as const) {
    const notification: Notification = {
      ...aNotification(all, change),
      ...(isFirst ? { isFirst } : {}),
      notShown: 7,
    };
    const lines = [
      ...notificationMail(notification).text.split('\n'),
      ...slackText(notificationMessage(notification)).split('\n'),
    ];
    const sentences = lines.flatMap((line) => line.split(/(?<=[.!?])\s+/));
    expect(sentences.length).toBeGreaterThan(samples.length);
    expect(sentences.filter((one) => one.trim().split(/\s+/).length > 25)).toEqual([]);
  }
});

test('of many findings the message, the card, the notification of Amazon Q and the mail begin with the same five', () => {
  const notification: Notification = { ...aNotification(findingsOnVolumes(30)), isFirst: true };
  const texts = [
    slackText(notificationMessage(notification)),
    read(strings(teamsCard(notification)).join('\n')),
    read(strings(amazonQNotifications(notification)).join('\n')),
    notificationMail(notification).text,
  ];
  const shown = shownInShort(notification.notified);
  expect(shown).toHaveLength(5);
  for (const text of texts) {
    expect(text).toContain('stripewise: 30 warnings. 30 volumes, 1 Region.');
    for (const { resource, what, next } of shown) {
      expect(text).toContain(`${resource}: ${what}`);
      expect(text).toContain(next);
    }
  }
});
