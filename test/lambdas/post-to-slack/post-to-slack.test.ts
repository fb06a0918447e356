/** One message of the topic: posted once, or said not to be. */
import { type PostWith, postToSlack, slackMessageOf } from '../../../lambdas/post-to-slack/post-to-slack.ts';
import { advisoryMessage } from '../../../report/slack/advisory-message.ts';
import { aFinding, anAdvisory } from '../../fixtures/findings.ts';

const url = 'https://hooks.slack.com/services/T000/B000/XXXX';
const advisory = anAdvisory([aFinding()]);
const advisoryText = JSON.stringify(advisory);
const alarmText = JSON.stringify({
  AlarmName: 'Stripewise-AlarmsAuditFailed',
  NewStateValue: 'ALARM',
  NewStateReason: 'Threshold crossed',
});

type Posting = Parameters<PostWith['postOnce']>[0];

async function post(text: string, webhookUrl: string | null = url) {
  const postings: Posting[] = [];
  let asked = 0;
  const posted = await postToSlack(
    { messageId: 'message-1', text },
    {
      webhookUrl: async () => {
        asked++;
        return webhookUrl;
      },
      postOnce: async (posting) => {
        postings.push(posting);
      },
    },
  );
  return { posted, postings, asked };
}

test('an advisory is posted under its own id: the same news sent again is the same id', async () => {
  const { posted, postings } = await post(advisoryText);
  expect(posted).toBe('posted');
  expect(postings).toEqual([{ id: advisory.id, webhookUrl: url, message: advisoryMessage(advisory) }]);
});

test('an alarm is posted under the id of its message', async () => {
  const { posted, postings } = await post(alarmText);
  expect(posted).toBe('posted');
  expect(postings).toMatchObject([
    { id: 'message-1', message: { text: 'stripewise itself: Stripewise-AlarmsAuditFailed is ALARM' } },
  ]);
});

test('without a webhook nothing is posted, and that is said', async () => {
  expect(await post(advisoryText, null)).toMatchObject({ posted: 'no-webhook-configured', postings: [] });
});

test.each(['hello from the console', '', '{}', '[1]', 'null'])(
  '%j is not understood: nothing is posted, and the secret is not read',
  async (text) => {
    expect(await post(text)).toEqual({ posted: 'not-understood', postings: [], asked: 0 });
    expect(slackMessageOf({ messageId: 'm', text })).toBeNull();
  },
);

test('an advisory of a form that is not known is no silence: it fails, and lands in the queue', async () => {
  const other = '{"type":"stripewise.advisory","version":2}';
  await expect(post(other)).rejects.toThrow('an advisory of another version: version');
});

test('an advisory of a later version with more fields is still understood', async () => {
  const more = JSON.stringify({ ...advisory, somethingNew: true });
  expect((await post(more)).posted).toBe('posted');
});

test('what fails while posting is thrown, so that it is tried again', async () => {
  const failed = new Error('Slack answered 500: no');
  const posting = postToSlack(
    { messageId: 'm', text: alarmText },
    { webhookUrl: async () => url, postOnce: () => Promise.reject(failed) },
  );
  await expect(posting).rejects.toBe(failed);
});
