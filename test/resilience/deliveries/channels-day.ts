/** The service with a channel of every kind, on a day on which IAM is asked and trouble can be ordered. */
import { randomBytes, randomUUID } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { RunStore } from '../../../adapters/aws/run-store.ts';
import { type ChannelKind, channelKinds } from '../../../core/config/config.ts';
import { wholeMessageKey } from '../../../core/lifecycle/stored-message.ts';
import type { Notification } from '../../../core/schemas/notification.ts';
import { clientSettings, localBotSecret, overTls, type StackOutputs } from '../../../local/deploy.ts';
import type { Gateway } from '../../../local/gateway/gateway.ts';
import { lastWholeHour, loadFleet } from '../../../local/load-fleet.ts';
import { runDeployedAudit } from '../../../local/run-audit.ts';
import type { Services } from '../../../local/services.ts';
import { localBot, localWebhookPath } from '../../../local/slack/server.ts';
import { startTeams } from '../../../local/teams/server.ts';
import { aFinding, aNotification, onVolume } from '../../fixtures/findings.ts';
import type { SimulatedFleet } from '../../simulator/fleet.ts';
import { Account } from '../account.ts';
import { startBehindGateway } from '../behind-gateway.ts';
import { type FunctionRoles, withIam } from '../function-roles.ts';
import { notify } from '../notify.ts';
import { region, smallFleet } from '../small-fleet.ts';
import { Ears, type Said } from './ears.ts';

/** Of what a test says itself; audits and monitoring find theirs elsewhere. */
const regionOfTests = 'eu-central-1';
const maxMessagesPerHour = 3_600;

/** How long who delivers may take, in seconds: whoever takes over from one that died waits as long. */
export const secondsForAll = 8;

const withoutMore: object = { digests: false, alarms: false };

/** A channel of each kind by its kind. What a test says goes where its tag says; all else to the webhook. */
const config = {
  regions: [region],
  audit: { batchesAtOnce: 2 },
  monitoring: { enabled: true, everyMinutes: 5 },
  budget: { apiUsdPerMonth: 100 },
  notifications: { digest: 'daily' },
  channels: Object.fromEntries(
    channelKinds.map((kind) => [
      kind,
      {
        kind,
        maxMessagesPerHour,
        ...(kind === 'slack-bot' ? { channel: localBot.channel, buttons: true } : {}),
      },
    ]),
  ),
  routes: [
    { to: ['slack-webhook'], regions: [region] },
    ...channelKinds.map((kind) => ({
      ...{ to: [kind], regions: [regionOfTests], tags: { to: [kind, 'all'] } },
      ...withoutMore,
    })),
  ],
};

export interface ChannelsDay {
  services: Services;
  outputs: StackOutputs;
  gateway: Gateway;
  roles: FunctionRoles;
  account: Account;
  ears: Ears;
  fleet: SimulatedFleet;
  /** Ids of what the audit of before found. */
  findingIds: string[];
  /** Publishes news for one channel, or for all. */
  say(to: ChannelKind | 'all'): Promise<Said>;
  /** Who delivers is ended after so many seconds, and what it had comes again then. */
  letDeliverLast(seconds: number): Promise<void>;
  /** Servers of channels make no more trouble. */
  resetChannels(): Promise<void>;
  remove(): Promise<void>;
}

/** The bucket of runs has a page of the run, which pictures are drawn from. */
const newsOf = ({ name, findingId }: Said, to: string, volumeId: string, runId: string): Notification => {
  const resource = onVolume(volumeId, { name, region: regionOfTests, account: '111122223333', tags: { to } });
  const { run, ...news } = aNotification([aFinding({ id: findingId, resource })]);
  return { ...news, id: randomUUID(), run: run && { ...run, runId } };
};

async function connect(
  services: Services,
  { ChannelSecrets }: StackOutputs,
  teamsUrl: string,
): Promise<void> {
  const { slack } = services.urls;
  const secrets = new SecretsManagerClient(clientSettings(services));
  const SecretString = JSON.stringify({
    'slack-webhook': { webhookUrl: `${slack}${localWebhookPath}` },
    'slack-bot': localBotSecret(slack),
    teams: { webhookUrl: teamsUrl },
  });
  await secrets.send(new PutSecretValueCommand({ SecretId: ChannelSecrets, SecretString }));
  secrets.destroy();
}

/** @param prepare the account before the deployment. */
export async function startChannelsDay(
  prepare: (services: Services, fleet: SimulatedFleet) => Promise<void>,
): Promise<ChannelsDay> {
  const teams = await startTeams();
  const fleet = smallFleet(lastWholeHour(new Date()));
  const made: { roles?: FunctionRoles } = {};
  const day = await startBehindGateway({
    ...withIam((roles) => {
      made.roles = roles;
    }),
    config: JSON.stringify(config),
    workflowWaitScale: 0.003,
    checked: true,
    prepare: async (services) => {
      await loadFleet(services.urls, fleet);
      await prepare(services, fleet);
    },
  });
  const remove = async (): Promise<void> => {
    await day.remove();
    await teams.stop();
  };
  try {
    const { services, outputs } = day;
    const { roles } = made;
    if (roles === undefined) throw new Error('deployed without asking who may do what');
    const account = new Account(services, outputs);
    await account.stopSchedules();
    await account.askQueuesAt(day.gateway.url);
    await connect(services, outputs, teams.webhookUrl);
    const ears = new Ears(services, outputs, teams.url);
    await ears.open();
    const until = new Date(fleet.endEpochSeconds * 1_000).toISOString();
    const { result, status } = await runDeployedAudit(services, outputs, {
      ...{ lookbackDays: 26 / 24, until, notify: true },
    });
    if (result === null) throw new Error(status);
    await account.deliveriesDone();
    const volumeId = result.findings.find(({ kind }) => kind === 'throttled-volume-iops')?.resource.id;
    const store = new RunStore(
      overTls(new S3Client({ ...clientSettings(services), forcePathStyle: true })),
      outputs.RunsBucket,
    );
    const sns = overTls(new SNSClient(clientSettings(services)));
    return {
      ...{ ...day, account, ears, fleet, remove, roles },
      findingIds: result.findings.map(({ id }) => id),
      say: async (to) => {
        const findingId = randomBytes(8).toString('hex');
        const said = { name: `news-${findingId}`, findingId };
        const news = newsOf(said, to, volumeId ?? '', result.runId);
        const wholeKey = wholeMessageKey(news.id);
        // As a large message comes: the topic names none of its findings.
        await store.putJson(wholeKey, news);
        const Message = JSON.stringify({ ...news, notified: [], notShown: 1, wholeKey });
        await sns.send(new PublishCommand({ TopicArn: outputs.FindingsTopic, Message }));
        return said;
      },
      letDeliverLast: async (seconds) => {
        await account.setTimeout('DeliverMessages', seconds);
        await account.setVisibility(seconds);
      },
      resetChannels: async () => {
        await notify('DELETE', `${services.urls.slack}/_stripewise/faults`, {});
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
