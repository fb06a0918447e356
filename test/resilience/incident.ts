/** The service deployed into a local AWS whose calls pass a gateway, where trouble can be ordered. */
import { connectSlack, type StackOutputs } from '../../local/deploy.ts';
import type { Gateway } from '../../local/gateway/gateway.ts';
import { lastWholeHour, loadFleet } from '../../local/load-fleet.ts';
import { type DeployedRun, runDeployedAudit } from '../../local/run-audit.ts';
import type { Services } from '../../local/services.ts';
import { Account } from './account.ts';
import { startBehindGateway, type Trouble } from './behind-gateway.ts';
import { notify } from './notify.ts';
import { checksOfGoneVolumes, hostsOfSmallFleet, region, smallFleet } from './small-fleet.ts';

/** All waits between two tries together take 5 minutes, here a second. */
const workflowWaitScale = 0.003;

/** Hosts are asked where a test wants it: see `Account.discoverHosts`. */
const config = `
regions: [${region}]
audit:
  batchesAtOnce: 2
  hostDiscovery: true
  maxQuotaPercent: null # hundreds of audits: each would wait five seconds for the rate of points
monitoring: { enabled: false }
channels:
  slack: { kind: slack-webhook, maxMessagesPerHour: 3600 }
report: { links: true }
`;

export interface Incident {
  services: Services;
  outputs: StackOutputs;
  gateway: Gateway;
  /** What tests look at and change in the account. */
  account: Account;
  /** Runs the deployed audit over the fleet's time, in its usual form, and lets it tell. */
  run(input?: object, onState?: (name: string) => void): Promise<DeployedRun>;
  /** The fleet as it was at another time; without an instance and its volumes where that is said. */
  load(endEpochSeconds: number, gone?: string): Promise<void>;
  remove(): Promise<void>;
}

export async function startIncident(trouble: Trouble = {}): Promise<Incident> {
  const endEpochSeconds = lastWholeHour(new Date());
  const loadInto =
    ({ urls }: Services) =>
    async (atEpochSeconds: number, gone?: string): Promise<void> => {
      await notify('POST', `${urls.cloudWatch}/_stripewise/series?region=${region}`, {
        series: checksOfGoneVolumes(atEpochSeconds),
      });
      await loadFleet(urls, smallFleet(atEpochSeconds, gone), hostsOfSmallFleet);
    };
  const day = await startBehindGateway({
    ...trouble,
    config,
    checked: true,
    workflowWaitScale,
    prepare: (services) => loadInto(services)(endEpochSeconds),
  });
  try {
    const { services, outputs } = day;
    await connectSlack(services, outputs);
    const account = new Account(services, outputs);
    await account.stopSchedules();
    await account.askQueuesAt(day.gateway.url);
    await account.discoverHosts(false);
    const window = {
      lookbackDays: 26 / 24,
      until: new Date(endEpochSeconds * 1000).toISOString(),
      notify: true,
    };
    return {
      ...day,
      account,
      load: loadInto(services),
      run: (input = {}, onState) => runDeployedAudit(services, outputs, { ...window, ...input }, onState),
    };
  } catch (error) {
    await day.remove();
    throw error;
  }
}
