/** The service deployed into a local AWS whose functions make all their calls through a gateway, where trouble can be ordered. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deployStack, outputsIn, type StackOutputs } from '../../local/deploy.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../local/gateway/gateway.ts';
import { startDeployed } from '../../local/saved-deployment.ts';
import { type Services, type ServiceUrls, type StartServices, startServices } from '../../local/services.ts';
import { expectRequestsTaken } from '../requests/check-requests.ts';

const root = join(__dirname, '../..');

/** Waits between two tries of a client take so much of their time. */
const waitScale = 0.01;

/** Messages of a queue that are put off come again after so much of their time. */
const visibilityScale = 0.03;

/** What a test may order of an incident, whatever is deployed. */
export interface Trouble {
  options?: GatewayOptions;
  /** For MiniStack and its functions. */
  environment?: Record<string, string>;
  /** Called with the servers before anything is deployed. */
  onServices?: (services: Services) => void;
}

interface StartBehindGateway extends Trouble {
  /**
   * Text of the configuration. As a function: a stack of its own, not the one that was saved; what it has in EC2 cannot be saved
   * (saved-deployment.ts).
   */
  config: string | ((services: Services) => Promise<string>);
  /** Waits of the workflow between two tries take so much of their time. */
  workflowWaitScale: number;
  ssmServer?: (urls: ServiceUrls) => readonly [script: string, ...args: string[]];
  /** Requests are written down, and looked at in the end: as permissions.json calls what is deployed, or true. */
  checked?: string | true;
  /** Before anything runs. */
  prepare?: (services: Services) => Promise<void>;
}

export interface BehindGateway {
  services: Services;
  outputs: StackOutputs;
  gateway: Gateway;
  remove(): Promise<void>;
}

export async function startBehindGateway({
  config,
  workflowWaitScale,
  ssmServer,
  checked,
  prepare = async () => {},
  options: gatewayOptions = {},
  environment = {},
  onServices = () => {},
}: StartBehindGateway): Promise<BehindGateway> {
  const directory = mkdtempSync(join(tmpdir(), 'stripewise-local-'));
  const gateway = await startGateway({ visibilityScale, ...gatewayOptions });
  const everywhere = Object.fromEntries(
    [
      ...['', '_EC2', '_CLOUDWATCH', '_PRICING', '_SERVICE_QUOTAS', '_SSM'],
      ...['_COMPUTE_OPTIMIZER', '_COST_OPTIMIZATION_HUB'],
    ].map((of) => [`AWS_ENDPOINT_URL${of}`, gateway.url]),
  );
  const options: StartServices = {
    root,
    directory: join(directory, 'local'),
    say: (line) => process.stderr.write(`${line}\n`),
    hostPace: 0.1,
    priceCallsPerSecond: 500,
    recordsRequests: checked !== undefined,
    forFunctions: () => ({
      ...everywhere,
      NODE_OPTIONS: `--require ${join(root, 'local/gateway/function-conditions.cjs')}`,
      STRIPEWISE_WAIT_SCALE: `${waitScale}`,
      SFN_WAIT_SCALE: `${workflowWaitScale}`,
      ...environment,
    }),
    ...(ssmServer === undefined ? {} : { ssmServer }),
  };
  const { services } =
    typeof config === 'string'
      ? await startDeployed(config, options)
      : { services: await startServices(options) };
  const remove = async (): Promise<void> => {
    await services.stop();
    await gateway.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  const lookAndRemove = async (): Promise<void> => {
    try {
      await expectRequestsTaken(services, checked === true ? undefined : checked);
    } finally {
      await remove();
    }
  };
  try {
    const { ec2, cloudWatch, pricing, ssm, aws } = services.urls;
    // Parameters are MiniStack's own: the stand-in would hand them on, signed for another place.
    gateway.route(
      {
        ...{ ec2, cloudwatch: cloudWatch, pricing, servicequotas: pricing },
        ...{ 'compute-optimizer': pricing, 'cost-optimization-hub': pricing },
        ...{ ssm, 'ssm:GetParameter': aws },
      },
      aws,
    );
    onServices(services);
    await prepare(services);
    const outputs = typeof config === 'string' ? outputsIn(services) : await deployed(config);
    return { services, outputs, gateway, remove: checked === undefined ? remove : lookAndRemove };
  } catch (error) {
    await remove();
    throw error;
  }

  async function deployed(configFor: (services: Services) => Promise<string>): Promise<StackOutputs> {
    const configFile = join(directory, 'stripewise.yaml');
    writeFileSync(configFile, await configFor(services));
    return deployStack(root, services, configFile, environment['AUTH'] === 'true');
  }
}
