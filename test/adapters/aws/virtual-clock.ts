/** A clock that stands still while anything is under way, and jumps to the next one who waits when nothing is. */
import { setTimeout as wait } from 'node:timers/promises';
import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import type { PaceClock } from '../../../adapters/aws/points-pace.ts';

/** Real milliseconds without a call that show that all who can go on are waiting. */
const quietMs = 4;

export class VirtualClock implements PaceClock {
  private ms = 0;
  private underWay = 0;
  private quietSince = 0;
  private isOver = false;
  private readonly waiting: { untilMs: number; go: () => void }[] = [];

  nowMs = (): number => this.ms;

  wait = (ms: number): Promise<void> =>
    new Promise((go) => {
      this.quietSince = performance.now();
      this.waiting.push({ untilMs: this.ms + ms, go });
      this.waiting.sort((a, b) => a.untilMs - b.untilMs);
    });

  /** Counts the calls of a client that are under way. */
  watch(client: CloudWatchClient): void {
    client.middlewareStack.add(
      (next) => async (args) => {
        this.underWay++;
        try {
          return await next(args);
        } finally {
          this.underWay--;
          this.quietSince = performance.now();
        }
      },
      { step: 'deserialize', name: 'virtualClock', priority: 'high' },
    );
  }

  /** Until the work is done. */
  async run<T>(work: Promise<T>): Promise<T> {
    const done = work.finally(() => {
      this.isOver = true;
    });
    while (!this.isOver) {
      await wait(1);
      if (this.underWay > 0 || performance.now() - this.quietSince < quietMs) continue;
      const next = this.waiting.shift();
      if (next === undefined) continue;
      this.ms = Math.max(this.ms, next.untilMs);
      next.go();
    }
    return done;
  }
}
