/** The servers that make up the local AWS: started together, stopped together, or left for somebody to look around. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { freePort, plainEnvironment, type RunningProcess, startProcess, stopGroup } from './processes.ts';
import { ensurePython } from './python.ts';

export const localAccount = '111122223333';
/** The Region that is deployed to. */
export const localRegion = 'us-east-1';

export interface ServiceUrls {
  aws: string;
  ec2: string;
  cloudWatch: string;
  slack: string;
}

export interface Services {
  urls: ServiceUrls;
  /** Where their logs and state are. */
  directory: string;
  /** What any AWS client needs to reach them and nothing else. */
  env: Record<string, string>;
  stop(): Promise<void>;
  /** They stay after this process; `stopKept` ends them. */
  keep(): void;
}

interface StartServices {
  root: string;
  /** Of this set of servers alone; emptied first. */
  directory: string;
  say: (line: string) => void;
}

const clientEnvironment = ({ aws, ec2, cloudWatch }: ServiceUrls): Record<string, string> => ({
  AWS_ENDPOINT_URL: aws,
  AWS_ENDPOINT_URL_EC2: ec2,
  AWS_ENDPOINT_URL_CLOUDWATCH: cloudWatch,
  // Twelve digits as access key are the account.
  AWS_ACCESS_KEY_ID: localAccount,
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: localRegion,
  CDK_DEFAULT_ACCOUNT: localAccount,
  CDK_DEFAULT_REGION: localRegion,
});

const urlOf = (port: number): string => `http://127.0.0.1:${port}`;

export async function startServices({ root, directory, say }: StartServices): Promise<Services> {
  const python = await ensurePython({ root, say });
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(join(directory, 'tmp'), { recursive: true });
  // Functions are CommonJS, and run from here: without this the checkout's own package.json would make them modules.
  writeFileSync(join(directory, 'package.json'), '{ "type": "commonjs" }');
  const ports = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const [aws, ec2, cloudWatch, slack] = ports as [number, number, number, number];
  const urls = { aws: urlOf(aws), ec2: urlOf(ec2), cloudWatch: urlOf(cloudWatch), slack: urlOf(slack) };
  const env = { ...plainEnvironment(), ...clientEnvironment(urls) };
  const logFile = (name: string): string => join(directory, `${name}.log`);
  const node = (name: string, port: number, ...args: string[]) =>
    startProcess({
      command: process.execPath,
      args: [join(root, 'local', name, 'serve.ts'), '--port', `${port}`, ...args],
      env: plainEnvironment(),
      readyUrl: `${urlOf(port)}/_stripewise/${name === 'slack' ? 'messages' : 'counts'}`,
      logFile: logFile(name),
    });
  const starting = [
    startProcess({
      command: python,
      args: [join(root, 'local/ministack/launch.py')],
      env: {
        ...plainEnvironment(),
        // The functions that it runs inherit these: their EC2 and CloudWatch are elsewhere.
        AWS_ENDPOINT_URL_EC2: urls.ec2,
        AWS_ENDPOINT_URL_CLOUDWATCH: urls.cloudWatch,
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
    }),
    startProcess({
      command: python,
      args: [join(root, 'local/ec2/serve.py'), '--port', `${ec2}`, '--account', localAccount],
      env: plainEnvironment(),
      readyUrl: `${urls.ec2}/_stripewise/ready`,
      logFile: logFile('ec2'),
    }),
    node('cloudwatch', cloudWatch, '--account', localAccount),
    node('slack', slack),
  ];
  const processes = await allOrNone(starting);
  return {
    urls,
    directory,
    env,
    stop: async () => {
      await Promise.all(processes.map((running) => running.stop()));
    },
    keep: () => {
      for (const running of processes) running.keep();
      const kept = { pids: processes.map(({ pid }) => pid), urls };
      writeFileSync(keptFile(root), JSON.stringify(kept));
      const lines = Object.entries(clientEnvironment(urls)).map(([name, value]) => `export ${name}=${value}`);
      writeFileSync(environmentFile(root), `${lines.join('\n')}\n`);
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

const keptFile = (root: string): string => join(root, '.local-aws/kept.json');
/** For a shell: `. .local-aws/env.sh`. */
export const environmentFile = (root: string): string => join(root, '.local-aws/env.sh');

const keptSchema = z.object({ pids: z.array(z.number()) });

/** Ends what an earlier run kept; false where nothing was. */
export async function stopKept(root: string): Promise<boolean> {
  const file = keptFile(root);
  if (!existsSync(file)) return false;
  const { pids } = keptSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  await Promise.all(pids.map((pid) => stopGroup(pid, 'local/')));
  rmSync(file);
  rmSync(environmentFile(root), { force: true });
  return true;
}
