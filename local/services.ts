/** The servers that make up the local AWS: started together, stopped together, or left for somebody to look around. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, plainEnvironment, type RunningProcess, startProcess } from './processes.ts';
import { ensurePython } from './python.ts';
import { endRunning, environmentFile, forgetRunning, noteProcess } from './running.ts';

export const localAccount = '111122223333';
/** The Region that is deployed to. */
export const localRegion = 'us-east-1';

export interface ServiceUrls {
  aws: string;
  ec2: string;
  cloudWatch: string;
  pricing: string;
  ssm: string;
  slack: string;
}

export interface Services {
  urls: ServiceUrls;
  /** Where their logs and state are. */
  directory: string;
  /** What any AWS client needs to reach them and nothing else. */
  env: Record<string, string>;
  stop(): Promise<void>;
  /** They stay after this process; `endRunning` ends them. */
  keep(): void;
}

export interface StartServices {
  root: string;
  /** Of this set of servers alone; emptied first. */
  directory: string;
  say: (line: string) => void;
  /** More for the environment of MiniStack, which the functions that it runs inherit. */
  forFunctions?: (urls: ServiceUrls) => Record<string, string>;
  /** What functions ask of AWS is written down: see `recordingIn`. */
  recordsRequests?: boolean;
  /** How long a host takes for a command, of what it usually does. */
  hostPace?: number;
  /** What the Price List lets be called a second; AWS's quota where nothing is said. */
  priceCallsPerSecond?: number;
  /** Puts a state that MiniStack wrote down into a directory, which it begins with: see saved-deployment.ts. */
  initialState?: (directory: string, urls: ServiceUrls) => void;
  /** MiniStack writes its state down when it stops, into `state` of its directory. */
  keepsState?: boolean;
  /** A script that serves CloudWatch in place of local/cloudwatch/serve.ts, with arguments of its own. */
  cloudWatchServer?: readonly [script: string, ...args: string[]];
  /** The same for Systems Manager, in place of local/ssm/serve.ts. */
  ssmServer?: (urls: ServiceUrls) => readonly [script: string, ...args: string[]];
}

const clientEnvironment = ({ aws, ec2, cloudWatch, pricing, ssm }: ServiceUrls): Record<string, string> => ({
  AWS_ENDPOINT_URL: aws,
  AWS_ENDPOINT_URL_EC2: ec2,
  AWS_ENDPOINT_URL_CLOUDWATCH: cloudWatch,
  AWS_ENDPOINT_URL_PRICING: pricing,
  AWS_ENDPOINT_URL_SERVICE_QUOTAS: pricing,
  AWS_ENDPOINT_URL_COMPUTE_OPTIMIZER: pricing,
  AWS_ENDPOINT_URL_COST_OPTIMIZATION_HUB: pricing,
  // It hands on to MiniStack what is about parameters: the CDK keeps the version of its bootstrap in one.
  AWS_ENDPOINT_URL_SSM: ssm,
  // Twelve digits as access key are the account.
  AWS_ACCESS_KEY_ID: localAccount,
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: localRegion,
  AWS_DEFAULT_REGION: localRegion,
  STRIPEWISE_CATALOG_REFRESH: 'off',
  CDK_DEFAULT_ACCOUNT: localAccount,
  CDK_DEFAULT_REGION: localRegion,
});

/** Where requests of a local AWS are written, a file a process. */
export const requestsIn = (directory: string): string => join(directory, 'requests');

/** The environment of a process whose requests to AWS are written down (local/requests/record.cjs). @param options of Node besides. */
export const recordingIn = (root: string, directory: string, options = ''): Record<string, string> => ({
  NODE_OPTIONS: `${options} --require ${join(root, 'local/requests/record.cjs')}`.trim(),
  STRIPEWISE_REQUESTS: requestsIn(directory),
});

const urlOf = (port: number): string => `http://127.0.0.1:${port}`;

