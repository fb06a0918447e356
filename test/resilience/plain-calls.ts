/** Calls of services that the project has no client of. The emulator verifies no signature; it goes by the scope. */
import { z } from 'zod';
import { localAccount, localRegion, type Services } from '../../local/services.ts';

interface PlainCall {
  service: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
  /** @default GET, or POST where there is a body */
  method?: string;
}

export async function plainCall(
  { urls }: Services,
  { service, path = '/', headers = {}, body, method = body === undefined ? 'GET' : 'POST' }: PlainCall,
): Promise<string> {
  const scope = `${localAccount}/20260101/${localRegion}/${service}/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=none`;
  const sent = body === undefined ? {} : { body };
  const reply = await fetch(`${urls.aws}${path}`, {
    method,
    headers: { ...headers, authorization },
    ...sent,
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${service} answered ${reply.status}: ${text}`);
  return text;
}

export const json = (
  services: Services,
  service: string,
  version: string,
  target: string,
  input: object = {},
): Promise<string> =>
  plainCall(services, {
    service,
    headers: { 'content-type': `application/x-amz-json-${version}`, 'x-amz-target': target },
    body: JSON.stringify(input),
  });

export async function listedSchedules(services: Services): Promise<{ Name: string; GroupName: string }[]> {
  const listed = z.object({ Schedules: z.array(z.object({ Name: z.string(), GroupName: z.string() })) });
  const text = await plainCall(services, { service: 'scheduler', path: '/schedules' });
  return listed.parse(JSON.parse(text)).Schedules;
}

/** They are gone: what they call is called by nobody else than the test. */
export async function stopSchedules(services: Services): Promise<void> {
  for (const { Name, GroupName } of await listedSchedules(services)) {
    const path = `/schedules/${Name}?groupName=${GroupName}`;
    await plainCall(services, { service: 'scheduler', path, method: 'DELETE' });
  }
}

/** What was logged since then, oldest first. */
export async function logLines(
  services: Services,
  logGroupName: string,
  sinceEpochMs: number,
): Promise<string[]> {
  const input = { logGroupName, startTime: sinceEpochMs };
  const text = await json(services, 'logs', '1.1', 'Logs_20140328.FilterLogEvents', input);
  const found = z.object({ events: z.array(z.object({ message: z.string() })) }).parse(JSON.parse(text));
  return found.events.map(({ message }) => message);
}
