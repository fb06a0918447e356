/** One campaign under one trouble, and what came of it after the cleanup's next run. */
import { setTimeout as after } from 'node:timers/promises';
import type { CellStep } from '../../../core/benchmark/campaign/commands.ts';
import type { Outcome } from '../outcome-table.ts';
import type { CampaignDay } from './campaign-day.ts';
import { campaignSeen, type Ending, wrongIn } from './evaluate-campaign.ts';
import { profileRequest } from './requests.ts';

export interface TroubledCampaign {
  /** The state that meets it, or who else does. */
  where: string;
  trouble: string;
  ending: Ending;
  /** What its reason must say. */
  names?: readonly string[];
  /** The last thing that who watches is reported of its cell; where nothing is said, whatever. */
  progress?: CellStep['code'] | null;
  /** How its hosts behave: see simulated-hosts.ts. */
  hosts?: 'unmanaged' | 'failing' | 'endless' | 'twice';
  request?: object;
  /** Of the workflow's waits, where there are long ones. */
  waitScale?: number;
  /** Orders the trouble. */
  order?: (day: CampaignDay) => unknown;
  /** Done while it runs. @returns what is wrong. */
  meanwhile?: (day: CampaignDay, campaignId: string) => Promise<string[]>;
  /** Before the cleanup is run by hand. @returns what is wrong. */
  ended?: (day: CampaignDay, campaignId: string) => Promise<string[]>;
  /** What was ordered of the account is taken back. */
  undo?: (day: CampaignDay) => Promise<void>;
  /** False: trouble is no fault of the gateway that must have been met. */
  isOfGateway?: boolean;
}

let campaigns = 0;

export async function outcomeOf(day: CampaignDay, row: TroubledCampaign): Promise<Outcome> {
  const { where, trouble, ending, names = [], progress, hosts = 'usual', request = profileRequest } = row;
  const { order = () => {}, meanwhile = async () => [], ended = async () => [], undo = async () => {} } = row;
  const campaignId = `${hosts}-${++campaigns}`;
  day.gateway.reset();
  await day.scaleWaits(row.waitScale);
  await order(day);
  await day.campaigns.start(campaignId, request);
  let last: CellStep['code'] | null = null;
  const ending_ = day.campaigns.ended(campaignId, (_, { code }) => {
    last = code;
  });
  const wrong = await meanwhile(day, campaignId);
  const run = await ending_;
  if (row.isOfGateway !== false && day.gateway.faults.met === 0) wrong.push('the fault was never met');
  await undo(day);
  day.gateway.reset();
  wrong.push(...(await ended(day, campaignId)));
  const cleanup = await day.campaigns.cleanUp();
  const left = await day.campaigns.left();
  const launched = await day.hands.launchedFor(campaignId);
  const commands = await Promise.all(launched.map(({ instanceId }) => day.hands.commandsOf(instanceId)));
  const cells = run.report?.cells.length ?? 1;
  wrong.push(...wrongIn({ left, cleanup, launched: launched.length, cells, commands: commands.flat() }));
  const seen = campaignSeen(run);
  wrong.push(
    ...names.filter((name) => !seen.reason.includes(name)).map((name) => `the reason does not name ${name}`),
  );
  if (progress !== undefined && progress !== last) wrong.push(`who watched was reported last: ${last}`);
  return {
    what: [where, trouble],
    expected: ending,
    seen: [seen.ending, ...wrong, seen.reason].filter((text) => text !== '').join(': '),
    asExpected: seen.ending === ending && wrong.length === 0,
  };
}

/** True when it holds within a time that nothing takes here. */
export async function holds(
  is: () => Promise<boolean> | boolean,
  withinMs: number = 20_000,
): Promise<boolean> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await after(50))
    if (await is()) return true;
  return false;
}
