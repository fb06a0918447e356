/** The benchmark deployed behind the gateway, on hosts that measure nothing: see simulated-hosts.ts. */
import { join } from 'node:path';
import { benchmarkSection } from '../../../local/host-network.ts';
import { Campaigns } from '../../../local/run-campaign.ts';
import { localAccount } from '../../../local/services.ts';
import { Account } from '../account.ts';
import { type BehindGateway, startBehindGateway, type Trouble } from '../behind-gateway.ts';
import { notify } from '../notify.ts';
import { Hands } from './hands.ts';
import { profileRequest } from './requests.ts';

const config = 'regions: [us-east-1]\nmonitoring: { enabled: false }\n';

/** A heartbeat of 2 seconds: longer than a function takes to start anew, and longer than its time where that is short. */
const usualWaitScale = 0.011;

export interface CampaignDay extends BehindGateway {
  account: Account;
  campaigns: Campaigns;
  hands: Hands;
  /** Waits of the workflow, its heartbeats too, take so much of their time; without one what is usual here. */
  scaleWaits(scale?: number): Promise<void>;
}

/** @param kmsKeyArn of hosts' volumes, where it is not the key of AWS. */
export async function startCampaignDay(trouble: Trouble = {}, kmsKeyArn?: string): Promise<CampaignDay> {
  const day = await startBehindGateway({
    ...trouble,
    config: async (services) => `${config}${await benchmarkSection(services, 'simulated', kmsKeyArn)}`,
    workflowWaitScale: usualWaitScale,
    checked: kmsKeyArn === undefined ? 'benchmark' : 'benchmark with a key',
    ssmServer: ({ aws, ec2 }) => [
      join(__dirname, 'simulated-hosts.ts'),
      ...['--account', localAccount, '--ministack', aws, '--ec2', ec2],
    ],
  });
  const { services, outputs } = day;
  const campaigns = new Campaigns(services, outputs);
  const hands = new Hands(services);
  const remove = async (): Promise<void> => {
    campaigns.close();
    hands.close();
    await day.remove();
  };
  try {
    // Functions start, which takes longer than all later times.
    await campaigns.start('first', profileRequest);
    await campaigns.ended('first');
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    ...{ ...day, campaigns, hands, remove },
    account: new Account(services, outputs),
    scaleWaits: (scale = usualWaitScale) =>
      notify('POST', `${services.urls.aws}/_ministack/config`, { 'stepfunctions._SFN_WAIT_SCALE': scale }),
  };
}
