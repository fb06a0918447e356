/** The service deployed into a local AWS of the test's own, with the simulated fleet in it. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { type AuditResult, auditResultSchema } from '../../core/schemas/audit-result.ts';
import { deliveriesDone, type StackOutputs } from '../../local/deploy.ts';
import { type HostsOfRegions, lastWholeHour, loadFleet } from '../../local/load-fleet.ts';
import { emulatedPriceFactors } from '../../local/pricing/products.ts';
import { type DeployedRun, runDeployedAudit } from '../../local/run-audit.ts';
import { startDeployed } from '../../local/saved-deployment.ts';
import { recordingIn, type Services } from '../../local/services.ts';
import { localBot } from '../../local/slack/server.ts';
import { expectRequestsTaken } from '../requests/check-requests.ts';
import { stopSchedules } from '../resilience/plain-calls.ts';
import { type SimulatedFleet, simulateFleet } from '../simulator/fleet.ts';
import type { FleetPlan } from '../simulator/plan.ts';

const root = join(__dirname, '../..');

export interface LocalDeployment {
  services: Services;
  outputs: StackOutputs;
  fleet: SimulatedFleet;
  /** The fleet's time, as a run is asked for it. */
  window: { lookbackDays: number; periodSeconds: number; until: string };
  /** Runs the deployed audit over the fleet's time. */
  run(input?: object): Promise<DeployedRun>;
  /** Runs an audit of the command line against the same servers; one that ends with 0, 1 or 3. */
  cli(...argv: string[]): Promise<AuditResult>;
  /** `catalog refresh` against the same servers, for what `cli` does after it; what it printed. */
  refreshCatalog(region: string): Promise<string>;
  slackMessages(): Promise<{ text: string; blocks: unknown[] }[]>;
  /** Sends JSON to a server's own routes. */
  notify(method: string, url: string, body?: object): Promise<void>;
  /** A look at all requests that were made in it. @throws Error where AWS would refuse one. */
  checkRequests(): Promise<void>;
  /** Removes it, after that look where nobody took it. */
  remove(): Promise<void>;
}

const messagesSchema = z.array(
  z.object({ message: z.object({ text: z.string(), blocks: z.array(z.unknown()) }) }),
);

/**
 * A channel of each kind, monitoring, and hosts that are asked: one stack for all suites that need more than the demo's. What a suite
 * does not want of it, it leaves without secret or stops.
 */
const everything = `
regions: [us-east-1]
audit: { batchesAtOnce: 2, hostDiscovery: true }
monitoring: { enabled: true, everyMinutes: 1 }
budget: { apiUsdPerMonth: 20 }
channels:
  slack: { kind: slack-webhook }
  dba: { kind: slack-bot, channel: ${localBot.channel}, buttons: true, maxMessagesPerHour: 3600 }
  ops: { kind: teams }
  chat: { kind: amazon-q, maxMessagesPerHour: 3600 }
  mail: { kind: sns }
  bus: { kind: eventbridge }
report: { links: true }
routes:
  - { to: [slack, dba, chat, mail, bus] }
  - { to: [ops], minSeverity: critical }
`;

/** Of the members of the organization, where the stack has one. */
export const externalId = 'the-hub';

/** An account of the organization that has a budget of its own. */
export const budgetedAccount = '222233334444';

/** As often as can be: what two runs in a row do not see is gone. */
const organization = `
regions: [us-east-1, eu-central-1]
audit: { batchesAtOnce: 2, maxQuotaPercent: null, everyHours: 1 }
monitoring: { enabled: true, everyMinutes: 1 }
budget:
  apiUsdPerMonth: 20
  accounts:
    - { accounts: ['${budgetedAccount}'], apiUsdPerMonth: 5 }
organization: { accounts: all, externalId: ${externalId} }
archive: {}
channels:
  slack: { kind: slack-webhook }
`;

