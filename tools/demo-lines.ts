/** What a demo says: each step with the time since the start, and where a step says nothing for two seconds, how far it is. */

/** In a few words. */
type HowFar = () => string | Promise<string>;

const lookMs = 200;
const quietMs = 2_000 - lookMs;

export class DemoLines {
  private readonly begunMs = performance.now();
  private saidMs = performance.now();

  say(line: string): void {
    console.log(line);
    this.saidMs = performance.now();
  }

  step(line: string): void {
    const seconds = ((performance.now() - this.begunMs) / 1_000).toFixed(0).padStart(3);
    this.say(`[${seconds} s] ${line}`);
  }

  /** A step of its own only where nothing was said for a while. */
  stepIfQuiet(line: string): void {
    if (performance.now() - this.saidMs >= quietMs) this.step(`  ... ${line}`);
  }

  /** @param howFar asked while the work takes long and says nothing. */
  async during<T>(howFar: HowFar, work: Promise<T>): Promise<T> {
    let isAsking = false;
    const looking = setInterval(async () => {
      if (isAsking || performance.now() - this.saidMs < quietMs) return;
      isAsking = true;
      // A server that is being stopped does not answer.
      const line = await (async () => howFar())().catch(() => 'it goes on');
      // It may be over by now.
      if (isAsking) this.stepIfQuiet(line);
      isAsking = false;
    }, lookMs);
    try {
      return await work;
    } finally {
      clearInterval(looking);
      isAsking = false;
    }
  }
}
