/**
 * Changes of volumes in a local AWS, each with one trouble of its own: a function that is killed before or after a call, an answer
 * that is lost, a refusal. None is made twice, each ends, and people hear of it. The clock is set: 27 hours pass in minutes.
 */
import { EC2Client } from '@aws-sdk/client-ec2';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SFNClient } from '@aws-sdk/client-sfn';
import { z } from 'zod';
import { changesAnswerSchemas } from '../../core/schemas/changes-answers.ts';
import type { ChangeEnd, VolumeChange } from '../../core/schemas/volume-change.ts';
import { isoFromEpochSeconds, secondsPerDay, secondsPerHour } from '../../core/units.ts';
import { SimulatedTime } from '../../local/changes/simulated-time.ts';
import { goingByClock } from '../../local/clock.ts';
import { clientSettings, connectSlack, deliveriesDone } from '../../local/deploy.ts';
import type { Fault } from '../../local/gateway/faults.ts';
import { lastWholeHour, sendJson } from '../../local/load-fleet.ts';
import { postSigned } from '../../local/post-signed.ts';
import { runDeployedAudit } from '../../local/run-audit.ts';
import { localAccount, localRegion } from '../../local/services.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { closedLoop } from '../simulator/loads.ts';
import type { VolumePlan } from '../simulator/plan.ts';
import { publish } from '../simulator/publish.ts';
import { simulateInstance, volumeIdOf } from '../simulator/simulate.ts';
import { type BehindGateway, startBehindGateway } from './behind-gateway.ts';

const root = `${__dirname}/../..`;
const { path: clockDirectory } = temporaryDirectory();
const seed = 33;
const daysBefore = 8;

/** Its approval is a rule: what is tried is what comes after it. */
const config = `
regions: [us-east-1]
archive: {}
changes:
  approvers: { roles: ['arn:aws:iam::${localAccount}:role/dba'] }
  automatic: [{ direction: increase, maxUsdPerMonth: 100 }]
  maxAtOnce: 100
  maxPerDay: 1000
  maxIncreaseUsdPerMonth: null
audit: { batchesAtOnce: 2, maxQuotaPercent: null }
monitoring: { enabled: false }
channels:
  slack: { kind: slack-webhook }
`;

type Trouble = Pick<Fault, 'kind' | 'service' | 'operation' | 'after'> | { lost: number };

interface Case {
  trouble: Trouble | null;
  end: ChangeEnd;
  /** Modifications that EC2 begins. */
  begun: 0 | 1;
}

const better: ChangeEnd = { code: 'kept', outcome: 'better' };
const notMade = (reason: 'outcome-unknown' | 'refused-by-ec2'): ChangeEnd => ({ code: 'not-made', reason });
const modify = { service: 'ec2', operation: 'ModifyVolume' } as const;
const write = { service: 'dynamodb', operation: 'PutItem' } as const;
const say = { service: 'sns', operation: 'Publish' } as const;
const look = { service: 'ec2', operation: 'DescribeVolumesModifications' } as const;

/** By name. */
const cases: Record<string, Case> = {
  none: { trouble: null, end: better, begun: 1 },
  'answer lost, an error comes': { trouble: { lost: 500 }, end: better, begun: 1 },
  'answer lost, the connection ends': { trouble: { lost: 0 }, end: better, begun: 1 },
  'killed after ModifyVolume': { trouble: { kind: 'crash', ...modify }, end: better, begun: 1 },
  // What is written as asked for is never called again.
  'killed before ModifyVolume': {
    ...{ trouble: { kind: 'crash-before', ...modify }, end: notMade('outcome-unknown'), begun: 0 },
  },
  'an error of ModifyVolume': {
    ...{ trouble: { kind: 'internal-error', ...modify }, end: notMade('outcome-unknown'), begun: 0 },
  },
  'ModifyVolume is denied': {
    ...{ trouble: { kind: 'access-denied', ...modify }, end: notMade('refused-by-ec2'), begun: 0 },
  },
  'the rate of ModifyVolume': { trouble: { kind: 'throttled', ...modify }, end: better, begun: 1 },
  'killed after it looked': { trouble: { kind: 'crash', ...look }, end: better, begun: 1 },
  'looking is denied once': { trouble: { kind: 'access-denied', ...look }, end: better, begun: 1 },
  ...Object.fromEntries(
    [0, 1, 2, 3, 4].flatMap((after) => [
      [
        `killed before write ${after + 1}`,
        { trouble: { kind: 'crash-before', ...write, after }, end: better, begun: 1 },
      ],
      [
        `killed after write ${after + 1}`,
        { trouble: { kind: 'crash', ...write, after }, end: better, begun: 1 },
      ],
    ]),
  ),
  // That write says that ModifyVolume is asked for: who wrote it and was killed never called it.
  'killed after write 3': {
    ...{ trouble: { kind: 'crash', ...write, after: 2 }, end: notMade('outcome-unknown'), begun: 0 },
  },
  'killed before it said so': { trouble: { kind: 'crash-before', ...say }, end: better, begun: 1 },
  'killed after it said so': { trouble: { kind: 'crash', ...say }, end: better, begun: 1 },
};
const names = Object.keys(cases);

const idOf = (name: string): string => volumeIdOf({ name } as VolumePlan, seed);
const load = closedLoop({
  // 5,100 IOPS in three hours of the day, of which 3,000 are there.
  ...{ ioKiB: 8, thinkMs: 5 },
  workers: (minute) => (Math.floor(minute / 60) % 24 < 3 ? 30 : 7),
});

