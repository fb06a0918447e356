/** Monitoring as it is deployed: a bucket that runs dry between two audits is reported before it is empty. */
import { InvokeCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { z } from 'zod';
import { clientSettings, connectSlack, deliveriesDone } from '../../local/deploy.ts';
import { fleetPlan } from '../simulator/plans/index.ts';
import { type LocalDeployment, localDeployment } from './local-deployment.ts';

const plan = { instances: fleetPlan.instances.filter(({ name }) => name === 'refill-us'), loose: [] };

const volumeSchema = z.object({ VolumeId: z.string(), VolumeType: z.string(), Size: z.number() });

let deployment: LocalDeployment;
let volumeId: string;

beforeAll(async () => {
  deployment = await localDeployment({ stack: 'everything', plan });
  await connectSlack(deployment.services, deployment.outputs);
  const described = z.object({ Volumes: z.array(volumeSchema) });
  const bucketed = deployment.fleet.regions
    .flatMap(({ describeVolumes }) => described.parse(describeVolumes).Volumes)
    .find(({ VolumeType, Size }) => VolumeType === 'gp2' && Size < 1_000);
  if (bucketed === undefined) throw new Error('the fleet has no gp2 with credits');
  volumeId = bucketed.VolumeId;
}, 400_000);
afterAll(() => deployment?.remove());

/** Its balance falls by 4 % a minute, and 40 % are left two minutes ago. */
async function drain(): Promise<void> {
  const { services, notify } = deployment;
  const now = Math.floor(Date.now() / 60_000) * 60;
  await notify('PUT', `${services.urls.cloudWatch}/_stripewise/clock`, {
    now: new Date(now * 1_000).toISOString(),
  });
  const epochSeconds = Array.from({ length: 16 }, (_, i) => now - (17 - i) * 60);
  const series = (metric: string, values: number[]) => ({
    ...{ namespace: 'AWS/EBS', metric, dimensions: { VolumeId: volumeId }, epochSeconds, values },
  });
  await notify('POST', `${services.urls.cloudWatch}/_stripewise/series?region=us-east-1`, {
    series: [
      series(
        'BurstBalance',
        epochSeconds.map((_, i) => 40 + 4 * (15 - i)),
      ),
      series(
        'VolumeReadOps',
        epochSeconds.map(() => 180_000),
      ),
      series(
        'VolumeWriteOps',
        epochSeconds.map(() => 0),
      ),
      series(
        'VolumeReadBytes',
        epochSeconds.map(() => 180_000 * 4_096),
      ),
      series(
        'VolumeWriteBytes',
        epochSeconds.map(() => 0),
      ),
      series(
        'VolumeQueueLength',
        epochSeconds.map(() => 2),
      ),
    ],
  });
}

async function tick(): Promise<unknown> {
  const lambda = new LambdaClient(clientSettings(deployment.services));
  const { Functions = [] } = await lambda.send(new ListFunctionsCommand({}));
  const found = Functions.find(({ FunctionName }) => FunctionName?.includes('WatchVolumes'));
  const { Payload, FunctionError } = await lambda.send(
    new InvokeCommand({ FunctionName: found?.FunctionName, Payload: '{}' }),
  );
  const answer: unknown = JSON.parse(Buffer.from(Payload ?? []).toString());
  if (FunctionError !== undefined) throw new Error(JSON.stringify(answer));
  return answer;
}

/** Told by the schedule's ticks too. */
async function notifiedOf(words: string): Promise<string[]> {
  for (let tries = 0; tries < 60; tries++) {
    await deliveriesDone(deployment.services, deployment.outputs);
    const texts = (await deployment.slackMessages()).map((message) => JSON.stringify(message));
    const about = texts.filter((text) => text.includes(words) && text.includes(volumeId));
    if (about.length > 0) return about;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  return [];
}

test('what will be empty soon is reported with the minutes that are left, once', async () => {
  await drain();
  const first = await tick();
  expect(first).toMatchObject({ unread: [] });
  const [message, ...more] = await notifiedOf('burst credits run out in');
  // 60 points were spent in 16 minutes, and in the half hour before nothing is known of more: 40 % last for 10 to 20 minutes.
  const [, minutes] =
    /burst credits run out in (\d+) min, about \d+ \w+ \d\d:\d\d UTC \(40 % left\)/.exec(message ?? '') ?? [];
  expect(Number(minutes)).toBeGreaterThanOrEqual(10);
  expect(Number(minutes)).toBeLessThanOrEqual(20);
  expect(message).toMatch(/Fix: gp3, .* online, /);
  expect(message).toContain('USD a month');
  expect(more).toEqual([]);
  await tick();
  expect(await notifiedOf('burst credits run out in')).toHaveLength(1);
}, 300_000);
