/** A Slack message as a person reads it on a terminal. */
import { messageAsText } from '../../local/slack/as-text.ts';

const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const section = (text: string) => ({ blocks: [{ type: 'section', text: mrkdwn(text) }] });

test('blocks stand one after another', () => {
  const message = {
    text: 'shown in notifications only',
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'Two volumes' } },
      { type: 'section', text: mrkdwn('one\ntwo'), fields: [mrkdwn('*IOPS*'), mrkdwn('3,000')] },
      { type: 'divider' },
      { type: 'context', elements: [mrkdwn('us-east-1')] },
      {
        type: 'actions',
        elements: [
          { type: 'button', text: { type: 'plain_text', text: 'Report' }, url: 'https://example.com/r' },
        ],
      },
    ],
  };
  expect(messageAsText(message).split('\n')).toEqual([
    'Two volumes',
    '===========',
    '',
    'one',
    'two',
    '*IOPS*',
    '3,000',
    '',
    '-'.repeat(60),
    '',
    '  us-east-1',
    '',
    '[Report] https://example.com/r',
  ]);
});

test('without blocks the text is shown', () => {
  expect(messageAsText({ text: 'a\nb' })).toBe('a\nb');
});

test.each([
  ['a link as its text', 'see <https://example.com|the report>', 'see the report'],
  ['a bare link as its address', '<https://example.com>', 'https://example.com'],
  ['a mention', '<!here> and <@U1>', '@here and @U1'],
  ['escaped characters', 'a &lt;b&gt; &amp; c', 'a <b> & c'],
  ['an escaped escape once', '&amp;lt;', '&lt;'],
  ['escaped brackets that are no link', '&lt;https://example.com|x&gt;', '<https://example.com|x>'],
  ['control characters sanitized', 'red\u001b[31m', 'red\\u{1b}[31m'],
  ['long lines whole', 'x'.repeat(500), 'x'.repeat(500)],
])('%s', (_, text, expected) => {
  expect(messageAsText(section(text))).toBe(expected);
});

test('what Slack would refuse is not shown', () => {
  expect(() => messageAsText({})).toThrow('no_text');
});
