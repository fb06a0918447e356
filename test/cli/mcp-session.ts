/** A session of the SDK's own client with the server of `stripewise mcp`, in this process. */
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ExitCode } from '../../cli/io.ts';
import type { McpOptions } from '../../cli/mcp/options.ts';
import { serve } from '../../cli/mcp/serve.ts';
import { Source } from '../../cli/mcp/source.ts';
import { collectingIo } from './run-cli.ts';

/** Both ends of the server's streams, without a client. */
export function startServer(options: Partial<McpOptions> = {}) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const log: string[] = [];
  const printed: string[] = [];
  const io = collectingIo(printed, log);
  const source = new Source({ maxUsd: 1, ...options }, io);
  const ended: Promise<ExitCode> = serve(source, io, { stdin, stdout }, '0.1.0');
  return { stdin, stdout, log, printed, ended };
}

class StreamTransport implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  private readonly buffer = new ReadBuffer();
  private readonly toServer: PassThrough;
  private readonly fromServer: PassThrough;

  constructor(toServer: PassThrough, fromServer: PassThrough) {
    this.toServer = toServer;
    this.fromServer = fromServer;
  }

  async start(): Promise<void> {
    this.fromServer.on('data', (chunk: Buffer) => {
      this.buffer.append(chunk);
      for (let one = this.buffer.readMessage(); one !== null; one = this.buffer.readMessage())
        this.onmessage?.(one);
    });
  }

  async send(message: Parameters<Transport['send']>[0]): Promise<void> {
    this.toServer.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.toServer.end();
    this.onclose?.();
  }
}

/** The client checks structured content against the schemas that the server lists. */
export async function session(options: Partial<McpOptions> = {}) {
  const server = startServer(options);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamTransport(server.stdin, server.stdout));
  const { tools } = await client.listTools();
  // Without tasks this is what a call answers.
  const call = async (name: string, args: object = {}): Promise<CallToolResult> =>
    (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;
  const textOf = ({ content: [first] }: CallToolResult): string => (first?.type === 'text' ? first.text : '');
  return {
    ...{ ...server, client, tools, call },
    text: async (name: string, args?: object): Promise<string> => textOf(await call(name, args)),
    textOf,
    /** @returns how the server ended. */
    leave: async (): Promise<ExitCode> => {
      await client.close();
      return server.ended;
    },
  };
}
