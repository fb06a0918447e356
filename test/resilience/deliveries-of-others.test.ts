/** What brings news to channels besides who delivers, under faults: who counts the week, who obeys buttons, and monitoring. */
import { allowedTo, type CallerTrouble, withoutEach } from './deliveries/caller-troubles.ts';
import { type ChannelsDay, secondsForAll, startChannelsDay } from './deliveries/channels-day.ts';
import { deathsOfDigests, digestOutcome } from './deliveries/digests.ts';
import { buttonOutcome, deathsOfButtons, press } from './deliveries/pressed-buttons.ts';
import { deathsOfTicks, throttleOne, tickOutcome, usualTick } from './deliveries/ticks.ts';
import { type Outcome, outcomesOf, unexpected } from './outcome-table.ts';

let day: ChannelsDay;

beforeAll(async () => {
  day = await startChannelsDay(throttleOne);
  await day.letDeliverLast(secondsForAll);
}, 400_000);
afterAll(() => day?.remove());

/** A function that somebody calls: each of its permissions is missed, and it dies at each of its calls. */
async function expectAll(
  title: string,
  part: string,
  deaths: readonly CallerTrouble[],
  outcomeOf: (trouble: CallerTrouble) => Promise<Outcome>,
): Promise<void> {
  const rows = [...withoutEach(await allowedTo(day, part)), ...deaths];
  expect(rows.length).toBeGreaterThan(deaths.length + 2);
  const outcomes = await outcomesOf(title, ['call', 'which', 'trouble'], rows, outcomeOf);
  expect(unexpected(outcomes)).toEqual([]);
}

test('a digest is notified once, whatever befalls the notify function it', async () => {
  let daysLater = 1;
  await expectAll('The digest function', 'NotifyDigest', deathsOfDigests, (trouble) =>
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

test('what monitoring sees is notified once, whatever befalls it', async () => {
  const usual = await usualTick(day);
  expect(usual).toBeGreaterThan(0);
  await expectAll('Monitoring', 'WatchVolumes', deathsOfTicks, (trouble) => tickOutcome(day, trouble, usual));
});
