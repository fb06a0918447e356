/** The same finding reads the same in every channel. */
import type { Advisory } from '../../../core/schemas/advisory.ts';
import { changes } from '../../../core/schemas/changes.ts';
import { amazonQNotifications } from '../../../report/amazon-q/advisory-notifications.ts';
import { advisoryMail } from '../../../report/mail/advisory-mail.ts';
import { advisoryMessage } from '../../../report/slack/advisory-message.ts';
import { slackThreadMessages } from '../../../report/slack/finding-message.ts';
import type { SlackMessage } from '../../../report/slack/message.ts';
import { teamsCard } from '../../../report/teams/advisory-card.ts';
import { findingLines } from '../../../report/wording/finding-lines.ts';
import { blockLines, shownInShort } from '../../../report/wording/message.ts';
import { anAdvisory, findingsOnVolumes } from '../../fixtures/findings.ts';
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

const advisoryOn = (index: number): Advisory => {
  const sample = samples[index];
  if (sample === undefined) throw new Error('there is no such sample');
  return anAdvisory([sample.finding]);
};

const cases = samples.map(({ title }, index) => [title, index] as const);

test.each(cases)('%s: all lines are in the mail, the thread and Amazon Q', (_, index) => {
  const advisory = advisoryOn(index);
  const [told] = advisory.told;
  if (told === undefined) throw new Error('it is told');
  const mail = advisoryMail(advisory).text;
  const thread = slackText(slackThreadMessages(advisory)[0]?.message as SlackMessage);
  const amazonQ = read(strings(amazonQNotifications(advisory)).join('\n'));
  // What is notified has the facts that its lines are made from.
  expect(blockLines(told)).toEqual(findingLines(samples[index]?.finding as never));
  for (const { text } of blockLines(told)) {
    expect(mail).toContain(text);
    expect(thread).toContain(read(text));
    expect(amazonQ).toContain(read(text));
  }
});

test.each(cases)('%s: both lines are in the message and on the card', (_, index) => {
  const advisory = advisoryOn(index);
  const [told] = advisory.told;
  if (told === undefined) throw new Error('it is told');
  const lines = linesInShort(told, told.volumeText);
  const message = slackText(advisoryMessage(advisory));
  const card = read(strings(teamsCard(advisory)).join('\n'));
  for (const line of lines) {
    expect(message).toContain(read(line));
    expect(card).toContain(read(line));
  }
});

test.each(changes)('%s: no sentence of a message or of a mail has more than 25 words', (change) => {
  const all = samples.map(({ finding }, i) => ({ ...finding, id: `${i}` }));
  for (const isFirst of [true, undefined] as const) {
    const advisory: Advisory = { ...anAdvisory(all, change), ...(isFirst ? { isFirst } : {}), notShown: 7 };
    const lines = [
      ...advisoryMail(advisory).text.split('\n'),
      ...slackText(advisoryMessage(advisory)).split('\n'),
    ];
    const sentences = lines.flatMap((line) => line.split(/(?<=[.!?])\s+/));
    expect(sentences.length).toBeGreaterThan(samples.length);
    expect(sentences.filter((one) => one.trim().split(/\s+/).length > 25)).toEqual([]);
  }
});

test('of many findings the message, the card, the notification of Amazon Q and the mail begin with the same five', () => {
  const advisory: Advisory = { ...anAdvisory(findingsOnVolumes(30)), isFirst: true };
  const texts = [
    slackText(advisoryMessage(advisory)),
    read(strings(teamsCard(advisory)).join('\n')),
    read(strings(amazonQNotifications(advisory)).join('\n')),
    advisoryMail(advisory).text,
  ];
  const shown = shownInShort(advisory.told);
  expect(shown).toHaveLength(5);
  for (const text of texts) {
    expect(text).toContain('stripewise: 30 warnings. 30 volumes, 1 Region.');
    for (const { resource, what, next } of shown) {
      expect(text).toContain(`${resource}: ${what}`);
      expect(text).toContain(next);
    }
  }
});
