/** Ticks that overlap, are slow, fail or die, at random: never do two of them work at once, and none is locked out for long. */
import fc from 'fast-check';
import { Unavailable } from '../../../core/errors.ts';
import { pace } from '../../../core/monitoring/pace.ts';
import { oneAtATime, type TickLease } from '../../../lambdas/watch-volumes/one-at-a-time.ts';

/** Simulated seconds: the next who waits goes on when all others wait too. */
class Time {
  now = 0;
  private readonly waiting: { at: number; go: () => void }[] = [];

  wait(seconds: number): Promise<void> {
    return new Promise((go) => {
      this.waiting.push({ at: this.now + seconds, go });
    });
  }

  async run(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      this.waiting.sort((a, b) => a.at - b.at);
      const next = this.waiting.shift();
      if (next === undefined) return;
      this.now = next.at;
      next.go();
    }
  }
}

/** The row of the table, by the rules of its conditions; a request takes effect somewhere between its call and its reply. */
class Row {
  held: { holder: string; until: number } | null = null;
  unended: string[] = [];
  private readonly time: Time;
  private readonly slow: () => number;

  constructor(time: Time, slow: () => number = () => 0) {
    this.time = time;
    this.slow = slow;
  }

  lease(endFails = false): TickLease {
    return {
      take: async (holder, now, until) => {
        await this.time.wait(this.slow());
        const isFree = this.held === null || this.held.until <= now || this.held.holder === holder;
        if (isFree) this.held = { holder, until };
        await this.time.wait(this.slow());
        return isFree;
      },
      end: async (holder) => {
        await this.time.wait(this.slow());
        if (endFails) throw new Unavailable('DynamoDB was not there');
        if (this.held?.holder === holder) this.held = null;
      },
      onUnended: (reason) => this.unended.push(reason),
    };
  }
}

interface Run {
  gapSeconds: number;
  workSeconds: number;
  ends: 'well' | 'by a failure' | 'killed' | 'without its lease ended';
}

const runs = fc.array(
  fc.record<Run>({
    gapSeconds: fc.integer({ min: 0, max: 120 }),
    workSeconds: fc.integer({ min: 0, max: 200 }),
    ends: fc.constantFrom('well', 'by a failure', 'killed', 'without its lease ended'),
  }),
  { minLength: 2, maxLength: 12 },
);

test('no two ticks work at once, whoever is slow, fails or dies; what a dead one held ends by itself', async () => {
  let overlapsTried = 0;
  await fc.assert(
    fc.asyncProperty(
      runs,
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1 }),
      async (all, delays) => {
        const time = new Time();
        let drawn = 0;
        const row = new Row(time, () => delays[drawn++ % delays.length] as number);
        let working: string[] = [];
        const together: string[][] = [];
        const worked: { calledAt: number; did: boolean }[] = [];
        const tick = async (name: string, { workSeconds, ends }: Run): Promise<void> => {
          const calledAt = time.now;
          // Lambda ends what lives so long: nothing of it happens any more.
          let isDead = false;
          const killed = time.wait(pace.mostTickSeconds).then(() => {
            isDead = true;
            working = working.filter((one) => one !== name);
          });
          const work = async (): Promise<true> => {
            if (isDead) return new Promise(() => {});
            working.push(name);
            if (working.length > 1) together.push([...working]);
            await time.wait(Math.min(workSeconds, pace.mostTickSeconds));
            if (isDead) return new Promise(() => {});
            working = working.filter((one) => one !== name);
            if (ends === 'killed') return new Promise(() => {});
            if (ends === 'by a failure') throw new Unavailable('CloudWatch was not there');
            return true;
          };
          const lease = row.lease(ends === 'without its lease ended');
          const done = oneAtATime(lease, name, calledAt, work).then(
            (result) => worked.push({ calledAt, did: result !== null }),
            () => worked.push({ calledAt, did: true }),
          );
          await Promise.race([done, killed]);
        };
        const start = async (): Promise<void> => {
          for (const [i, run] of all.entries()) {
            await time.wait(run.gapSeconds);
            if (working.length > 0) overlapsTried++;
            void tick(`tick ${i}`, run);
          }
          // Longer than any lease after all of them.
          await time.wait(pace.leaseSeconds + 10);
          void tick('last', { gapSeconds: 0, workSeconds: 1, ends: 'well' });
        };
        void start();
        await time.run();
        expect(together).toEqual([]);
        expect(worked.at(-1)).toMatchObject({ did: true });
      },
    ),
  );
  expect(overlapsTried).toBeGreaterThan(0);
});

test('while one is under way another does nothing, and says so; after it the next works', async () => {
  const time = new Time();
  const row = new Row(time);
  const results: unknown[] = [];
  const run = (holder: string, work: () => Promise<string>) =>
    oneAtATime(row.lease(), holder, time.now, work).then((result) => results.push(result));
  void run('a', async () => {
    await time.wait(70);
    return 'a';
  });
  void time.wait(60).then(() => run('b', async () => 'b'));
  void time.wait(120).then(() => run('c', async () => 'c'));
  await time.run();
  expect(results).toEqual([null, 'a', 'c']);
});

test('a lease outlives the longest tick', () => {
  expect(pace.leaseSeconds).toBeGreaterThan(pace.mostTickSeconds);
});

test('a lease that cannot be ended is said, and the result of the tick stands', async () => {
  const time = new Time();
  const row = new Row(time);
  const result = oneAtATime(row.lease(true), 'a', 0, async () => 'done');
  await time.run();
  expect(await result).toBe('done');
  expect(row.unended).toEqual(['DynamoDB was not there']);
});
