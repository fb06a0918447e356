/** What a status of HTTP means to who posts. */
import { Throttled, Unavailable, Undeliverable } from '../core/errors.ts';

const tooManyRequests = 429;
const requestTimeout = 408;
const serverErrors = 500;

/** @returns Throttled, Unavailable (send again later), Undeliverable (this message or this address is refused). */
export function failureOfStatus(status: number, text: string): Throttled | Unavailable | Undeliverable {
  if (status === tooManyRequests) return new Throttled(text);
  const isPassing = status >= serverErrors || status === requestTimeout;
  return isPassing ? new Unavailable(text) : new Undeliverable(text);
}
