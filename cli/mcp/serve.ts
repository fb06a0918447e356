/**
 * The server: JSON-RPC on standard input and output by the official SDK, of which the stdio server alone is loaded. Logs go to standard
 * error. It ends when the client leaves.
 */
import type { Readable, Writable } from 'node:stream';
// `McpServer` would put every message of a schema into an answer, and the schemas into the list as it likes: these are ours.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  InitializeRequestSchema,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type Tool as ListedTool,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { BadInput, DiskFull, Unreadable } from '../../core/errors.ts';
import { sanitizeFirstLine } from '../../core/sanitize.ts';
import { instructions, toolNeeds, toolWords } from '../../report/wording/assistant.ts';
import { inToolWords } from '../../report/wording/assistant-names.ts';
import { type ExitCode, exitCodes, type Io } from '../io.ts';
import { checkTool } from './check-tool.ts';
import { explain, history, listFindings } from './fleet-tools.ts';
import { burst, compareLayouts, limits, plan } from './sizing-tools.ts';
import type { Source } from './source.ts';
import { type Tool, type ToolContext, wrongArgument } from './tool.ts';

/** In the order in which an assistant reads them. */
const tools: readonly Tool[] = [
  explain,
  listFindings,
  plan,
  compareLayouts,
  burst,
  limits,
  history,
  checkTool,
];

const offered = (source: Source): Tool[] => tools.filter((tool) => tool.isOffered(source));

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** More values than these are no help to who reads an answer. */
const maxValues = 5;

/**
 * What any client's dialect of JSON Schema can take, in few bytes: a type is one type, and what says nothing is left out.
 * @param isAnswer it says what comes, and need not say what may not.
 */
function portable(schema: Json, isAnswer: boolean): Json {
  if (Array.isArray(schema)) return schema.map((one) => portable(one, isAnswer));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, ...rest } = Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !isNeedless(key, value, schema, isAnswer))
      .map(([key, value]) => [key, portable(value, isAnswer)]),
  );
  if (type === undefined) return rest;
  return Array.isArray(type) ? { anyOf: type.map((one) => ({ type: one })), ...rest } : { type, ...rest };
}

function isNeedless(
  key: string,
  value: Json,
  { format }: { [key: string]: Json },
  isAnswer: boolean,
): boolean {
  if (key === '$schema') return true;
  // The pattern of a time is longer than its tool's description.
  if (key === 'pattern' && typeof value === 'string') return typeof format === 'string';
  if (key === 'minimum' || key === 'maximum') return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  if (!isAnswer) return false;
  return (
    // All that is there is always there, null where it is not known.
    (key === 'required' && Array.isArray(value)) ||
    (key === 'additionalProperties' && value === false) ||
    (key === 'propertyNames' && typeof value === 'object') ||
    (key === 'enum' && Array.isArray(value) && value.length > maxValues)
  );
}

const jsonSchemaOf = (schema: z.ZodObject, io: 'input' | 'output'): ListedTool['inputSchema'] => ({
  ...(portable(z.toJSONSchema(schema, { io }) as Json, io === 'output') as object), // a schema is JSON, and an object
  type: 'object',
});

const listed = (source: Source): ListedTool[] =>
  offered(source).map((tool) => {
    const [title, description] = toolWords[tool.name];
    return {
      name: tool.name,
      ...{ title, description },
      inputSchema: jsonSchemaOf(tool.input, 'input'),
      outputSchema: jsonSchemaOf(tool.output, 'output'),
      annotations: {
        ...{ title, readOnlyHint: true, destructiveHint: false, idempotentHint: true },
        openWorldHint: tool.readsAws(source),
      },
    };
  });

/** About 10,000 tokens. */
const maxResultBytes = 40_000;
const maxErrorCharacters = 600;

const refusal = (text: string): CallToolResult => ({
  content: [{ type: 'text', text: sanitizeFirstLine(text, maxErrorCharacters) }],
  isError: true,
});

/** What went wrong is an answer, in one line; what is no fault of the question is logged, too. */
function failed(name: string, error: unknown, { io, signal }: ToolContext): CallToolResult {
  const message = inToolWords(error instanceof Error ? error.message : String(error));
  // Nobody waits for it, and nothing is sent.
  if (signal.aborted) return refusal(`${name}: cancelled`);
  if (error instanceof BadInput || error instanceof Unreadable || error instanceof DiskFull)
    return refusal(`${name}: ${message}`);
  io.err(`stripewise mcp: ${name} failed: ${sanitizeFirstLine(message, maxErrorCharacters)}`);
  return refusal(`${name}: failed: this is an error of stripewise; its log has more`);
}

