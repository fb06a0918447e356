/** The servers that make up the local AWS: started together, stopped together, or left for somebody to look around. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  commandOf,
  freePort,
  plainEnvironment,
  type RunningProcess,
  startProcess,
  stopGroup,
} from './processes.ts';
import { ensurePython } from './python.ts';

export const localAccount = '111122223333';
/** The Region that is deployed to. */
export const localRegion = 'us-east-1';

export interface ServiceUrls {
  aws: string;
  ec2: string;
  cloudWatch: string;
  pricing: string;
  slack: string;
}

export interface Services {
  urls: ServiceUrls;
  /** Where their logs and state are. */
  directory: string;
  /** What any AWS client needs to reach them and nothing else. */
  env: Record<string, string>;
  stop(): Promise<void>;
  /** They stay after this process; `stopServices` ends them. */
  keep(): void;
}

interface StartServices {
  root: string;
  /** Of this set of servers alone; emptied first. */
  directory: string;
  say: (line: string) => void;
  /** A script that serves CloudWatch in place of local/cloudwatch/serve.ts, with arguments of its own. */
  cloudWatchServer?: readonly [script: string, ...args: string[]];
}

const clientEnvironment = ({ aws, ec2, cloudWatch, pricing }: ServiceUrls): Record<string, string> => ({
  AWS_ENDPOINT_URL: aws,
  AWS_ENDPOINT_URL_EC2: ec2,
  AWS_ENDPOINT_URL_CLOUDWATCH: cloudWatch,
  AWS_ENDPOINT_URL_PRICING: pricing,
  // Twelve digits as access key are the account.
  AWS_ACCESS_KEY_ID: localAccount,
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: localRegion,
  AWS_DEFAULT_REGION: localRegion,
  CDK_DEFAULT_ACCOUNT: localAccount,
  CDK_DEFAULT_REGION: localRegion,
});

const urlOf = (port: number): string => `http://127.0.0.1:${port}`;

export async function startServices(options: StartServices): Promise<Services> {
  const { root, directory, say, cloudWatchServer = [join(root, 'local/cloudwatch/serve.ts')] } = options;
  const python = await ensurePython({ root, say });
  if (await stopServices(root, directory)) say('stopped the local AWS of an earlier run');
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(join(directory, 'tmp'), { recursive: true });
  // Functions are CommonJS, and run from here: without this the checkout's own package.json would make them modules.
  writeFileSync(join(directory, 'package.json'), '{ "type": "commonjs" }');
  const pids: number[] = [];
  // Written with each of them: what is killed half-way through starting can be ended by the next run.
  const onSpawn = (pid: number): void => {
    pids.push(pid);
    writeFileSync(runningFile(directory), JSON.stringify({ owner: process.pid, pids } satisfies Running));
  };
  // At once, so that no two are the same.
  const ports = await Promise.all([freePort(), freePort(), freePort(), freePort(), freePort()]);
  const [aws, ec2, cloudWatch, pricing, slack] = ports;
  const urls = {
    aws: urlOf(aws),
    ec2: urlOf(ec2),
    cloudWatch: urlOf(cloudWatch),
    pricing: urlOf(pricing),
    slack: urlOf(slack),
  };
  const env = { ...plainEnvironment(), ...clientEnvironment(urls) };
  const logFile = (name: string): string => join(directory, `${name}.log`);
  const node = (
    name: string,
    port: number,
    script = join(root, 'local', name, 'serve.ts'),
    ...args: string[]
  ) =>
    startProcess({
      command: process.execPath,
      args: [script, '--port', `${port}`, ...args],
      env: plainEnvironment(),
      readyUrl: `${urlOf(port)}/_stripewise/${name === 'slack' ? 'messages' : 'counts'}`,
      logFile: logFile(name),
      onSpawn,
    });
  const starting = [
    startProcess({
      command: python,
      args: [join(root, 'local/ministack/launch.py')],
      env: {
        ...plainEnvironment(),
        // The functions that it runs inherit these: their EC2, CloudWatch and Price List are elsewhere.
        AWS_ENDPOINT_URL_EC2: urls.ec2,
        AWS_ENDPOINT_URL_CLOUDWATCH: urls.cloudWatch,
        AWS_ENDPOINT_URL_PRICING: urls.pricing,
        AWS_XRAY_CONTEXT_MISSING: 'IGNORE_ERROR',
        TMPDIR: join(directory, 'tmp'),
        STATE_DIR: join(directory, 'state'),
        BIND_HOST: '127.0.0.1',
        GATEWAY_PORT: `${aws}`,
        MINISTACK_REGION: localRegion,
        MINISTACK_ACCOUNT_ID: localAccount,
        SFTP_ENABLED: '0',
        IOT_MTLS_ENABLED: '0',
        NODE_PATH: join(root, 'node_modules'),
      },
      readyUrl: `${urls.aws}/_ministack/health`,
      logFile: logFile('ministack'),
      onSpawn,
    }),
    startProcess({
      command: python,
      args: [join(root, 'local/ec2/serve.py'), '--port', `${ec2}`, '--account', localAccount],
      env: plainEnvironment(),
      readyUrl: `${urls.ec2}/_stripewise/ready`,
      logFile: logFile('ec2'),
      onSpawn,
    }),
    node('cloudwatch', cloudWatch, ...cloudWatchServer, '--account', localAccount),
    node('pricing', pricing),
    node('slack', slack),
  ];
  const processes = await allOrNone(starting);
  return {
    urls,
    directory,
    env,
    stop: async () => {
      await Promise.all(processes.map((one) => one.stop()));
      rmSync(runningFile(directory), { force: true });
    },
    keep: () => {
      for (const one of processes) one.keep();
      const lines = Object.entries(clientEnvironment(urls)).map(([name, value]) => `export ${name}=${value}`);
      writeFileSync(environmentFile(directory), `${lines.join('\n')}\n`);
    },
  };
}

/** Where one does not start, the others are stopped. */
async function allOrNone(starting: readonly Promise<RunningProcess>[]): Promise<RunningProcess[]> {
  const settled = await Promise.allSettled(starting);
  const started = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed === undefined) return started;
  await Promise.all(started.map((running) => running.stop()));
  throw failed.reason;
}

/** For a shell: `. <directory>/env.sh`. */
export const environmentFile = (directory: string): string => join(directory, 'env.sh');
const runningFile = (directory: string): string => join(directory, 'running.json');

const runningSchema = z.object({ owner: z.number(), pids: z.array(z.number()) });
type Running = z.infer<typeof runningSchema>;

function readRunning(directory: string): Running | null {
  if (!existsSync(runningFile(directory))) return null;
  try {
    return runningSchema.parse(JSON.parse(readFileSync(runningFile(directory), 'utf8')));
  } catch {
    // Cut short while it was written: what it named cannot be found any more.
    return null;
  }
}

/**
 * Ends the servers that an earlier process left in a directory, kept or forgotten; false where there were none.
 * @throws where the process that started them still runs: it would lose them.
 */
export async function stopServices(root: string, directory: string): Promise<boolean> {
  const running = readRunning(directory);
  if (running === null) return false;
  if (running.owner !== process.pid && commandOf(running.owner).includes('demo.ts')) {
    throw new Error(
      `process ${running.owner} is using the local AWS in ${directory}: wait for it, or end it`,
    );
  }
  await Promise.all(running.pids.map((pid) => stopGroup(pid, join(root, 'local'))));
  rmSync(runningFile(directory), { force: true });
  rmSync(environmentFile(directory), { force: true });
  return true;
}
