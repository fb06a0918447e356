/** What the local servers share: a listening socket that can be stopped at once, and bodies read whole. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RunningServer {
  url: string;
  port: number;
  stop(): Promise<void>;
}

export interface Reply {
  status: number;
  body: string;
  contentType?: string;
  headers?: Record<string, string>;
}

export const jsonReply = (value: unknown, status = 200): Reply => ({ status, body: JSON.stringify(value) });

/** A refusal of one of the routes that steer a local server: what, why, what would be right. */
export class BadRequest extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** More than any client sends, and less than Node can hold in one string. */
const maxBodyBytes = 300 * 1024 * 1024;

export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) {
      throw new BadRequest(`the body is over ${maxBodyBytes} bytes; send it in several requests`, 413);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export const readText = async (request: IncomingMessage): Promise<string> =>
  (await readBytes(request)).toString('utf8');

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BadRequest(`the body is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function send(response: ServerResponse, { status, body, contentType, headers }: Reply): void {
  if (response.destroyed) return;
  const bytes = Buffer.from(body);
  response.writeHead(status, {
    'content-type': contentType ?? 'application/json',
    'content-length': bytes.length,
    ...headers,
  });
  response.end(bytes);
}

const failure = (error: unknown): Reply =>
  error instanceof BadRequest
    ? jsonReply({ error: error.message }, error.status)
    : jsonReply({ error: error instanceof Error ? error.message : String(error) }, 500);

/** Port 0 takes a free one; only this machine can connect. */
export async function listen(
  port: number,
  handle: (request: IncomingMessage) => Promise<Reply>,
): Promise<RunningServer> {
  const server = createServer((request, response) => {
    handle(request)
      .catch(failure)
      .then((reply) => send(response, reply));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const actual = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${actual}`,
    port: actual,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
