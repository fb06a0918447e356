/** The audit as it is deployed with `audit.hostDiscovery`, in a local AWS whose hosts answer what they were given. */
import { z } from 'zod';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import type { HostsOfRegions } from '../../local/load-fleet.ts';
import type { DeployedRun } from '../../local/run-audit.ts';
import { disksOf, stripedHost } from '../cli/striped-account.ts';
import { hostDocument, lsblkText } from '../core/stripes/hosts.ts';
import type { FleetPlan, VolumePlan } from '../simulator/plan.ts';
import { fleetPlan } from '../simulator/plans/index.ts';
import { instanceIdOf, volumeIdOf } from '../simulator/simulate.ts';
import { resultOf } from './compare-runs.ts';
import { type LocalDeployment, localDeployment } from './local-deployment.ts';
import { keptReadings } from './stored-page.ts';

/** The document is in the Region of the stack, and asks hosts there. */
const region = 'us-east-1';

/** Three that are distinguished by how they answer, and one with a file system on each volume. */
const names = ['survey', 'pricing', 'reporting', 'etl'] as const;
const plan: FleetPlan = {
  instances: fleetPlan.instances.filter(({ name }) => (names as readonly string[]).includes(name)),
  loose: [],
};

/** The simulator's own, of which all ids are made. */
const seed = 1;
const idOf = (name: (typeof names)[number]): string => instanceIdOf(name, seed);
const volumesOf = (name: (typeof names)[number]): VolumePlan[] =>
  plan.instances.filter((one) => one.name === name).flatMap(({ volumes }) => volumes);
const idsOf = (volumes: readonly VolumePlan[]): string[] =>
  volumes.map((one) => volumeIdOf(one, seed)).sort();

const members = idsOf(volumesOf('survey').filter(({ sizeGiB }) => sizeGiB === 500));
/** What its first volume counted of a limit of its own: 60 s. */
const counted = {
  ...{ reader: 'nvme', epochSeconds: 1_795_046_400, uptimeSeconds: 5_000.25, form: 'whole' },
  ...{ bootId: '0f0e0d0c-0b0a-4908-8706-050403020100', failed: '', leftOut: '' },
  readings: `nvme1n1 ${(idsOf(volumesOf('etl'))[0] as string).replace('-', '')} 12 1 3 60000000,0,0,0\n`,
};
const eachAlone = hostDocument({
  lsblk: lsblkText(...disksOf(idsOf(volumesOf('etl')), (i) => ({ fstype: 'xfs', mountpoint: `/data${i}` }))),
});
const hosts: HostsOfRegions = {
  [region]: {
    [idOf('survey')]: { stdout: stripedHost(members) },
    [idOf('pricing')]: { online: false },
    [idOf('reporting')]: { status: 'Failed', stderr: 'sh: not found' },
    [idOf('etl')]: { stdout: JSON.stringify({ ...JSON.parse(eachAlone), ebsStatistics: counted }) },
  },
};

let deployment: LocalDeployment;
let run: DeployedRun;
let result: AuditResult;
beforeAll(async () => {
  deployment = await localDeployment({ stack: 'everything', withoutSchedules: true, hosts, plan });
  run = await deployment.run();
  result = resultOf(run);
}, 240_000);
afterAll(() => deployment?.remove());

test('a stripe is known from its host, by the name it has there', () => {
  const instanceId = idOf('survey');
  expect(members).toHaveLength(4);
  expect(result.stripes.filter(({ evidence }) => evidence === 'host')).toEqual([
    {
      ...{ stripeId: `${instanceId}/data/data`, name: 'data/data', instanceId, region, volumeIds: members },
      ...{ evidence: 'host', confidence: 'high', kind: 'stripe', chunkKiB: 64, builtWith: 'lvm' },
      mountPoints: ['/data'],
      // 4 x 8,000 and 4 x 2,000
      limits: { baselineIops: 32_000, burstIops: 32_000, baselineMiBps: 8_000, burstMiBps: 8_000 },
      unlikeMembers: [],
    },
  ]);
});

test('a host that is not reached and one that fails are notices, and the run is whole', () => {
  expect(result.notices).toHaveLength(2);
  expect(result.notices).toEqual(
    expect.arrayContaining(
      [
        { instanceIds: [idOf('pricing')], reason: { code: 'not-reached' } },
        { instanceIds: [idOf('reporting')], reason: { code: 'command-ended', status: 'Failed' } },
      ].map((one) => ({ code: 'host-not-read', count: 1, ...one })),
    ),
  );
  expect(run.output).toMatchObject({ partial: false });
  expect(result.coverage.incomplete).toEqual([]);
});

test('the others were asked for their output, after more than one look at how far it is', async () => {
  const reply = await fetch(`${deployment.services.urls.ssm}/_stripewise/counts`);
  const { calls } = z.object({ calls: z.record(z.string(), z.number()) }).parse(await reply.json());
  expect(calls['GetCommandInvocation']).toBe(names.length - 2);
  expect(calls['ListCommandInvocations']).toBeGreaterThan(calls['SendCommand'] ?? 0);
  expect(calls).not.toHaveProperty('CancelCommand');
});

test('the command line hears the same of the same hosts', async () => {
  const { lookbackDays, periodSeconds, until } = deployment.window;
  const cli = await deployment.cli(
    ...[
      'audit',
      '--region',
      region,
      '--until',
      until,
      '--host-discovery',
      deployment.outputs.StripesDocument ?? '',
    ],
    ...['--lookback-days', `${lookbackDays}`, '--period-seconds', `${periodSeconds}`],
  );
  expect(cli.stripes).toEqual(result.stripes);
  expect(cli.notices.filter(({ code }) => code === 'host-not-read')).toEqual(result.notices);
});

test('what a host counted is kept, and the next run reads it', async () => {
  expect((await deployment.run()).output).toMatchObject({ partial: false });
  const [account] = result.accounts ?? [];
  const readings = await keptReadings(deployment, {
    account: account as string,
    region,
    instanceId: idOf('etl'),
  });
  expect(readings).toHaveLength(1);
  expect(readings[0]?.volumes).toEqual([
    expect.objectContaining({ volumeId: idsOf(volumesOf('etl'))[0], epochSeconds: 1_795_046_403 }),
  ]);
}, 120_000);
