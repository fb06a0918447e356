/** An answer to a press of a button, to the address that came with it. */
import { Unavailable, Undeliverable } from '../../core/errors.ts';
import { failureOfStatus } from '../failure-of-status.ts';

const timeoutMs = 2_000;
const slackOrigin = 'https://hooks.slack.com';

/**
 * The address is a secret: it is in no error.
 * @param responseUrl of a request that was signed. @param origins beside Slack's own, such as of a server for tests.
 * @throws Throttled, Unavailable, Undeliverable
 */
export async function respond(
  responseUrl: string,
  message: { text: string; threadTs: string },
  origins: readonly string[] = [],
): Promise<void> {
  const origin = URL.parse(responseUrl)?.origin;
  if (origin === undefined || (origin !== slackOrigin && !origins.includes(origin)))
    throw new Undeliverable('the address to answer to is not of Slack');
  const reply = await fetch(responseUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ response_type: 'in_channel', replace_original: false },
      ...{ text: message.text, thread_ts: message.threadTs },
    }),
    // Who is sent elsewhere would take what is said with them.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new Unavailable('Slack could not be reached', { cause: (error as Error).name });
  });
  if (reply.ok) return;
  throw failureOfStatus(reply.status, `Slack answered ${reply.status} to an answer`);
}
