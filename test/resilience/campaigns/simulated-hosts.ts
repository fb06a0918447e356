/**
 * node simulated-hosts.ts --port N --account ID --ministack URL --ec2 URL: Systems Manager with hosts that measure nothing:
 * every instance of a campaign is reached at once, and a result is what a made layout would give. For tests of the
 * workflow, not of layouts. A host that is to behave in another way is one of a campaign whose name begins so: see `Manner`.
 */
import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DescribeInstancesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { campaignTag } from '../../../core/benchmark/campaign/cells.ts';
import { overTls } from '../../../local/deploy.ts';
import { deployedDocuments } from '../../../local/ssm/documents.ts';
import { askMiniStack } from '../../../local/ssm/elsewhere.ts';
import { eventsToMiniStack } from '../../../local/ssm/events.ts';
import type { HostAnswer, HostCommand, Hosts, ManagedHost } from '../../../local/ssm/hosts.ts';
import { startSsm } from '../../../local/ssm/server.ts';
import { simulatedResult } from './simulated-result.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    account: { type: 'string', default: '111122223333' },
    ministack: { type: 'string', default: '' },
    ec2: { type: 'string', default: '' },
    /** That a command which measures takes. */
    'run-ms': { type: 'string', default: '100' },
  },
});
const { port, account, ministack } = values;
const region = 'us-east-1';
const credentials = { accessKeyId: account, secretAccessKey: 'test' };
const ec2 = new EC2Client({ endpoint: values.ec2, region, credentials });
const s3 = overTls(new S3Client({ endpoint: ministack, region, credentials, forcePathStyle: true }));
const lookEveryMs = 100;
const never = 2 ** 31 - 1;

/** Systems Manager never knows it; what it measures fails, or never ends; the end of its commands is reported twice. */
type Manner = 'unmanaged' | 'failing' | 'endless' | 'twice';
const isOf = (campaignId: string | undefined, manner: Manner): boolean =>
  campaignId?.startsWith(`${manner}-`) ?? false;

class SimulatedHosts implements Hosts {
  /** Campaigns by their running instances. */
  private running = new Map<string, string>();

  async follow(): Promise<never> {
    for (;;) {
      try {
        const { Reservations = [] } = await ec2.send(
          new DescribeInstancesCommand({
            Filters: [
              { Name: 'tag-key', Values: [campaignTag] },
              { Name: 'instance-state-name', Values: ['running'] },
            ],
          }),
        );
        this.running = new Map(
          Reservations.flatMap(({ Instances = [] }) => Instances).map(({ InstanceId = '', Tags }) => [
            InstanceId,
            Tags?.find(({ Key }) => Key === campaignTag)?.Value ?? '',
          ]),
        );
      } catch (error) {
        process.stderr.write(`EC2: ${String(error)}\n`);
      }
      await after(lookEveryMs);
    }
  }

  list(asked: string): ManagedHost[] {
    if (asked !== region) return [];
    return [...this.running]
      .filter(([, campaignId]) => !isOf(campaignId, 'unmanaged'))
      .map(([instanceId]) => ({ instanceId, isOnline: true, platform: 'Linux' }));
  }

  is(instanceId: string, manner: Manner): boolean {
    return isOf(this.running.get(instanceId), manner);
  }

  async run(_: string, instanceId: string, { parameters, signal }: HostCommand): Promise<HostAnswer> {
    const result = simulatedResult(parameters);
    if (result === null) return { status: 'Success', stdout: '', stderr: '' };
    if (this.is(instanceId, 'failing'))
      return { status: 'Failed', stdout: '', stderr: 'fio: started\nfio: no space left on the device' };
    const takesMs = this.is(instanceId, 'endless') ? never : Number(values['run-ms']);
    await after(takesMs, undefined, { signal });
    const [, Bucket, prefix] = /^s3:\/\/([^/]+)\/(.+)$/.exec(parameters['s3Uri'] ?? '') ?? [];
    await s3.send(
      new PutObjectCommand({
        Bucket,
        Key: `${prefix}/${parameters['runId']}.json`,
        Body: JSON.stringify(result),
      }),
    );
    return { status: 'Success', stdout: '', stderr: '' };
  }
}

const hosts = new SimulatedHosts();
void hosts.follow();
const notify = eventsToMiniStack(ministack, account);
await startSsm({
  ...{ port: Number(port), account, hosts },
  pace: { pendingMs: 0, runningMs: 0 },
  findDocument: deployedDocuments(ministack, account),
  askElsewhere: askMiniStack(ministack),
  sendEvent: async (of, event) => {
    const isTwice = event.resources.some((arn) => hosts.is(arn.replace(/^.*\//, ''), 'twice'));
    await Promise.all(isTwice ? [notify(of, event), notify(of, event)] : [notify(of, event)]);
  },
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
