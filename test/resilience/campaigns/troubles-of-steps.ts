/** Every trouble of every state that runs a function. */
import { setTimeout as after } from 'node:timers/promises';
import type { FaultKind } from '../../../local/gateway/faults.ts';
import type { CampaignDay } from './campaign-day.ts';
import { type CampaignStep, callOf, campaignSteps } from './steps.ts';
import { holds, type TroubledCampaign } from './troubled-campaign.ts';

/** Where no command is sent the heartbeat may be shorter than a function takes. */
const fast = 0.003;
const waitScaleOf = ({ part }: CampaignStep): { waitScale?: number } =>
  ['RunCommand', 'TerminateHost', 'GradeCampaign'].includes(part) ? {} : { waitScale: fast };

const order =
  ({ part }: CampaignStep, kind: FaultKind, times: number, call: `${string}:${string}`) =>
  ({ gateway }: CampaignDay): void =>
    gateway.faults.add({ kind, times, functionPart: part, ...callOf(call) });

/** The report names the step; where the workflow itself fails its reason is that of the step. */
const namesOf = ({ withoutIt, state }: CampaignStep, reason: string): string[] =>
  withoutIt === 'failed' ? [reason] : [`${state}: `, reason];

const once = (step: CampaignStep, trouble: string, kind: FaultKind, call = step.call): TroubledCampaign => ({
  ...{ where: step.part, trouble: `${trouble}, once`, ending: 'measured' },
  order: order(step, kind, 1, call),
});

const forEver = (step: CampaignStep, trouble: string, kind: FaultKind, reason: string): TroubledCampaign => ({
  ...{ where: step.part, trouble: `${trouble}, for ever`, ending: step.withoutIt },
  names: namesOf(step, reason),
  order: order(step, kind, -1, step.call),
});

const refused = (step: CampaignStep): TroubledCampaign => ({
  ...{ where: step.part, trouble: 'Lambda refuses to run it, for ever', ending: step.withoutIt },
  names: namesOf(step, 'Lambda.TooManyRequestsException'),
  ...waitScaleOf(step),
  isOfGateway: false,
  order: ({ account }) => account.throttleAt(step.part, true),
  undo: ({ account }) => account.throttleAt(step.part, false),
});

export const errorsOfSteps: TroubledCampaign[] = campaignSteps.flatMap((step) => [
  forEver(step, `${step.call} is denied`, 'access-denied', step.call),
  once(step, `${step.call} fails`, 'internal-error'),
  once(step, `${step.call} is throttled`, 'throttled'),
  { ...forEver(step, `${step.call} is throttled`, 'throttled', step.call), ...waitScaleOf(step) },
  once(step, `killed after ${step.lastCall}`, 'crash', step.lastCall),
  refused(step),
]);

/** For tests in which functions are out of time: more than a start takes on a busy machine. */
export const secondsOfFunctions = 3;
/**
 * Of the one that sends commands: its first call is slow on a busy machine, and a command that is on its way when the function
 * ends is not seen by the next one, and sent again. The heartbeat is longer, as it is in AWS: by `patient`.
 */
export const secondsOfRunCommand = 4;
const patient = { waitScale: 0.033 };

export const timeOutsOfSteps: TroubledCampaign[] = campaignSteps.flatMap((step) => [
  { ...once(step, `out of time after ${step.call}`, 'answer-lost'), ...patient },
  { ...forEver(step, 'out of time', 'hangs', 'Sandbox.Timedout'), ...patient },
]);

/** Stopped once the step's call has gone through, of which the function does not hear. */
export const stopsInSteps: TroubledCampaign[] = campaignSteps.map((step) => ({
  ...{ where: step.part, trouble: `stopped after ${step.call}`, ending: 'stopped', ...patient },
  names: ['somebody stopped it'],
  progress: step.progress ?? (step.part === 'GradeCampaign' ? 'end-host' : null),
  order: order(step, 'answer-lost', -1, step.call),
  meanwhile: async ({ gateway, campaigns }, campaignId) => {
    const isMet = await holds(() => gateway.faults.met > 0);
    // Until it has gone through, and until who watches has looked.
    await after(500);
    await campaigns.abort(campaignId);
    return isMet ? [] : ['its call never came'];
  },
}));