export async function startServices({
  root,
  directory,
  say,
  forFunctions = () => ({}),
  recordsRequests = false,
  hostPace = 1,
  priceCallsPerSecond,
  initialState,
  keepsState = false,
  cloudWatchServer: [cloudWatchScript, ...cloudWatchArgs] = [join(root, 'local/cloudwatch/serve.ts')],
  ssmServer = (urls) => [
    join(root, 'local/ssm/serve.ts'),
    ...['--account', localAccount, '--ministack', urls.aws, '--pace', `${hostPace}`],
  ],
}: StartServices): Promise<Services> {
  const python = await ensurePython({ root, say });
  if (await endRunning(directory)) say('stopped the local AWS of an earlier run');
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(join(directory, 'tmp'), { recursive: true });
  // Functions are CommonJS, and run from here: without this the checkout's own package.json would make them modules.
  writeFileSync(join(directory, 'package.json'), '{ "type": "commonjs" }');
  const onSpawn = (pid: number): void => noteProcess(directory, pid);
  // By its directory a stray process is recognised, whatever it runs.
  const plain = { ...plainEnvironment(), STRIPEWISE_LOCAL_AWS: directory };
  // At once, so that no two are the same.
  const ports = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ] as const);
  const [aws, ec2, cloudWatch, pricing, ssm, slack] = ports;
  const urls = {
    aws: urlOf(aws),
    ec2: urlOf(ec2),
    cloudWatch: urlOf(cloudWatch),
    pricing: urlOf(pricing),
    ssm: urlOf(ssm),
    slack: urlOf(slack),
  };
  const [ssmScript, ...ssmArgs] = ssmServer(urls);
  const state = join(directory, 'state');
  initialState?.(state, urls);
  const env = { ...plain, ...clientEnvironment(urls) };
  const logFile = (name: string): string => join(directory, `${name}.log`);
  const node = (
    name: string,
    port: number,
    args: readonly string[] = [],
    script = join(root, 'local', name, 'serve.ts'),
  ) =>
    startProcess({
      command: process.execPath,
      args: [script, '--port', `${port}`, ...args],
      env: plain,
      readyUrl: `${urlOf(port)}/_stripewise/${name === 'slack' ? 'messages' : 'counts'}`,
      logFile: logFile(name),
      onSpawn,
    });
  const ofFunctions = forFunctions(urls);
  const starting = [
    startProcess({
      command: python,
      args: [join(root, 'local/ministack/launch.py')],
      env: {
        ...plain,
        // The functions that it runs inherit these: their EC2, CloudWatch, Price List and Systems Manager
        // are elsewhere.
        AWS_ENDPOINT_URL_EC2: urls.ec2,
        AWS_ENDPOINT_URL_CLOUDWATCH: urls.cloudWatch,
        AWS_ENDPOINT_URL_PRICING: urls.pricing,
        AWS_ENDPOINT_URL_SERVICE_QUOTAS: urls.pricing,
        AWS_ENDPOINT_URL_COMPUTE_OPTIMIZER: urls.pricing,
        AWS_ENDPOINT_URL_COST_OPTIMIZATION_HUB: urls.pricing,
        AWS_ENDPOINT_URL_SSM: urls.ssm,
        AWS_XRAY_CONTEXT_MISSING: 'IGNORE_ERROR',
        TMPDIR: join(directory, 'tmp'),
        STATE_DIR: state,
        PERSIST_STATE: keepsState || initialState !== undefined ? '1' : '0',
        BIND_HOST: '127.0.0.1',
        GATEWAY_PORT: `${aws}`,
        MINISTACK_REGION: localRegion,
        MINISTACK_ACCOUNT_ID: localAccount,
        SFTP_ENABLED: '0',
        IOT_MTLS_ENABLED: '0',
        NODE_PATH: join(root, 'node_modules'),
        ...ofFunctions,
        ...(recordsRequests ? recordingIn(root, directory, ofFunctions['NODE_OPTIONS']) : {}),
      },
      readyUrl: `${urls.aws}/_ministack/health`,
      logFile: logFile('ministack'),
      onSpawn,
    }),
    startProcess({
      command: python,
      args: [
        join(root, 'local/ec2/serve.py'),
        '--port',
        `${ec2}`,
        '--account',
        localAccount,
        '--ministack',
        urls.aws,
      ],
      env: plain,
      readyUrl: `${urls.ec2}/_stripewise/ready`,
      logFile: logFile('ec2'),
      onSpawn,
    }),
    node('cloudwatch', cloudWatch, [...cloudWatchArgs, '--account', localAccount], cloudWatchScript),
    node(
      'pricing',
      pricing,
      priceCallsPerSecond === undefined ? [] : ['--calls-per-second', `${priceCallsPerSecond}`],
    ),
    node('ssm', ssm, ssmArgs, ssmScript),
    node('slack', slack),
  ];
  const processes = await allOrNone(starting);
  return {
    urls,
    directory,
    env,
    stop: async () => {
      await Promise.all(processes.map((one) => one.stop()));
      forgetRunning(directory);
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
