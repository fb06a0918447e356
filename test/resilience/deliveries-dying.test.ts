/** Who delivers news to channels dies between any two of its steps. */
import { type ChannelsDay, secondsForAll, startChannelsDay } from './deliveries/channels-day.ts';
import { deliveryOutcome } from './deliveries/delivery-outcome.ts';
import { troublesOfDying } from './deliveries/delivery-troubles.ts';
import { throttleOne } from './deliveries/ticks.ts';
import { outcomesOf, unexpected } from './outcome-table.ts';

let day: ChannelsDay;

beforeAll(async () => {
  day = await startChannelsDay(throttleOne);
  await day.letDeliverLast(secondsForAll);
}, 400_000);
afterAll(() => day?.remove());

test('what who delivers had when it died is delivered all the same', async () => {
  const heads = ['to', 'call', 'trouble', 'how often'];
  const outcomes = await outcomesOf('Who delivers dies', heads, troublesOfDying, (row) =>
    deliveryOutcome(day, row),
  );
  expect(unexpected(outcomes)).toEqual([]);
});
