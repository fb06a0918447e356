/** The digest of a day, while something befalls the notify function it: told once, by the call that comes after. */
import { secondsPerDay } from '../../../core/units.ts';
import type { Outcome } from '../outcome-table.ts';
import { type CallerTrouble, callTwice, dyingAt, outcomeOf } from './caller-troubles.ts';
import type { ChannelsDay } from './channels-day.ts';

const part = 'NotifyDigest';

export const deathsOfDigests: CallerTrouble[] = [
  dyingAt('dynamodb:Scan'),
  dyingAt('dynamodb:GetItem'),
  dyingAt('sns:Publish'),
  dyingAt('dynamodb:PutItem'),
];

const isDigest = (text: string): boolean => / open\.(?: |$)/.test(text);

/** @param daysLater each has a digest of its own. */
export async function digestOutcome(
  day: ChannelsDay,
  trouble: CallerTrouble,
  daysLater: number,
): Promise<Outcome> {
  const { account } = day;
  const later = new Date(Date.now() + daysLater * secondsPerDay * 1_000);
  await account.setEnvironment(part, { STRIPEWISE_CLOCK: later.toISOString() });
  const before = (await account.messages()).length;
  const call = () => account.call(part, {});
  const { first, second, wrong } = await callTwice(day, part, trouble, call);
  await account.deliveriesDone();
  const digests = (await account.messages()).slice(before).filter(isDigest);
  if (!first.failed) wrong.push(`it did not fail: ${first.said}`);
  if (second.failed) wrong.push(`it failed again: ${second.said}`);
  if (digests.length !== 1) wrong.push(`${digests.length} digests`);
  return outcomeOf(trouble, 'fails, then one digest', wrong);
}
