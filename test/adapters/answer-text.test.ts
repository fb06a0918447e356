/** What of an answer stands in an error: never the address that was asked. */
import { answerText } from '../../adapters/answer-text.ts';

const slack = 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX';
const teams =
  'https://example.com/workflows/0123456789abcdef/triggers/manual?sp=%2Ftriggers%2Fmanual%2Frun&sig=a%2Fb-signature';

test.each([
  ['no_service', slack, 'no_service'],
  ['Cannot POST /services/T1/B1/other', slack, 'Cannot POST /services/T1/B1/other'],
  ['two\nlines', teams, 'two\\u{a}lines'],
  ['x'.repeat(500), teams, `${'x'.repeat(199)}…`],
  ['', teams, ''],
])('%j is reported', (body, address, notified) => {
  expect(answerText(body, address)).toBe(notified);
});

test.each([
  ['the whole address', `no ${slack} here`, slack],
  ['its secret alone', 'no hook XXXXXXXXXXXXXXXXXXXXXXXX', slack],
  ['the id of the workflow', '<pre>Cannot POST /workflows/0123456789abcdef/x</pre>', teams],
  ['the signature as it is', 'bad sig a/b-signature', teams],
  ['the signature as the address has it', 'bad sig=a%2Fb-signature', teams],
  ['what is no address', 'no such thing as hooks-secret', 'hooks-secret'],
])('an answer with %s is not repeated', (_, body, address) => {
  expect(answerText(body, address)).toBe('(an answer that repeats the address)');
});
