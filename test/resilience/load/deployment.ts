/** The service deployed into a local AWS of its own, with the large fleet in it and somebody who listens. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectSlack, deliveriesDone } from '../../../local/deploy.ts';
import { lastWholeHour } from '../../../local/load-fleet.ts';
import { plantOrganization } from '../../../local/organization.ts';
import { type DeployedRun, runDeployedAudit } from '../../../local/run-audit.ts';
import { startDeployed } from '../../../local/saved-deployment.ts';
import { localAccount, localRegion, type Services } from '../../../local/services.ts';
import { minutes as minutesOfLoads } from '../../../tools/bench/two-pass-series.ts';
import { describedFleet } from './describe.ts';
import { fleetSize, type LargeInstance, type Spread, shareOf } from './fleet.ts';
import { type Histories, historiesOf } from './histories.ts';
import { type Calls, callsOf, type Stored, storedOf } from './stored.ts';
import { listenToTopic } from './topic-listener.ts';
import { type FunctionMemory, WorkerMemory } from './worker-memory.ts';

const root = join(__dirname, '../../..');
const minutesPerDay = 1_440;

/** One run and all that was measured of it. */
export interface MeasuredRun extends DeployedRun {
  seconds: number;
  memory: FunctionMemory[];
  histories: Histories;
  stored: Stored;
  calls: Calls;
  /** Bytes of each message that it published. */
  published: number[];
}

export interface LoadedDeployment {
  services: Services;
  run(input?: object): Promise<MeasuredRun>;
  send(method: string, url: string, body?: object): Promise<unknown>;
  remove(): Promise<void>;
}

async function send(method: string, url: string, body?: object): Promise<unknown> {
  // A kept connection may have been closed by a server while this process was busy.
  const options = body === undefined ? {} : { body: JSON.stringify(body) };
  const reply = await fetch(url, { method, headers: { connection: 'close' }, ...options });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${url}: ${reply.status} ${text}`);
  return JSON.parse(text);
}

const externalId = 'of-the-load';

/** The configuration of the tests, with what a load asks for. */
function configOf(quotaPercent: number | null, spread: Spread | null): string {
  const usual = readFileSync(join(root, 'local/stripewise.local.yaml'), 'utf8').replace(
    /^( *maxQuotaPercent:).*$/m,
    `$1 ${quotaPercent}`,
  );
  if (spread === null) return usual;
  const accounts = spread.accounts.map((account) => `"${account}"`).join(', ');
  // Two cores do eight targets at one time, a batch each: targetsAtOnce(25) is 8.
  const ofTargets = usual.replace(/^( *batchesAtOnce:) \d+.*$/m, '$1 25');
  return `${ofTargets}organization:\n  accounts: [${accounts}]\n  externalId: ${externalId}\n`;
}

async function plantFleet(
  services: Services,
  fleet: readonly LargeInstance[],
  spread: Spread | null,
): Promise<void> {
  const { ec2 } = services.urls;
  if (spread === null) {
    await send('PUT', `${ec2}/_stripewise/inventory?region=${localRegion}`, describedFleet(fleet));
    return;
  }
  const { accounts } = spread;
  await plantOrganization({
    ...{ services, externalId },
    accounts: accounts.map((id, index) => ({ id, name: `account-${index + 1}` })),
  });
  for (const account of accounts)
    for (const [region, share] of shareOf(fleet, spread, account))
      await send(
        'PUT',
        `${ec2}/_stripewise/inventory?region=${region}&account=${account}`,
        describedFleet(share, region),
      );
}

/**
 * @param days of the window. The loads' trouble is on their ninth day: a short one ends after it, a long one with the loads.
 * @param quotaPercent of what CloudWatch answers in a second, for the audit; null: no share, and calls as large as they can be.
 */
export async function loadedDeployment(
  fleet: readonly LargeInstance[],
  days: number,
  quotaPercent: number | null,
  /** Null: all of it is the hub's, in one Region. */
  spread: Spread | null = null,
): Promise<LoadedDeployment> {
  const endMinute = days > 9 ? minutesOfLoads : 9 * minutesPerDay;
  const untilEpochSeconds = lastWholeHour(new Date());
  const until = new Date(untilEpochSeconds * 1000).toISOString();
  const directory = mkdtempSync(join(tmpdir(), 'stripewise-load-'));
  const regions = spread?.regions ?? [localRegion];
  const { services, outputs } = await startDeployed(configOf(quotaPercent, spread), {
    root,
    directory,
    say: (line) => process.stderr.write(`${line}\n`),
    cloudWatchServer: [
      join(__dirname, 'serve-cloudwatch.ts'),
      ...['--accounts', (spread?.accounts ?? [localAccount]).join(','), '--regions', regions.join(',')],
      ...['--size', `${spread?.size ?? fleetSize}`, '--of-hundred', `${spread?.ofHundred ?? 100}`],
      ...['--start', `${untilEpochSeconds - endMinute * 60}`],
    ],
  });
  const memory = new WorkerMemory(directory, readdirSync(join(root, 'lambdas')));
  const remove = async (): Promise<void> => {
    memory.stop();
    await services.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await send('PUT', `${services.urls.cloudWatch}/_stripewise/clock`, { now: until });
    await plantFleet(services, fleet, spread);
    await connectSlack(services, outputs);
    const topic = await listenToTopic(services, outputs.FindingsTopic);
    return {
      services,
      send,
      run: async (input = {}) => {
        const [began, publishedBefore] = [Date.now(), topic.bytes.length];
        memory.take();
        const asked = { lookbackDays: days, until, regions, notify: true, ...input };
        const ran = await runDeployedAudit(services, outputs, asked);
        const seconds = (Date.now() - began) / 1000;
        await deliveriesDone(services, outputs);
        const runId = ran.executionArn.split(':').at(-1) ?? '';
        return {
          ...ran,
          seconds,
          memory: memory.take(),
          histories: await historiesOf(services, ran.executionArn),
          stored: await storedOf(services, outputs.RunsBucket, runId),
          calls: await callsOf(services, outputs.RunsBucket, runId),
          published: topic.bytes.slice(publishedBefore),
        };
      },
      remove: async () => {
        await topic.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
