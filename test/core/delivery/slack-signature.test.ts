/** Requests of Slack: signed by the app, just now. */
import { isFromSlack, slackSignature } from '../../../core/delivery/slack-signature.ts';

/** The example of Slack's page "Verifying requests from Slack". */
const example = {
  secret: '8f742231b10e8888abcd99yyyzzz85a5',
  timestamp: '1531420618',
  body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
  signature: 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
};
const now = Number(example.timestamp);
const { secret, ...request } = example;

test('the example of Slack has the signature that Slack gives it', () => {
  expect(slackSignature(secret, request.timestamp, request.body)).toBe(request.signature);
  expect(isFromSlack(request, [secret], now)).toBe(true);
});

test.each([
  ['another body', { body: `${request.body}&x=1` }],
  ['another time', { timestamp: `${now + 1}` }],
  ['no signature', { signature: undefined }],
  ['no time', { timestamp: undefined }],
  ['an empty signature', { signature: '' }],
  ['another version', { signature: request.signature.replace('v0', 'v1') }],
  ['a signature of another length', { signature: `${request.signature}0` }],
  ['a time that is no number', { timestamp: '1531420618abc' }],
  ['a time without end', { timestamp: '9'.repeat(400) }],
])('%s is refused', (_, changes) => {
  expect(isFromSlack({ ...request, ...changes }, [secret], now)).toBe(false);
});

test.each([
  [300, true],
  [301, false],
  [-300, true],
  [-301, false],
])('%d seconds after it was signed: %s', (seconds, isTaken) => {
  expect(isFromSlack(request, [secret], now + seconds)).toBe(isTaken);
});

test('of several apps any may have signed it; without one nobody', () => {
  expect(isFromSlack(request, ['another', secret], now)).toBe(true);
  expect(isFromSlack(request, ['another'], now)).toBe(false);
  expect(isFromSlack(request, [], now)).toBe(false);
});
