/**
 * Links to reports: each names one report and the second until which it holds, and is signed with a key of the stack.
 * All of it stands in the path, so that nothing can be said twice and nothing needs escaping where a link is written.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface LinkTarget {
  kind: 'runs' | 'campaigns';
  /** Of a run or a campaign: the name of its execution. */
  id: string;
  untilEpochSeconds: number;
}

/** What a path says, before anybody knows whether it may. */
export interface SignedTarget extends LinkTarget {
  signature: string;
}

/** It begins with a letter or digit and has no slash: no id leads out of its folder. */
const id = '[A-Za-z0-9][A-Za-z0-9._-]{0,79}';
/** SHA-256 in base64url is 43 characters; of seconds since 1970 there are ten until the year 2286. */
const pathPattern = new RegExp(`^/(runs|campaigns)/(${id})/([1-9][0-9]{9})/([A-Za-z0-9_-]{43})$`);

/** The only objects that a link can ever ask for. */
export const reportPageKey = ({ kind, id }: Pick<LinkTarget, 'kind' | 'id'>): string =>
  `${kind}/${id}/report.html`;

/** HMAC-SHA256 (RFC 2104) of version, kind, id and time, in base64url. None of them can hold a line break. */
const signatureOf = ({ kind, id, untilEpochSeconds }: LinkTarget, key: string): string =>
  createHmac('sha256', key)
    .update(['stripewise report link 1', kind, id, untilEpochSeconds].join('\n'))
    .digest('base64url');

/** To the report, or within it to what it says of a finding. */
export type LinkOf = (findingId: string | null) => string;

/**
 * @param baseUrl of the endpoint, with a slash at its end.
 * @returns null for an id that no link can name, such as the name of an execution with a space in it.
 */
export function linksTo(baseUrl: string, target: LinkTarget, key: string): LinkOf | null {
  const { kind, id, untilEpochSeconds } = target;
  const path = `${kind}/${id}/${untilEpochSeconds}/${signatureOf(target, key)}`;
  if (!pathPattern.test(`/${path}`)) return null;
  // A browser keeps what is behind # when it is sent on, and sends it to nobody.
  return (findingId) =>
    `${baseUrl}${path}${findingId === null ? '' : `#finding-${encodeURIComponent(findingId)}`}`;
}

/** Null where the path is none of a link: that is seen without a key. */
export function signedTarget(path: string): SignedTarget | null {
  const [, kind, id = '', until, signature = ''] = pathPattern.exec(path) ?? [];
  if (kind !== 'runs' && kind !== 'campaigns') return null;
  return { kind, id, untilEpochSeconds: Number(until), signature };
}

export type Status = 'good' | 'forged' | 'expired';

/** Signatures are compared as they are written: two texts of the same bytes would be two links. */
export function evaluationOn(target: SignedTarget, key: string, nowEpochSeconds: number): Status {
  const [given, right] = [target.signature, signatureOf(target, key)].map((text) => Buffer.from(text));
  if (given === undefined || right === undefined || given.length !== right.length) return 'forged';
  if (!timingSafeEqual(given, right)) return 'forged';
  return nowEpochSeconds < target.untilEpochSeconds ? 'good' : 'expired';
}
