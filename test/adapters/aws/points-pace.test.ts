/** What one reader asks for in a second, whatever it has to ask for and when. */

import { GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import fc from 'fast-check';
import { PointsPace } from '../../../adapters/aws/points-pace.ts';
import { pointsPerCall } from '../../../core/load/metrics.ts';

const rates = { recent: 1_000, older: 2_000 };

/** Time goes on only where somebody waits. */
class Clock {
  ms = 0;
  nowMs = (): number => this.ms;
  wait = async (ms: number): Promise<void> => {
    this.ms += ms;
  };
}

/** When each of these requests was sent. */
async function sentBy(pace: PointsPace, clock: Clock, points: readonly number[]): Promise<number[]> {
  const sent: number[] = [];
  for (const each of points) {
    const command = pace.paced(new GetMetricDataCommand({} as never), 'older', each);
    const handler = command.middlewareStack.resolve(async () => {
      sent.push(clock.ms);
      return { output: { $metadata: {} }, response: {} };
    }, {} as never);
    await handler({ input: {} as never });
  }
  return sent;
}

test('no second has more points than its rate, and nobody waits for ever', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 2_000 }), { minLength: 1, maxLength: 40 }),
      async (points) => {
        const clock = new Clock();
        const at = await sentBy(new PointsPace(rates, { clock }), clock, points);
        for (const from of at) {
          const inSecond = points.filter(
            (_, i) => (at[i] as number) >= from && (at[i] as number) < from + 1_000,
          );
          expect(inSecond.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(2_000);
        }
        // Two neighbours are more than a rate together, or else they go together: two waits a rate at most.
        const total = points.reduce((sum, one) => sum + one, 0);
        expect(at.at(-1)).toBeLessThanOrEqual(1_100 * ((2 * total) / 2_000 + 1));
      },
    ),
  );
});

test('who follows another begins a second later', async () => {
  const clock = new Clock();
  const pace = new PointsPace(rates, { isSuccessor: true, clock });
  expect(await sentBy(pace, clock, [1])).toEqual([1_100]);
});

test.each([
  [50_000, 50_000],
  [198_000, 99_000], // two calls a second
  [396_000, 99_000], // four
  [100_800, pointsPerCall],
])('of %s points a second a call takes %s', (older, most) => {
  expect(new PointsPace({ recent: 1, older }).pointsPerCall('older')).toBe(most);
});
