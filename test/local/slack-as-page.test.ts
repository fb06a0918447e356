/** A Slack message as a page: what a picture of it shows, with nothing of the account as markup. */
import fc from 'fast-check';
import { messageAsPage } from '../../local/slack/as-page.ts';
import { notificationMessage } from '../../report/slack/notification-message.ts';
import { aFinding, aNotification, onVolume } from '../fixtures/findings.ts';
import { untrustedText } from '../fixtures/untrusted-text.ts';

const label = 'emulated: drawn by stripewise';
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const section = (text: string) => ({ blocks: [{ type: 'section', text: mrkdwn(text) }] });
const bodyOf = (page: string): string => /<main>\n(.*)\n<\/main>/s.exec(page)?.[1] ?? '';

test.each([
  ['a link is its text', '*<https://example.com/r|vol-1>* slow', '<p><b><u>vol-1</u></b> slow</p>'],
  ['a mark is a dot of its color', ':red_circle: one', '<p><i class="critical"></i> one</p>'],
  ['another emoji stays its name', ':tada: one', '<p>:tada: one</p>'],
  ['lines stand below each other', 'one\ntwo', '<p>one<br>two</p>'],
  ['what Slack has escaped is shown as it was', 'a &lt;b&gt; &amp; c', '<p>a &#60;b&#62; &#38; c</p>'],
  ['a bold that does not end ends with its text', '*a', '<p><b>a</b></p>'],
])('%s', (_, text, expected) => {
  expect(bodyOf(messageAsPage(section(text), label))).toBe(expected);
});

test('header, context and buttons are there, and where it comes from', () => {
  const page = messageAsPage(
    {
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Two <volumes>' } },
        { type: 'context', elements: [mrkdwn('us-east-1')] },
        { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Mute' } }] },
      ],
    },
    label,
  );
  expect(bodyOf(page).split('\n')).toEqual([
    '<h1>Two &#60;volumes&#62;</h1>',
    '<small>us-east-1</small>',
    '<p><span>Mute</span></p>',
  ]);
  expect(page).toContain(`<footer>${label}</footer>`);
});

test('no text of the account becomes markup', () => {
  const tags = /<(?!\/?(?:h1|p|b|u|br|small|span)>|i class="(?:critical|warning|info|over)">|\/i>)/;
  fc.assert(
    fc.property(untrustedText, (name) => {
      const finding = aFinding({ resource: onVolume('vol-1', { name }) });
      expect(bodyOf(messageAsPage(notificationMessage(aNotification([finding])), label))).not.toMatch(tags);
    }),
  );
});

test('what Slack would refuse is not shown', () => {
  expect(() => messageAsPage({}, label)).toThrow('no_text');
});
