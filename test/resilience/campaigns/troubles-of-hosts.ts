/** Troubles of commands and their ends, of hosts, and of EC2's room for them. */
import { setTimeout as after } from 'node:timers/promises';
import type { CampaignDay } from './campaign-day.ts';
import { profileRequest, searchRequest } from './requests.ts';
import { holds, type TroubledCampaign } from './troubled-campaign.ts';

const fast = 0.003;
const recover = ({ hands }: CampaignDay): Promise<void> => hands.recover();

export const troublesOfEnds: TroubledCampaign[] = [
  {
    ...{ where: 'EndCommand', trouble: 'events of ends are lost, all', ending: 'measured' },
    isOfGateway: false,
    order: ({ hands }) => hands.loseEvents(),
    undo: recover,
  },
  {
    ...{ where: 'EndCommand', trouble: 'events of ends come twice', ending: 'measured' },
    ...{ hosts: 'twice', isOfGateway: false },
  },
  {
    ...{ where: 'EndCommand', trouble: 'killed before it has told', ending: 'measured' },
    order: ({ gateway: { faults } }) =>
      faults.add({ kind: 'crash', times: 1, functionPart: 'EndCommand', operation: 'GetItem' }),
  },
  {
    ...{ where: 'EndCommand', trouble: 'killed after it has told', ending: 'measured' },
    order: ({ gateway: { faults } }) =>
      faults.add({ kind: 'crash', times: 1, functionPart: 'EndCommand', operation: 'SendTaskSuccess' }),
  },
  {
    ...{ where: 'EndCommand', trouble: 'may not tell, for ever: who waits looks', ending: 'measured' },
    order: ({ gateway: { faults } }) =>
      faults.add({
        ...{ kind: 'access-denied', times: -1 },
        ...{ functionPart: 'EndCommand', operation: 'SendTaskSuccess' },
      }),
  },
  {
    ...{ where: 'EndCommand', trouble: 'nobody may tell', ending: 'not measured, and reported' },
    names: ['Run it on the host: AccessDenied', 'states:SendTaskSuccess'],
    order: ({ gateway: { faults } }) =>
      faults.add({ kind: 'access-denied', times: -1, operation: 'SendTaskSuccess' }),
  },
  {
    ...{ where: 'RunCommand', trouble: 'killed before it has noted who waits', ending: 'measured' },
    order: ({ gateway: { faults } }) =>
      faults.add({ kind: 'crash', times: 1, functionPart: 'RunCommand', operation: 'SendCommand' }),
  },
];

/** The one host of a campaign, once it is there. */
async function hostOf({ hands }: CampaignDay, campaignId: string): Promise<string> {
  let ids: string[] = [];
  await holds(async () => {
    ids = (await hands.launchedFor(campaignId))
      .filter(({ state }) => state === 'running')
      .map(({ instanceId }) => instanceId);
    return ids.length > 0;
  });
  return ids[0] ?? '';
}

/** When its second command is there, which measures. */
async function measuringHostOf(day: CampaignDay, campaignId: string): Promise<string> {
  const host = await hostOf(day, campaignId);
  await holds(async () => (await day.hands.commandsOf(host)).length === 2);
  return host;
}

const cleanupIn = ({ gateway: { calls } }: CampaignDay): boolean =>
  calls.some(
    ({ functionName, operation }) =>
      functionName.includes('CleanUpOrphans') && operation === 'TerminateInstances',
  );

