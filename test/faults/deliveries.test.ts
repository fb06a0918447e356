/** What brings news to channels, on a bad day: who delivers, who counts the week, who obeys buttons, and the pulse. */
import { type CallerTrouble, withoutEach } from './deliveries/caller-troubles.ts';
import { type ChannelsDay, startChannelsDay } from './deliveries/channels-day.ts';
import { deliveryOutcome } from './deliveries/delivery-outcome.ts';
import {
  byCall,
  everywhere,
  isAsExpected,
  troublesOfCalls,
  troublesOfDying,
  withoutPermission,
} from './deliveries/delivery-troubles.ts';
import { deathsOfDigests, digestOutcome } from './deliveries/digests.ts';
import { buttonOutcome, deathsOfButtons, press } from './deliveries/pressed-buttons.ts';
import { deathsOfTicks, holdOneBack, tickOutcome, usualTick } from './deliveries/ticks.ts';
import type { Allowed } from './function-roles.ts';
import { type Outcome, outcomesOf, unexpected } from './outcome-table.ts';

/** A function that died is thought to live as long as it might have; one that posts to a channel takes less. */
const secondsForAll = 8;
const secondsForOne = 4;

async function letDeliverLast(seconds: number): Promise<void> {
  await day.account.setTimeout('DeliverMessages', seconds);
  await day.account.setVisibility(seconds);
}

let day: ChannelsDay;

beforeAll(async () => {
  day = await startChannelsDay(holdOneBack);
  await letDeliverLast(secondsForAll);
}, 400_000);
afterAll(() => day?.remove());

/** Lambda does it for a function, with its role. */
const calledByLambda = /^(logs|xray):|^sqs:(ReceiveMessage|DeleteMessage|GetQueueAttributes)$/;

/** What a function does itself by its role. */
const allowedTo = async (part: string): Promise<Allowed[]> =>
  (await day.roles.allowed(part)).filter(({ action }) => !calledByLambda.test(action));

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

  test('each action that is taken away is missed, and nothing is lost', async () => {
    const actions = (await allowedTo('DeliverMessages')).map(({ action }) => action);
    expect([...new Set(actions)].sort()).toEqual(Object.keys(byCall).sort());
    const rows = actions.map(withoutPermission);
    const title = 'Permissions of who delivers';
    const outcomes = await outcomesOf(title, heads, rows, (row) => deliveryOutcome(day, row));
    expect(unexpected(outcomes)).toEqual([]);
  });

  test('it dies between any two steps', async () => {
    await letDeliverLast(secondsForOne);
    const rows = troublesOfDying;
    const title = 'Who delivers dies';
    const outcomes = await outcomesOf(title, heads, rows, (row) => deliveryOutcome(day, row));
    await letDeliverLast(secondsForAll);
    expect(unexpected(outcomes)).toEqual([]);
  });
});

/** A function that somebody calls: each of its permissions is missed, and it dies at each of its calls. */
async function expectAll(
  title: string,
  part: string,
  deaths: readonly CallerTrouble[],
  outcomeOf: (trouble: CallerTrouble) => Promise<Outcome>,
): Promise<void> {
  const rows = [...withoutEach(await allowedTo(part)), ...deaths];
  expect(rows.length).toBeGreaterThan(deaths.length + 2);
  const outcomes = await outcomesOf(title, ['call', 'which', 'trouble'], rows, outcomeOf);
  expect(unexpected(outcomes)).toEqual([]);
}

test('a digest is told once, whatever befalls who tells it', async () => {
  let daysLater = 1;
  await expectAll('Who tells the digest', 'TellDigest', deathsOfDigests, (trouble) =>
    digestOutcome(day, trouble, daysLater++),
  );
});

describe('who obeys buttons', () => {
  /** A message that has them. */
  beforeAll(async () => {
    await day.say('slack-bot');
    await day.account.deliveriesDone();
  }, 60_000);

  test('without trouble obeys', async () => {
    expect((await press(day)).status).toBe(200);
  });

  test('whatever befalls it, says so, and obeys who presses again', async () => {
    await expectAll('Who obeys buttons', 'SlackActions', deathsOfButtons, (trouble) =>
      buttonOutcome(day, trouble),
    );
  });
});

test('what the pulse sees is told once, whatever befalls it', async () => {
  const usual = await usualTick(day);
  expect(usual).toBeGreaterThan(0);
  await expectAll('The pulse', 'WatchVolumes', deathsOfTicks, (trouble) => tickOutcome(day, trouble, usual));
});
