/** The service with its benchmark on a local AWS with the EBS lab behind EC2: instances are guests, volumes are emulated. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { deployStack, type StackOutputs } from '../local/deploy.ts';
import { benchmarkSection } from '../local/host-network.ts';
import { ensureImage } from '../local/lab/image.ts';
import { labDirectory } from '../local/lab/lab.ts';
import { Campaigns } from '../local/run-campaign.ts';
import { localAccount, localRegion, type Services, startServices } from '../local/services.ts';

/** On every result. */
export const emulatedLabel =
  'emulated: guests and volumes of the EBS lab on one machine, no EC2 and no EBS; ratios tell something, figures do not';

const hostsSchema = z.object({ hosts: z.array(z.looseObject({ instanceId: z.string() })) });

const filesBelow = (directory: string): string[] =>
  existsSync(directory)
    ? readdirSync(directory, { recursive: true, withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [] : [join(entry.parentPath, entry.name)],
      )
    : [];

export interface BenchLab {
  services: Services;
  outputs: StackOutputs;
  campaigns: Campaigns;
  /** A command of stripewise, as somebody would type it. @returns what it printed. */
  stripewise(...argv: string[]): Promise<string>;
  /** What is left of guests: those that run, and files. */
  leftOfGuests(): Promise<string[]>;
  stop(): Promise<void>;
}

interface StartBenchLab {
  root: string;
  /** Of this one alone; emptied first. */
  directory: string;
  say: (line: string) => void;
}

export async function startBenchLab({ root, directory, say }: StartBenchLab): Promise<BenchLab> {
  ensureImage(labDirectory(root), say);
  const guests = join(directory, 'lab');
  const services = await startServices({
    ...{ root, directory, say },
    ssmServer: ({ aws, ec2 }) => [
      join(root, 'local/lab-hosts/serve.ts'),
      ...['--account', localAccount, '--region', localRegion],
      ...['--ministack', aws, '--ec2', ec2, '--directory', guests],
    ],
  });
  try {
    say('deploying with `cdk bootstrap` and `cdk deploy --all` ...');
    const configFile = join(directory, 'stripewise.yaml');
    writeFileSync(
      configFile,
      `regions: [${localRegion}]\n${await benchmarkSection(services, emulatedLabel)}`,
    );
    const outputs = await deployStack(root, services, configFile);
    const campaigns = new Campaigns(services, outputs);
    return {
      ...{ services, outputs, campaigns },
      stripewise: async (...argv) => {
        const { stdout } = await promisify(execFile)(
          process.execPath,
          [join(root, 'bin/stripewise.ts'), ...argv],
          {
            // A cache of its own: what this machine's user refreshed is of another account.
            env: { ...services.env, XDG_CACHE_HOME: join(directory, 'cache') },
            maxBuffer: 64 * 1024 ** 2,
          },
        );
        return stdout.trimEnd();
      },
      leftOfGuests: async () => {
        const reply = await fetch(`${services.urls.ssm}/_stripewise/hosts`);
        const running = hostsSchema.parse(await reply.json()).hosts.map(({ instanceId }) => instanceId);
        return [...running, ...filesBelow(guests)];
      },
      stop: async () => {
        campaigns.close();
        await services.stop();
      },
    };
  } catch (error) {
    await services.stop();
    throw error;
  }
}
