/** Pages of a list, with NextTokens that are bound to the request they were given for. */
import { createHash } from 'node:crypto';
import { ServiceError } from '../service-error.ts';

interface Asked {
  MaxResults: number;
  NextToken?: string | undefined;
}

export interface Page<T> {
  items: T[];
  /** Undefined on the last page. */
  next: string | undefined;
}

export function pageOf<T>(all: readonly T[], { NextToken, ...request }: Asked): Page<T> {
  const of = createHash('sha256').update(JSON.stringify(request)).digest('base64url').slice(0, 22);
  const tokenAt = (from: number): string => Buffer.from(`${of} ${from}`).toString('base64url');
  // A token is right where it is one that this list would have given.
  const from =
    NextToken === undefined ? 0 : all.findIndex((_, index) => index > 0 && tokenAt(index) === NextToken);
  if (from < 0) throw new ServiceError('InvalidNextToken', 'The specified token is not valid.');
  const end = from + request.MaxResults;
  return { items: all.slice(from, end), next: end < all.length ? tokenAt(end) : undefined };
}
