/** Lists that come in pages: smaller pages than asked for, one that never comes, one that comes again. */
import type { AwsCall, Protocol } from './aws-call.ts';

export interface AskedPage {
  url: URL;
  body: Buffer;
}

interface PageWords {
  /** The parameter that limits a page, and the least that the service takes; none where a page's size is fixed. */
  size?: readonly [name: string, least: number];
  /** The parameter that asks for the next page. */
  token: string;
  /** What names the next page in a reply. */
  next: string;
}

/** By operation: those of which there is more than one page in a small fleet, or a page can be made smaller. */
const pagesOf: Readonly<Record<string, PageWords>> = {
  DescribeVolumes: { size: ['MaxResults', 5], token: 'NextToken', next: 'nextToken' },
  DescribeInstances: { size: ['MaxResults', 5], token: 'NextToken', next: 'nextToken' },
  ListMetrics: { token: 'NextToken', next: 'NextToken' },
  GetMetricData: { size: ['MaxDatapoints', 10_000], token: 'NextToken', next: 'NextToken' },
  GetProducts: { token: 'NextToken', next: 'NextToken' },
  DescribeInstanceInformation: { size: ['MaxResults', 5], token: 'NextToken', next: 'NextToken' },
  ListCommandInvocations: { size: ['MaxResults', 1], token: 'NextToken', next: 'NextToken' },
  ListAccounts: { size: ['MaxResults', 1], token: 'NextToken', next: 'NextToken' },
  ListAccountsForParent: { size: ['MaxResults', 1], token: 'NextToken', next: 'NextToken' },
  ListOrganizationalUnitsForParent: { size: ['MaxResults', 1], token: 'NextToken', next: 'NextToken' },
  ListRegions: { size: ['MaxResults', 1], token: 'NextToken', next: 'NextToken' },
  ListBucket: { size: ['max-keys', 1], token: 'continuation-token', next: 'NextContinuationToken' },
};

const isJson = (protocol: Protocol): boolean => protocol === 'json' || protocol === 'rest-json';

const wordsOf = ({ operation }: AwsCall): PageWords => {
  const words = pagesOf[operation];
  if (words === undefined) throw new Error(`${operation} has no pages that the gateway knows`);
  return words;
};

/** The request with parameters set (or taken out, where null). */
function withParameters(
  { url, body }: AskedPage,
  protocol: Protocol,
  parameters: Record<string, string | number | null>,
): AskedPage {
  if (isJson(protocol)) {
    const asked = JSON.parse(body.toString('utf8')) as Record<string, unknown>;
    return { url, body: Buffer.from(JSON.stringify({ ...asked, ...parameters })) };
  }
  const target = new URL(url);
  const list = protocol === 'query' ? new URLSearchParams(body.toString('utf8')) : target.searchParams;
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null) list.delete(name);
    else list.set(name, `${value}`);
  }
  return { url: target, body: protocol === 'query' ? Buffer.from(list.toString()) : body };
}

/** The same request for pages as small as the service makes them. */
export function smallPage(asked: AskedPage, call: AwsCall, protocol: Protocol): AskedPage {
  const { size } = wordsOf(call);
  return size === undefined ? asked : withParameters(asked, protocol, { [size[0]]: size[1] });
}

export const askedToken = ({ url, body }: AskedPage, call: AwsCall, protocol: Protocol): string | null => {
  const { token } = wordsOf(call);
  if (isJson(protocol)) {
    return ((JSON.parse(body.toString('utf8')) as Record<string, string>)[token] ?? null) as string | null;
  }
  return (protocol === 'query' ? new URLSearchParams(body.toString('utf8')) : url.searchParams).get(token);
};

export const withToken = (asked: AskedPage, call: AwsCall, protocol: Protocol, token: string): AskedPage =>
  withParameters(asked, protocol, { [wordsOf(call).token]: token });

const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>' })[name] ?? '"');

/** The token of the page after this one; null where it is the last. */
export function nextToken(reply: string, call: AwsCall, protocol: Protocol): string | null {
  const { next } = wordsOf(call);
  if (isJson(protocol)) return ((JSON.parse(reply) as Record<string, string>)[next] ?? null) as string | null;
  const found = new RegExp(`<${next}>([^<]+)</${next}>`).exec(reply)?.[1];
  return found === undefined ? null : unescaped(found);
}

/** The page as it was, with another page after it, or none. */
export function withNextToken(
  reply: string,
  call: AwsCall,
  protocol: Protocol,
  token: string | null,
): string {
  const { next } = wordsOf(call);
  if (isJson(protocol)) {
    const { [next]: _, ...rest } = JSON.parse(reply) as Record<string, unknown>;
    return JSON.stringify(token === null ? rest : { ...rest, [next]: token });
  }
  const escaped = token?.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const text = reply.replace(
    new RegExp(`<${next}>[^<]*</${next}>`),
    escaped === undefined ? '' : `<${next}>${escaped}</${next}>`,
  );
  // S3 says it twice.
  return token === null ? text.replace('<IsTruncated>true<', '<IsTruncated>false<') : text;
}
