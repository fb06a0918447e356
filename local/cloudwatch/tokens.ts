/** NextTokens: where to go on, bound to the request that they were given for. */
import { createHash } from 'node:crypto';
import { invalidNextToken } from './errors.ts';

/** A fingerprint of a request without its token: the same for all of its pages. */
export function fingerprint(request: object): string {
  const { NextToken: _, ...rest } = request as { NextToken?: unknown };
  return createHash('sha256').update(JSON.stringify(rest)).digest('base64url').slice(0, 22);
}

export const writeToken = (requestFingerprint: string, numbers: readonly number[]): string =>
  Buffer.from([requestFingerprint, ...numbers].join(' ')).toString('base64url');

/** The numbers of a token, all of them finite; throws InvalidNextToken where it is of another request or made up. */
export function readToken(token: string, requestFingerprint: string, count: number): number[] {
  const [ofRequest, ...texts] = Buffer.from(token, 'base64url').toString('utf8').split(' ');
  const numbers = texts.map(Number);
  const whole = numbers.length === count && numbers.every((value) => Number.isFinite(value) && value >= 0);
  if (ofRequest !== requestFingerprint || !whole) throw invalidNextToken();
  return numbers;
}
