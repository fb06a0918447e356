/** QEMU's guest agent: commands and files in the guest. Source: QEMU guest agent protocol reference, read 2026-11-22. */
import { setTimeout as after } from 'node:timers/promises';
import { z } from 'zod';
import { Requests } from './requests.ts';

/** What a command left. Output beyond 16 MiB is cut by the agent. */
export interface Ended {
  /** Null where a signal ended it. */
  exitCode: number | null;
  signal: number | null;
  /** It was ended because its time was over. */
  hasTimedOut: boolean;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  environment?: Readonly<Record<string, string>>;
  /** @default 60_000 */
  timeoutMs?: number;
  /** Ends it, and what it started in its process group, by SIGKILL. */
  signal?: AbortSignal;
}

const started = z.object({ pid: z.int() });
const status = z.object({
  exited: z.boolean(),
  exitcode: z.int().optional(),
  signal: z.int().optional(),
  'out-data': z.string().default(''),
  'err-data': z.string().default(''),
});
const opened = z.int();
const readPart = z.object({ count: z.int(), 'buf-b64': z.string(), eof: z.boolean() });

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');
const asText = (encoded: string): string => Buffer.from(encoded, 'base64').toString('utf8');
const partBytes = 1024 * 1024;

/** The agent forgets what came before 0xFF: half of something that another one sent. */
const hello = (id: number): Buffer =>
  Buffer.concat([
    Buffer.from([0xff]),
    Buffer.from(`${JSON.stringify({ execute: 'guest-sync-delimited', arguments: { id } })}\n`),
  ]);

export class GuestAgent {
  private readonly requests: Requests;

  private constructor(requests: Requests) {
    this.requests = requests;
  }

  /** @throws HostGone where no agent answers in time. */
  static async connect(socketPath: string, timeoutMs: number): Promise<GuestAgent> {
    const requests = await Requests.open(socketPath, timeoutMs);
    await requests.greet(hello, timeoutMs);
    return new GuestAgent(requests);
  }

  /** Starts a program, which leads a process group of its own; what it prints is read by `ended`. */
  private async start(
    program: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
  ) {
    const env = Object.entries({ PATH: path, HOME: '/root', ...environment }).map(
      ([name, value]) => `${name}=${value}`,
    );
    const reply = await this.requests.ask('guest-exec', {
      // The agent starts it in its own group; as it leads none there, it stays the process that is reported.
      ...{ path: '/usr/bin/setsid', arg: [program, ...args], env },
      'capture-output': true,
    });
    return started.parse(reply).pid;
  }

  /** @throws HostGone where the guest goes while it runs. */
  async run(program: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    const { environment = {}, timeoutMs = 60_000, signal } = options;
    const pid = await this.start(program, args, environment);
    const until = Date.now() + timeoutMs;
    let isKilled = false;
    let hasTimedOut = false;
    for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.5, 250)) {
      const now = status.parse(await this.requests.ask('guest-exec-status', { pid }));
      if (now.exited)
        return {
          exitCode: now.exitcode ?? null,
          signal: now.signal ?? null,
          hasTimedOut,
          stdout: asText(now['out-data']),
          stderr: asText(now['err-data']),
        };
      if (!isKilled && (signal?.aborted === true || Date.now() > until)) {
        isKilled = true;
        hasTimedOut = signal?.aborted !== true;
        await this.start('/bin/kill', ['-KILL', '--', `-${pid}`], {});
      }
      await after(pauseMs);
    }
  }

  /** A line of shell. Not for anything that comes from elsewhere. */
  shell(script: string, options: RunOptions = {}): Promise<Ended> {
    return this.run('/bin/sh', ['-c', script], options);
  }

  async writeFile(file: string, content: string | Buffer): Promise<void> {
    const handle = opened.parse(await this.requests.ask('guest-file-open', { path: file, mode: 'w' }));
    const bytes = Buffer.from(content);
    for (let from = 0; from < bytes.length; from += partBytes)
      await this.requests.ask('guest-file-write', {
        handle,
        'buf-b64': base64(bytes.subarray(from, from + partBytes)),
      });
    await this.requests.ask('guest-file-close', { handle });
  }

  /** @throws Refused where there is none. */
  async readFile(file: string): Promise<Buffer> {
    const handle = opened.parse(await this.requests.ask('guest-file-open', { path: file, mode: 'r' }));
    const parts: Buffer[] = [];
    for (;;) {
      const part = readPart.parse(await this.requests.ask('guest-file-read', { handle, count: partBytes }));
      parts.push(Buffer.from(part['buf-b64'], 'base64'));
      if (part.eof || part.count === 0) break;
    }
    await this.requests.ask('guest-file-close', { handle });
    return Buffer.concat(parts);
  }

  /** From then on it answers nothing. */
  get isGone(): boolean {
    return this.requests.isGone;
  }

  close(): void {
    this.requests.close();
  }
}
