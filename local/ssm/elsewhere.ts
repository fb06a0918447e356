/** Parameters and documents of Systems Manager: MiniStack has them, so their calls go on to it as they came. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from '../http.ts';

export type AskElsewhere = (headers: IncomingHttpHeaders, body: string) => Promise<Reply>;

export const isElsewhere = (operation: string): boolean => /Parameter|Document/.test(operation);

const passedOn = ['content-type', 'x-amz-target', 'authorization', 'x-amz-date', 'x-amz-security-token'];

/** @param url of MiniStack. */
export const askMiniStack =
  (url: string): AskElsewhere =>
  async (headers, body) => {
    const kept = passedOn.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const reply = await fetch(url, { method: 'POST', headers: Object.fromEntries(kept), body });
    return {
      status: reply.status,
      body: await reply.text(),
      contentType: reply.headers.get('content-type') ?? 'application/x-amz-json-1.1',
    };
  };
