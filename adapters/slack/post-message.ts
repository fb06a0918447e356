import type { KnownBlock } from '@slack/types';
import { IncomingWebhook, IncomingWebhookHTTPError } from '@slack/webhook';
import { Unavailable } from '../../core/errors.ts';
import { answerText } from '../answer-text.ts';
import { failureOfStatus } from '../failure-of-status.ts';

const timeoutMs = 10_000;

interface WebhookMessage {
  text: string;
  blocks: KnownBlock[];
  unfurl_links?: boolean;
}

/**
 * Posts by incoming webhook. The address is a secret: it is in no error.
 * @throws Throttled, Unavailable (send again later), Undeliverable (Slack refuses this message or this address).
 */
export async function postMessage(webhookUrl: string, message: WebhookMessage): Promise<void> {
  try {
    await new IncomingWebhook(webhookUrl, { timeout: timeoutMs }).send(message);
  } catch (error) {
    if (!(error instanceof IncomingWebhookHTTPError)) {
      throw new Unavailable('Slack could not be reached', { cause: (error as Error).name });
    }
    const { statusCode, body } = error;
    const text = `Slack answered ${statusCode}: ${answerText(body, webhookUrl)}`;
    throw failureOfStatus(statusCode, text);
  }
}
