/** A card to Teams, by the webhook of a workflow. */
import { Unavailable } from '../../core/errors.ts';
import { answerText } from '../answer-text.ts';
import { failureOfStatus } from '../failure-of-status.ts';

const timeoutMs = 10_000;

/**
 * The address is a secret: it is in no error.
 * @throws Throttled, Unavailable (send again later), Undeliverable (Teams refuses this card or this address).
 */
export async function postCard(webhookUrl: string, payload: object): Promise<void> {
  let reply: Response;
  try {
    reply = await fetch(webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
      // A webhook does not move; who is sent elsewhere would take the secret with them.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    throw new Unavailable('Teams could not be reached', { cause: (error as Error).name });
  }
  const body = await reply.text().catch(() => '');
  if (reply.ok) return;
  throw failureOfStatus(reply.status, `Teams answered ${reply.status}: ${answerText(body, webhookUrl)}`);
}
