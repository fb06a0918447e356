/** Commands and their replies, one after the other: the next is sent when the one before it was answered. */
import { randomInt } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { z } from 'zod';
import { HostGone, type LineSocket, openLines } from './line-socket.ts';

const replySchema = z.union([
  z.object({ return: z.unknown() }),
  z.object({ error: z.object({ class: z.string(), desc: z.string() }) }),
]);

/** Far longer than a guest that listens takes to answer. */
const answerMs = 10_000;

/** QEMU or its agent refused. */
class Refused extends Error {
  override readonly name = 'Refused';
}

interface Waiting {
  send: () => void;
  settle: (reply: z.infer<typeof replySchema>) => void;
  fail: (error: Error) => void;
}

export class Requests {
  private readonly lines: LineSocket;
  private readonly waiting: Waiting[] = [];
  private gone: HostGone | null = null;
  /** Takes replies while nothing else is asked. */
  private greeted: ((returned: unknown) => void) | null = null;

  private constructor(lines: LineSocket) {
    this.lines = lines;
    lines.onClosed = () => this.lost('it closed the connection');
  }

  /** @param onOther what is no reply: greetings and events. */
  static async open(
    path: string,
    timeoutMs: number,
    onOther: (value: unknown) => void = () => {},
  ): Promise<Requests> {
    let requests: Requests | null = null;
    const lines = await openLines(path, timeoutMs, (value) => {
      const reply = replySchema.safeParse(value);
      if (!reply.success) onOther(value);
      else if (requests?.greeted) requests.greeted('return' in reply.data ? reply.data.return : null);
      else requests?.answered(reply.data);
    });
    requests = new Requests(lines);
    return requests;
  }

  private answered(reply: z.infer<typeof replySchema>): void {
    const asked = this.waiting.shift();
    this.waiting[0]?.send();
    asked?.settle(reply);
  }

  private lost(why: string): void {
    this.gone ??= new HostGone(`the guest is gone: ${why}`);
    for (const { fail } of this.waiting.splice(0)) fail(this.gone);
  }

  /**
   * Says hello until the other side, which may start later than we do, says the same, and then waits for its answers to every
   * other hello, and to what somebody asked before us: one that came later would be taken for the answer to something else.
   * @throws HostGone where nothing is heard in time.
   */
  async greet(hello: (id: number) => Buffer, timeoutMs: number): Promise<void> {
    const first = randomInt(2 ** 30);
    let last = first - 1;
    let isHeard = false;
    const all = Promise.withResolvers<boolean>();
    this.greeted = (id) => {
      isHeard ||= typeof id === 'number' && id >= first && id <= last;
      if (id === last) all.resolve(true);
    };
    const until = Date.now() + timeoutMs;
    let saidAt = 0;
    while (this.gone === null && Date.now() < until) {
      // Once it is heard, again only where an answer may have been lost.
      if (!isHeard || Date.now() - saidAt > answerMs) {
        last += 1;
        saidAt = Date.now();
        this.lines.write(hello(last));
      }
      if (await Promise.race([all.promise, after(250, false)])) {
        this.greeted = null;
        return;
      }
    }
    this.gone ??= new HostGone(`the guest is gone: it said nothing in ${timeoutMs / 1000} s`, {
      isSilent: true,
    });
    this.close();
    throw this.gone;
  }

  /** @throws Refused, or HostGone where no reply comes in time: later replies would be taken for those of others. */
  ask(execute: string, args: object = {}, timeoutMs = 30_000): Promise<unknown> {
    if (this.gone !== null) return Promise.reject(this.gone);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    let timer: NodeJS.Timeout | undefined;
    this.waiting.push({
      send: () => {
        timer = setTimeout(() => this.close(`no reply to ${execute} within ${timeoutMs} ms`), timeoutMs);
        this.lines.write(`${JSON.stringify({ execute, arguments: args })}\n`);
      },
      settle: (reply) => {
        clearTimeout(timer);
        if ('return' in reply) resolve(reply.return);
        else reject(new Refused(`${execute}: ${reply.error.desc}`));
      },
      fail: (error) => {
        clearTimeout(timer);
        reject(error);
      },
    });
    if (this.waiting.length === 1) this.waiting[0]?.send();
    return promise;
  }

  get isGone(): boolean {
    return this.gone !== null;
  }

  close(why = 'it was let go'): void {
    this.lost(why);
    this.lines.close();
  }
}
