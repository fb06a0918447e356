/** Commands and their replies, one after the other: both protocols answer in the order they were asked. */
import { z } from 'zod';
import { HostGone, type LineSocket, openLines } from './line-socket.ts';

const replySchema = z.union([
  z.object({ return: z.unknown() }),
  z.object({ error: z.object({ class: z.string(), desc: z.string() }) }),
]);

/** QEMU or its agent refused. */
class Refused extends Error {
  override readonly name = 'Refused';
}

interface Waiting {
  settle: (reply: z.infer<typeof replySchema>) => void;
  fail: (error: Error) => void;
}

export class Requests {
  private readonly lines: LineSocket;
  private readonly waiting: Waiting[] = [];
  private gone: HostGone | null = null;

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
      if (reply.success) requests?.waiting.shift()?.settle(reply.data);
      else onOther(value);
    });
    requests = new Requests(lines);
    return requests;
  }

  private lost(why: string): void {
    this.gone = new HostGone(`the guest is gone: ${why}`);
    for (const { fail } of this.waiting.splice(0)) fail(this.gone);
  }

  /** @throws Refused, or HostGone where no reply comes in time: later replies would be taken for those of others. */
  ask(execute: string, args: object = {}, timeoutMs = 30_000): Promise<unknown> {
    if (this.gone !== null) return Promise.reject(this.gone);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => {
      this.close(`no reply to ${execute} within ${timeoutMs} ms`);
    }, timeoutMs);
    this.waiting.push({
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
    this.lines.write(`${JSON.stringify({ execute, arguments: args })}\n`);
    return promise;
  }

  close(why = 'it was let go'): void {
    this.lost(why);
    this.lines.close();
  }
}