interface DeployOptions {
  /** @default the configuration of the demo */
  stack?: 'demo' | 'everything' | 'organization' | 'archive' | 'opinions';
  /** Nothing but what the suite calls runs. */
  withoutSchedules?: true;
  /** What the fleet's hosts answer when they are asked. */
  hosts?: HostsOfRegions;
  /** Another fleet than the whole one. */
  plan?: FleetPlan;
}

const lookbackDays = 26 / 24;

const demoConfig = (): string => readFileSync(join(root, 'local/stripewise.local.yaml'), 'utf8');

/** The fleet's time is the usual window: a day's tables and the fleet by day are of usual runs. */
const archived = (): string =>
  `${demoConfig().replace('audit:\n', `audit:\n  lookbackDays: ${lookbackDays}\n`)}archive: {}\n`;

/** Compared with what other services recommend. */
const opinions = (): string =>
  demoConfig().replace('audit:\n', 'audit:\n  compareWith: [compute-optimizer, cost-optimization-hub]\n');

const configOf = ({ stack = 'demo' }: DeployOptions): string =>
  ({ demo: demoConfig(), everything, organization, archive: archived(), opinions: opinions() })[stack];

export async function localDeployment(options: DeployOptions = {}): Promise<LocalDeployment> {
  const directory = mkdtempSync(join(tmpdir(), 'stripewise-local-'));
  const { services, outputs } = await startDeployed(configOf(options), {
    ...{ root, directory, say: (line) => process.stderr.write(`${line}\n`) },
    recordsRequests: true,
  });
  const remove = async (): Promise<void> => {
    await services.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    const fleet = simulateFleet({
      endEpochSeconds: lastWholeHour(new Date()),
      priceFactors: emulatedPriceFactors,
      ...(options.plan === undefined ? {} : { plan: options.plan }),
    });
    const window = {
      lookbackDays,
      periodSeconds: 60,
      until: new Date(fleet.endEpochSeconds * 1000).toISOString(),
    };
    await loadFleet(services.urls, fleet, options.hosts);
    if (options.withoutSchedules) await stopSchedules(services);
    const stripewise = (...argv: string[]) =>
      promisify(execFile)(process.execPath, [join(root, 'bin/stripewise.ts'), ...argv], {
        // A cache of its own: what this machine's user refreshed is of another account.
        env: { ...services.env, ...recordingIn(root, directory), XDG_CACHE_HOME: join(directory, 'cache') },
        maxBuffer: 1024 ** 3,
      });
    let areChecked = false;
    const checkRequests = (): Promise<void> => {
      areChecked = true;
      return expectRequestsTaken(services, options.stack ?? 'demo');
    };
    return {
      services,
      outputs,
      fleet,
      checkRequests,
      remove: async () => {
        try {
          if (!areChecked) await checkRequests();
        } finally {
          await remove();
        }
      },
      window,
      run: (input = {}) => runDeployedAudit(services, outputs, { ...window, notify: true, ...input }),
      cli: async (...argv) => {
        const ran = await stripewise(...argv, '--json').catch(
          (error: { code: number; stdout: string; stderr: string }) => {
            if (error.code === 1 || error.code === 3) return error;
            throw new Error(`stripewise ${argv[0]} ended with ${error.code}: ${error.stderr}`);
          },
        );
        return auditResultSchema.parse(JSON.parse(ran.stdout));
      },
      refreshCatalog: async (region) => (await stripewise('catalog', 'refresh', '--region', region)).stdout,
      slackMessages: async () => {
        await deliveriesDone(services, outputs);
        const reply = await fetch(`${services.urls.slack}/_stripewise/messages`);
        return messagesSchema.parse(await reply.json()).map(({ message }) => message);
      },
      notify: async (method, url, body) => {
        const json = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
        const reply = await fetch(url, { method, ...(body === undefined ? {} : json) });
        if (!reply.ok) throw new Error(`${method} ${url}: ${reply.status} ${await reply.text()}`);
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
