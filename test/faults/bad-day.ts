/** The service deployed into a local AWS whose calls pass a gateway, where trouble can be ordered. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { storedMarketKey } from '../../core/audit/run-keys.ts';
import { clientSettings, connectSlack, deployStack, type StackOutputs } from '../../local/deploy.ts';
import { type Gateway, type GatewayOptions, startGateway } from '../../local/gateway/gateway.ts';
import { lastWholeHour, loadFleet } from '../../local/load-fleet.ts';
import { type DeployedRun, runDeployedAudit } from '../../local/run-audit.ts';
import { type Services, startServices } from '../../local/services.ts';
import { type SmallFleet, smallFleet } from './small-fleet.ts';

const root = join(__dirname, '../..');

/** Waits of clients and of the workflow take so much of their time: an hour of retries is seven seconds. */
export const waitScale = 0.002;

export interface BadDay {
  services: Services;
  outputs: StackOutputs;
  gateway: Gateway;
  fleet: SmallFleet;
  /** Runs the deployed audit over the fleet's time, in its usual form, and lets it tell. */
  run(input?: object): Promise<DeployedRun>;
  /** Prices and instance types are read anew by the next run. */
  forgetMarket(): Promise<void>;
  remove(): Promise<void>;
}

interface StartBadDay {
  options?: GatewayOptions;
  /** For MiniStack and its functions. */
  environment?: Record<string, string>;
  endEpochSeconds?: number;
}

export async function startBadDay({
  options = {},
  environment = {},
  endEpochSeconds = lastWholeHour(new Date()),
}: StartBadDay = {}): Promise<BadDay> {
  const directory = mkdtempSync(join(tmpdir(), 'stripewise-local-'));
  const gateway = await startGateway(options);
  const everywhere = Object.fromEntries(
    ['', '_EC2', '_CLOUDWATCH', '_PRICING', '_SSM'].map((of) => [`AWS_ENDPOINT_URL${of}`, gateway.url]),
  );
  const services = await startServices({
    root,
    directory,
    say: (line) => process.stderr.write(`${line}\n`),
    forFunctions: () => ({
      ...everywhere,
      NODE_OPTIONS: `--require ${join(root, 'local/gateway/function-conditions.cjs')}`,
      STRIPEWISE_WAIT_SCALE: `${waitScale}`,
      SFN_WAIT_SCALE: `${waitScale}`,
      ...environment,
    }),
  });
  const remove = async (): Promise<void> => {
    await services.stop();
    await gateway.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const { ec2, cloudWatch, pricing, aws } = services.urls;
    gateway.route({ ec2, cloudwatch: cloudWatch, pricing }, aws);
    const fleet = smallFleet(endEpochSeconds);
    await loadFleet(services.urls, { endEpochSeconds, regions: [fleet] });
    const outputs = await deployStack(root, services);
    await connectSlack(services, outputs);
    const s3 = new S3Client({ ...clientSettings(services), forcePathStyle: true });
    const window = {
      regions: [fleet.region],
      lookbackDays: 26 / 24,
      until: new Date(endEpochSeconds * 1000).toISOString(),
      tell: true,
    };
    return {
      services,
      outputs,
      gateway,
      fleet,
      remove,
      run: (input = {}) => runDeployedAudit(services, outputs, { ...window, ...input }),
      forgetMarket: async () => {
        const Key = storedMarketKey(fleet.region);
        await s3.send(new DeleteObjectCommand({ Bucket: outputs.RunsBucket, Key }));
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
