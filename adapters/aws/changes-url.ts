/** Asks the deployed changes, by the address of their function, as whoever is signed in. */
import { STSClient } from '@aws-sdk/client-sts';
import { SignatureV4 } from '@smithy/signature-v4';
import { AccessDenied, BadInput, Throttled, Unavailable, Unreadable } from '../../core/errors.ts';
import { sanitizeFirstLine } from '../../core/sanitize.ts';
import {
  type ChangesAnswerTo,
  type ChangesRequest,
  changesAnswerSchemas,
} from '../../core/schemas/changes-answers.ts';
import { reading, unreadable } from './failure.ts';
import type { Session } from './session.ts';
import { stackOutputs } from './stack-outputs.ts';

const urlOutput = 'ChangesUrl';
/** Longer than the function may run. */
const timeoutMs = 60_000;
const maxCharacters = 200;

/** @throws BadInput where changes are not turned on in that stack. */
export async function changesUrl(session: Session, stack: string): Promise<string> {
  const url = (await stackOutputs(session, stack)).get(urlOutput);
  if (url !== undefined) return url;
  throw new BadInput(
    `changes are not turned on in the stack ${stack} in ${session.region}: put a section changes into the configuration and deploy again (docs/guides/changes.md)`,
  );
}

async function signed(session: Session, address: URL, body: string): Promise<Record<string, string>> {
  const { credentials, sha256, region } = new STSClient(session).config;
  const signer = new SignatureV4({ credentials, region, sha256, service: 'lambda' });
  const { headers } = await signer.sign({
    ...{ method: 'POST', protocol: address.protocol, hostname: address.hostname, path: address.pathname },
    headers: { host: address.host, 'content-type': 'application/json' },
    body,
  });
  return headers;
}

/** The command that asks so. */
const askedBy = (request: ChangesRequest): string => (request.do === 'propose' ? 'request' : request.do);

const readingOnly: readonly ChangesRequest['do'][] = ['list', 'show'];

/** What failed on its way may have been done. */
function perhapsDone(request: ChangesRequest): string {
  if (readingOnly.includes(request.do)) return '';
  const look = 'id' in request ? `changes show ${request.id}` : 'changes list';
  return `; whether it was done is not known, \`${look}\` says it`;
}

/** What Lambda says where it lets nobody in ({"Message":"Forbidden"}), or the function where it failed. */
function saidIn(body: string): string {
  try {
    const { Message, message, error } = JSON.parse(body) as Record<string, unknown>;
    return sanitizeFirstLine(String(Message ?? message ?? error ?? body), maxCharacters);
  } catch {
    return sanitizeFirstLine(body, maxCharacters);
  }
}

function failureOf(status: number, body: string, request: ChangesRequest): Unreadable {
  const said = `changes ${askedBy(request)}: the function answered ${status}: ${saidIn(body)}`;
  if (status === 401 || status === 403)
    return new AccessDenied(`${said}; sign in as a role of changes.approvers.roles, or add yours there`);
  if (status === 429) return new Throttled(`${said}; try again in a minute`);
  return status >= 500 ? new Unavailable(`${said}${perhapsDone(request)}`) : new Unreadable(said);
}

/** @throws AccessDenied, Throttled, Unavailable, Unreadable */
export async function callChanges<Asked extends ChangesRequest>(
  session: Session,
  url: string,
  request: Asked,
): Promise<ChangesAnswerTo<Asked>> {
  const body = JSON.stringify(request);
  const address = new URL(url);
  const { host: _, ...headers } = await reading('the credentials', () => signed(session, address, body));
  let status: number;
  let text: string;
  try {
    const answer = await fetch(address, {
      ...{ method: 'POST', headers, body, redirect: 'error' },
      signal: AbortSignal.timeout(timeoutMs),
    });
    status = answer.status;
    text = await answer.text();
  } catch (error) {
    throw new Unavailable(
      `changes ${askedBy(request)}: the function could not be reached (${(error as Error).name})${perhapsDone(request)}`,
      { cause: error },
    );
  }
  if (status !== 200) throw failureOf(status, text, request);
  try {
    return changesAnswerSchemas[request.do].parse(JSON.parse(text)) as ChangesAnswerTo<Asked>;
  } catch (error) {
    const { message } = unreadable(`the answer to changes ${askedBy(request)}`, error);
    throw new Unreadable(`${message}${perhapsDone(request)}`, { cause: error });
  }
}