/** Three to an instance, which has room for what they want. */
function inventory() {
  const window = { startEpochSeconds: 0, minutes: 0, seed };
  const instances = Array.from({ length: Math.ceil(names.length / 3) }, (_, i) =>
    simulateInstance(
      {
        ...{ name: `host-${i}`, region: localRegion, zone: `${localRegion}a`, instanceType: 'm5.4xlarge' },
        volumes: names.slice(3 * i, 3 * i + 3).map((name) => ({
          ...{ name, volumeType: 'gp3', sizeGiB: 200, iops: 3_000, throughputMiBps: 125 },
        })),
      },
      window,
    ),
  );
  const { describeVolumes, describeInstances } = publish(instances, window);
  return { ...describeVolumes, ...describeInstances };
}

const modificationsSchema = z.array(z.object({ VolumeId: z.string() }));

/** Tries of clients take their time: the local CloudWatch has the quotas of AWS. */
const environment = { ...goingByClock(root, clockDirectory), STRIPEWISE_WAIT_SCALE: '1' };

let stage: BehindGateway;
let ended: Map<string, VolumeChange>;
let begun: Map<string, number>;
let calls: number;
let messages: string;

async function asked(body: object): Promise<unknown> {
  const client = new LambdaClient(clientSettings(stage.services));
  const { status, text } = await postSigned(client, stage.outputs.ChangesUrl ?? '', body);
  client.destroy();
  if (status !== 200) throw new Error(`${status} ${text}`);
  return JSON.parse(text);
}
const ledger = async () => changesAnswerSchemas.list.parse(await asked({ do: 'list' })).changes;

function order(name: string): Promise<unknown> | undefined {
  const { trouble } = cases[name] as Case;
  const sends = idOf(name);
  if (trouble === null) return;
  if ('lost' in trouble)
    return sendJson('POST', `${stage.services.urls.ec2}/_stripewise/faults`, {
      ...{ operation: 'ModifyVolume', with: { VolumeId: sends }, times: 1, after: true },
      ...{ code: 'InternalError', status: trouble.lost },
    });
  stage.gateway.faults.add({ ...trouble, times: 1, functionPart: 'AdvanceChange', sends });
  return;
}

beforeAll(async () => {
  stage = await startBehindGateway({
    ...{ config, workflowWaitScale: 1, environment },
  });
  const { services, outputs, gateway } = stage;
  await connectSlack(services, outputs);
  const { ec2: url, slack } = services.urls;
  await sendJson('PUT', `${url}/_stripewise/inventory?region=${localRegion}`, inventory());
  await sendJson('PUT', `${url}/_stripewise/modifications`, {
    modifyingSeconds: 60,
    optimizingSeconds: 1_200,
  });
  const ec2 = new EC2Client({ ...clientSettings(services), endpoint: url });
  const workflows = new SFNClient(clientSettings(services));
  const begin = lastWholeHour(new Date());
  const time = new SimulatedTime(
    {
      ...{ ec2, workflows, stateMachineArn: outputs.ChangesStateMachine ?? '' },
      services: { urls: services.urls, directory: clockDirectory },
      loads: Object.fromEntries(names.map((name) => [idOf(name), load])),
    },
    begin,
  );
  await time.lived(begin - daysBefore * secondsPerDay, begin);
  await time.set(begin);
  const input = { lookbackDays: daysBefore, until: isoFromEpochSeconds(begin), notify: true };
  const { result, status } = await runDeployedAudit(services, outputs, input);
  if (result === null) throw new Error(status);
  gateway.reset();
  for (const name of names) {
    const found = result.findings.find(({ resource }) => resource.id === idOf(name));
    if (found === undefined) throw new Error(`the audit found nothing on the volume "${name}"`);
    await order(name);
    expect(await asked({ do: 'propose', findingId: found.id })).toMatchObject({ change: {} });
  }
  await time.quiet();
  // Two hours by ten minutes, as retries and looking for an outcome need them; then the day that is compared.
  for (let i = 0; i < 12; i++) await time.pass(secondsPerHour / 6);
  await time.pass(secondsPerDay + secondsPerHour);
  for (let i = 0; i < 2; i++) await time.pass(secondsPerHour / 2);
  await deliveriesDone(services, outputs);
  ended = new Map((await ledger()).map((change) => [change.plan.volumeId, change]));
  const all = modificationsSchema.parse(await (await fetch(`${url}/_stripewise/modifications`)).json());
  begun = new Map();
  for (const { VolumeId } of all) begun.set(VolumeId, (begun.get(VolumeId) ?? 0) + 1);
  calls = gateway.calls.filter(({ operation }) => operation === 'ModifyVolume').length;
  messages = await (await fetch(`${slack}/_stripewise/messages`)).text();
  for (const client of [ec2, workflows]) client.destroy();
}, 1_200_000);
afterAll(() => stage?.remove());

test.each(names)('%s', (name) => {
  const { end, begun: expected } = cases[name] as Case;
  const change = ended.get(idOf(name));
  expect([change?.end, begun.get(idOf(name)) ?? 0]).toEqual([end, expected]);
  expect(change?.notified).toContain('ended');
  expect(messages).toContain(idOf(name));
});

test('no volume is modified twice, and nobody is left without news', () => {
  const doubles = [...begun.values()].filter((count) => count > 1).length;
  const unheard = names.filter((name) => ended.get(idOf(name))?.notified.includes('ended') !== true).length;
  console.log(
    `${names.length} changes: ${calls} calls of ModifyVolume, ${doubles} double modifications, ${unheard} unheard ends`,
  );
  // One call each, one more where its rate was exceeded, and none where it was killed before it.
  expect([calls, doubles, unheard]).toEqual([names.length + 1 - 1, 0, 0]);
});
