/** The states of a campaign that run a function, and what must come of each where that fails for good. */
import type { CellStep } from '../../../core/benchmark/campaign/commands.ts';
import type { Ending } from './evaluate-campaign.ts';

export interface CampaignStep {
  /** A part of the function's name. */
  part: string;
  /** As the workflow calls it. */
  state: string;
  /** The call that the step is for. */
  call: `${string}:${string}`;
  /** The same, or the one after it by which what it did is kept: the worst moment to die. */
  lastCall: `${string}:${string}`;
  withoutIt: Ending;
  /** What who watches is reported of a cell that is there; null: no cell is. */
  progress: CellStep['code'] | null;
}

const reported = 'not measured, and reported';

export const campaignSteps: readonly CampaignStep[] = [
  {
    ...{ part: 'CheckCampaign', state: 'Check the request and the price' },
    ...{ call: 'ec2:DescribeSubnets', lastCall: 's3:PutObject' },
    ...{ withoutIt: 'failed', progress: null },
  },
  {
    ...{ part: 'LaunchHost', state: 'Launch its host' },
    ...{ call: 'ec2:RunInstances', lastCall: 'ec2:RunInstances' },
    ...{ withoutIt: reported, progress: 'launch-host' },
  },
  {
    ...{ part: 'FindHost', state: 'Wait until it takes commands' },
    ...{ call: 'ssm:DescribeInstanceInformation', lastCall: 's3:PutObject' },
    ...{ withoutIt: reported, progress: 'wait-for-host' },
  },
  {
    ...{ part: 'NextCommand', state: 'Choose what it does next' },
    ...{ call: 's3:GetObject', lastCall: 's3:GetObject' },
    ...{ withoutIt: reported, progress: 'choose-next' },
  },
  {
    ...{ part: 'RunCommand', state: 'Run it on the host' },
    ...{ call: 'ssm:SendCommand', lastCall: 'ssm:SendCommand' },
    ...{ withoutIt: reported, progress: 'build-stripe' },
  },
  {
    ...{ part: 'TerminateHost', state: 'End its host' },
    ...{ call: 'ec2:TerminateInstances', lastCall: 'ec2:TerminateInstances' },
    ...{ withoutIt: 'measured, its host left behind', progress: 'end-host' },
  },
  {
    ...{ part: 'GradeCampaign', state: 'Grade and report' },
    ...{ call: 's3:PutObject', lastCall: 's3:PutObject' },
    ...{ withoutIt: 'failed', progress: null },
  },
];

/** For a fault of the gateway. */
export function callOf(name: `${string}:${string}`): { service: string; operation: string } {
  const [service = '', operation = ''] = name.split(':');
  return { service, operation };
}