function notThere(name: string, source: Source): McpError {
  const needs = tools.some((one) => one.name === name) ? toolNeeds[name as Tool['name']] : undefined; // it is the name of a tool
  const there = offered(source).map((one) => one.name);
  return new McpError(
    ErrorCode.InvalidParams,
    needs === undefined
      ? `there is no such tool: call one of ${there.join(', ')}`
      : `${name} ${needs}; without it call one of ${there.join(', ')}`,
  );
}

async function called(name: string, args: unknown, context: ToolContext): Promise<CallToolResult> {
  const { source } = context;
  const tool = offered(source).find((one) => one.name === name);
  if (tool === undefined) throw notThere(name, source);
  try {
    const { document, lines } = await tool.run(args, context);
    const result: CallToolResult = {
      content: [{ type: 'text', text: lines.join('\n') }],
      structuredContent: { ...document },
    };
    return Buffer.byteLength(JSON.stringify(result)) <= maxResultBytes
      ? result
      : refusal(`${name}: the answer is longer than 40 kB: ask a narrower question, such as a lower limit`);
  } catch (error) {
    return failed(name, error, context);
  }
}

// Messages that are none: the SDK would answer, and log, all that its schemas have to say.

const requestSchemas: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['initialize', InitializeRequestSchema],
  ['tools/list', ListToolsRequestSchema],
  ['tools/call', CallToolRequestSchema],
]);

/** What a request has that it cannot have, in one line; null: nothing. */
function wrongRequest(message: JSONRPCMessage): string | null {
  if (!isJSONRPCRequest(message)) return null;
  const parsed = requestSchemas.get(message.method)?.safeParse(message);
  return parsed === undefined || parsed.success ? null : wrongArgument(parsed.error);
}

/** In words of its own: the text of a frame is not repeated. */
function logText(error: Error): string {
  const isNoMessage = error instanceof SyntaxError || 'issues' in error;
  return isNoMessage
    ? 'a line that is no message of JSON-RPC 2.0 was left out'
    : sanitizeFirstLine(error.message.replaceAll(/\s+/g, ' '), maxErrorCharacters);
}

/** Answers such requests in the place of the server. */
class RefusingTransport extends StdioServerTransport {
  /** The server has its handler in place before it starts. */
  override async start(): Promise<void> {
    const { onmessage } = this;
    this.onmessage = (message: JSONRPCMessage): void => {
      const wrong = wrongRequest(message);
      if (wrong === null || !isJSONRPCRequest(message)) onmessage?.(message);
      else
        this.send({
          jsonrpc: '2.0',
          id: message.id,
          error: { code: ErrorCode.InvalidParams, message: wrong },
        });
    };
    await super.start();
  }
}

export interface Streams {
  stdin: Readable;
  stdout: Writable;
}

/** A call is never so long: more without an end of line is no message. */
const maxFrameBytes = 1_048_576;
/** What was asked before the client left is answered, if it takes no longer. */
const graceMs = 500;

/** Serves until the client leaves. @returns how it ended. */
export async function serve(
  source: Source,
  io: Io,
  { stdin, stdout }: Streams,
  version: string,
): Promise<ExitCode> {
  const log = (error: Error): void => io.err(`stripewise mcp: ${logText(error)}`);
  // Nothing may reach standard output but what the SDK writes there.
  const quiet: Io = { ...io, out: io.err, errIsTerminal: false, color: false, columns: null, ask: null };
  const server = new Server({ name: 'stripewise', version }, { capabilities: { tools: {} }, instructions });
  const inFlight = new Set<Promise<unknown>>();
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed(source) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const call = called(params.name, params.arguments, { source, io: quiet, signal });
    inFlight.add(call);
    try {
      return await call;
    } finally {
      inFlight.delete(call);
    }
  });
  server.onerror = log;
  const transport = new RefusingTransport(stdin, stdout, { maxBufferSize: maxFrameBytes });
  const ended = new Promise<ExitCode>((resolve) => {
    const left = async (): Promise<void> => {
      const grace = new Promise((done) => setTimeout(done, graceMs).unref());
      // The frames before the end were read, but their calls may not have begun.
      await new Promise((done) => setImmediate(done));
      await Promise.race([Promise.allSettled(inFlight), grace]);
      await new Promise((done) => setImmediate(done));
      resolve(exitCodes.done);
    };
    stdin.once('end', left);
    stdin.once('close', left);
    // Its reader went away.
    stdout.once('error', () => resolve(exitCodes.done));
    stdout.once('close', () => resolve(exitCodes.done));
    server.onclose = () => resolve(exitCodes.failed);
  });
  await server.connect(transport);
  const code = await ended;
  server.onclose = () => {};
  await server.close();
  return code;
}