export const troublesOfHosts: TroubledCampaign[] = [
  {
    ...{ where: 'the host', trouble: 'its command fails', ending: 'not measured, and reported' },
    ...{ hosts: 'failing', isOfGateway: false },
    names: ['Run it on the host: CommandFailed', 'fio: no space left on the device'],
  },
  {
    ...{ where: 'the host', trouble: 'its command fails, and it cannot be ended', hosts: 'failing' },
    ending: 'not measured, and reported',
    names: ['fio: no space left on the device', 'End its host: ', 'ec2:TerminateInstances'],
    order: ({ gateway: { faults } }) =>
      faults.add({
        ...{ kind: 'access-denied', times: -1 },
        ...{ functionPart: 'TerminateHost', operation: 'TerminateInstances' },
      }),
  },
  {
    ...{ where: 'the host', trouble: 'is never managed', ending: 'not measured, and reported' },
    ...{ hosts: 'unmanaged', isOfGateway: false, waitScale: fast },
    names: ['Wait until it takes commands: NotYet', 'Systems Manager does not know it'],
  },
  {
    ...{
      where: 'the host',
      trouble: 'terminated before it is managed',
      ending: 'not measured, and reported',
    },
    ...{ hosts: 'unmanaged', isOfGateway: false },
    names: ['Wait until it takes commands: HostGone'],
    // What EC2 does not list soon after a launch may still come.
    order: ({ account }) =>
      account.setEnvironment('FindHost', {
        STRIPEWISE_CLOCK: new Date(Date.now() + 10 * 60_000).toISOString(),
      }),
    undo: ({ account }) => account.setEnvironment('FindHost', { STRIPEWISE_CLOCK: '' }),
    meanwhile: async (day, campaignId) => {
      await day.hands.terminate([await hostOf(day, campaignId)]);
      return [];
    },
  },
  {
    ...{ where: 'the host', trouble: 'terminated in its command', ending: 'not measured, and reported' },
    ...{ hosts: 'endless', isOfGateway: false },
    names: ['Run it on the host: HostLost'],
    meanwhile: async (day, campaignId) => {
      await day.hands.terminate([await measuringHostOf(day, campaignId)]);
      return [];
    },
  },
  {
    ...{ where: 'the host', trouble: 'past its time while it works: the cleanup takes it' },
    ...{ ending: 'not measured, and reported', hosts: 'endless', isOfGateway: false },
    names: ['Run it on the host: HostLost'],
    meanwhile: async (day, campaignId) => {
      const host = await measuringHostOf(day, campaignId);
      await day.hands.expireAt([host], new Date(Date.now() - 1_000));
      const failed = await day.campaigns.cleanUp();
      const [{ state } = { state: 'none' }] = await day.hands.launchedFor(campaignId);
      const isGone = ['shutting-down', 'terminated'].includes(state);
      return [...(failed === null ? [] : [failed]), ...(isGone ? [] : [`the host was ${state} after it`])];
    },
  },
  {
    ...{ where: 'somebody', trouble: 'stops it while a command runs: the cleanup comes by itself' },
    ...{ ending: 'stopped', names: ['somebody stopped it'], progress: 'run-profile' },
    ...{ hosts: 'endless', isOfGateway: false },
    meanwhile: async (day, campaignId) => {
      await measuringHostOf(day, campaignId);
      // Who watches looks before that.
      await after(500);
      day.gateway.reset();
      await day.campaigns.abort(campaignId);
      const isGone = await holds(async () => (await day.campaigns.left()).instances.length === 0);
      return [
        ...(isGone ? [] : ['its host stayed']),
        ...(cleanupIn(day) ? [] : ['the cleanup was not called by itself']),
      ];
    },
  },
];

/** As EC2 answers where it has no room: as an error of its own, which a client tries again. */
const noRoom = { operation: 'RunInstances', code: 'InsufficientInstanceCapacity', status: 500 };
const triesOfClient = 8;

export const troublesOfRoom: TroubledCampaign[] = [
  {
    ...{ where: 'EC2', trouble: 'has no room in one subnet: another is taken', ending: 'measured' },
    isOfGateway: false,
    order: ({ hands }) => hands.refuse({ ...noRoom, times: triesOfClient }),
    undo: recover,
  },
  {
    ...{
      where: 'EC2',
      trouble: 'has no room for one type: the other is measured',
      ending: 'measured in part',
    },
    isOfGateway: false,
    request: { ...profileRequest, instanceTypes: ['m5.large', 'c5.large'] },
    names: ['single-m5-large: Launch its host: NoCapacity: no room for m5.large'],
    order: ({ hands }) => hands.refuse({ ...noRoom, with: { InstanceType: 'm5.large' }, times: -1 }),
    undo: recover,
  },
  {
    ...{ where: 'EC2', trouble: 'refuses the type by its quota', ending: 'not measured, and reported' },
    isOfGateway: false,
    names: ['Launch its host: ', 'VcpuLimitExceeded'],
    order: ({ hands }) =>
      hands.refuse({ operation: 'RunInstances', code: 'VcpuLimitExceeded', status: 400, times: -1 }),
    undo: recover,
  },
];

const ofSearch = (row: Omit<TroubledCampaign, 'request'>): TroubledCampaign => ({
  ...row,
  request: searchRequest,
});

export const troublesOfSearches: TroubledCampaign[] = [
  ofSearch({ where: 'a search', trouble: 'none', ending: 'measured', isOfGateway: false }),
  ofSearch({
    ...{ where: 'a search', trouble: 'NextCommand killed', ending: 'measured' },
    order: ({ gateway: { faults } }) =>
      faults.add({ kind: 'crash', times: 1, functionPart: 'NextCommand', operation: 'GetObject' }),
  }),
  ofSearch({
    ...{ where: 'a search', trouble: 'RunCommand killed twice', ending: 'measured' },
    order: ({ gateway: { faults } }) =>
      faults.add({ kind: 'crash', times: 2, functionPart: 'RunCommand', operation: 'SendCommand' }),
  }),
  ofSearch({
    ...{ where: 'a search', trouble: 'events of ends come twice', ending: 'measured' },
    ...{ hosts: 'twice', isOfGateway: false },
  }),
  ofSearch({
    ...{ where: 'a search', trouble: 'its first command fails', ending: 'not measured, and reported' },
    ...{ hosts: 'failing', isOfGateway: false },
    names: ['Run it on the host: CommandFailed'],
  }),
];
