/** The service deployed into a local AWS whose calls pass a gateway, where trouble can be ordered. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectSlack, deployStack, type StackOutputs } from '../../local/deploy.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../local/gateway/gateway.ts';
import { lastWholeHour, loadFleet } from '../../local/load-fleet.ts';
import { type DeployedRun, runDeployedAudit } from '../../local/run-audit.ts';
import { type Services, startServices } from '../../local/services.ts';
import { Account } from './account.ts';
import { checksOfGoneVolumes, hostsOfSmallFleet, region, smallFleet } from './small-fleet.ts';
import { tell } from './tell.ts';

const root = join(__dirname, '../..');

/** Waits between two tries of a client take so much of their time. */
const waitScale = 0.01;
/** Those of the workflow between two tries: all of them together take 5 minutes, here a second. */
const workflowWaitScale = 0.003;

/** Hosts are asked where a test wants it: see `Account.askHosts`. */
const config = `
regions: [${region}]
audit:
  batchesAtOnce: 2
  askHosts: true
`;

export interface BadDay {
  services: Services;
  outputs: StackOutputs;
  gateway: Gateway;
  /** What tests look at and change in the account. */
  account: Account;
  /** Runs the deployed audit over the fleet's time, in its usual form, and lets it tell. */
  run(input?: object, onState?: (name: string) => void): Promise<DeployedRun>;
  /** The fleet as it was at another time. */
  load(endEpochSeconds: number): Promise<void>;
  remove(): Promise<void>;
}

interface StartBadDay {
  options?: GatewayOptions;
  /** For MiniStack and its functions. */
  environment?: Record<string, string>;
  /** Told of the servers before anything is deployed. */
  onServices?: (services: Services) => void;
}

export async function startBadDay({
  options = {},
  environment = {},
  onServices = () => {},
}: StartBadDay = {}): Promise<BadDay> {
  const directory = mkdtempSync(join(tmpdir(), 'stripewise-local-'));
  const gateway = await startGateway(options);
  const everywhere = Object.fromEntries(
    ['', '_EC2', '_CLOUDWATCH', '_PRICING', '_SSM'].map((of) => [`AWS_ENDPOINT_URL${of}`, gateway.url]),
  );
  const services = await startServices({
    root,
    directory: join(directory, 'local'),
    say: (line) => process.stderr.write(`${line}\n`),
    hostPace: 0.1,
    priceCallsPerSecond: 500,
    forFunctions: () => ({
      ...everywhere,
      NODE_OPTIONS: `--require ${join(root, 'local/gateway/function-conditions.cjs')}`,
      STRIPEWISE_WAIT_SCALE: `${waitScale}`,
      SFN_WAIT_SCALE: `${workflowWaitScale}`,
      ...environment,
    }),
  });
  const remove = async (): Promise<void> => {
    await services.stop();
    await gateway.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const { ec2, cloudWatch, pricing, ssm, aws } = services.urls;
    gateway.route({ ec2, cloudwatch: cloudWatch, pricing, ssm }, aws);
    onServices(services);
    const load = async (endEpochSeconds: number): Promise<void> => {
      await tell('POST', `${cloudWatch}/_stripewise/series?region=${region}`, {
        series: checksOfGoneVolumes(endEpochSeconds),
      });
      await loadFleet(services.urls, smallFleet(endEpochSeconds), hostsOfSmallFleet);
    };
    const endEpochSeconds = lastWholeHour(new Date());
    await load(endEpochSeconds);
    const configFile = join(directory, 'stripewise.yaml');
    writeFileSync(configFile, config);
    const outputs = await deployStack(root, services, configFile, environment['AUTH'] === 'true');
    await connectSlack(services, outputs);
    const account = new Account(services, outputs);
    await account.askHosts(false);
    const window = {
      lookbackDays: 26 / 24,
      until: new Date(endEpochSeconds * 1000).toISOString(),
      tell: true,
    };
    return {
      services,
      outputs,
      gateway,
      account,
      remove,
      load,
      run: (input = {}, onState) => runDeployedAudit(services, outputs, { ...window, ...input }, onState),
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
