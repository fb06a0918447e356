/**
 * Who delivers news to channels, under faults: calls that fail, and permissions that are missing. Where it dies is in
 * deliveries-dying.test.ts, what else brings news in deliveries-of-others.test.ts.
 */

import { allowedTo } from './deliveries/caller-troubles.ts';
import { type ChannelsDay, secondsForAll, startChannelsDay } from './deliveries/channels-day.ts';
import { deliveryOutcome } from './deliveries/delivery-outcome.ts';
import {
  byCall,
  everywhere,
  isAsExpected,
  troublesOfCalls,
  withoutPermission,
} from './deliveries/delivery-troubles.ts';
import { throttleOne } from './deliveries/ticks.ts';
import { outcomesOf, unexpected } from './outcome-table.ts';

let day: ChannelsDay;

beforeAll(async () => {
  day = await startChannelsDay(throttleOne);
  await day.letDeliverLast(secondsForAll);
}, 400_000);
afterAll(() => day?.remove());

describe('who delivers', () => {
  const heads = ['to', 'call', 'trouble', 'how often'];

  test('without trouble every channel gets it once', async () => {
    const said = await day.say('all');
    await day.account.deliveriesDone();
    const heard = await day.ears.heard(said);
    expect([heard, isAsExpected(heard, everywhere)]).toEqual([expect.anything(), true]);
  });

  test('calls that fail', async () => {
    const rows = troublesOfCalls;
    const outcomes = await outcomesOf('Calls of who delivers', heads, rows, (row) =>
      deliveryOutcome(day, row),
    );
    expect(unexpected(outcomes)).toEqual([]);
  });

  test('each action that is removed is missed, and nothing is lost', async () => {
    const actions = (await allowedTo(day, 'DeliverMessages')).map(({ action }) => action);
    expect([...new Set(actions)].sort()).toEqual(Object.keys(byCall).sort());
    const rows = actions.map(withoutPermission);
    const title = 'Permissions of who delivers';
    const outcomes = await outcomesOf(title, heads, rows, (row) => deliveryOutcome(day, row));
    expect(unexpected(outcomes)).toEqual([]);
  });
});
