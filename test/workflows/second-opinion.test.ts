/** The audit as it is deployed with `audit.compareWith`, in a local AWS that has recommendations, refuses them, or is not enrolled. */
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { opinionLabels } from '../../core/schemas/second-opinion.ts';
import { recommendationsOf } from '../../local/compute-optimizer/recommendations.ts';
import { localAccount } from '../../local/services.ts';
import type { FleetPlan } from '../simulator/plan.ts';
import { fleetPlan } from '../simulator/plans/index.ts';
import { resultOf } from './compare-runs.ts';
import { type LocalDeployment, localDeployment } from './local-deployment.ts';

/** Some of the fleet, with each label among them. */
const names = ['refill', 'batch', 'app', 'web', 'orders', 'index', 'billing', 'tiny'];
const plan: FleetPlan = {
  instances: fleetPlan.instances.filter(({ volumes }) =>
    volumes.some(({ name }) => names.some((one) => name.startsWith(one))),
  ),
  loose: fleetPlan.loose,
};

let deployment: LocalDeployment;
/** Before anybody is enrolled, with recommendations, and where reading them is denied. */
let before: AuditResult;
let compared: AuditResult;
let denied: AuditResult;

const put = (path: string, body: object): Promise<void> =>
  deployment.notify('PUT', `${deployment.services.urls.pricing}/_stripewise/${path}`, body);

beforeAll(async () => {
  deployment = await localDeployment({ stack: 'opinions', withoutSchedules: true, plan });
  before = resultOf(await deployment.run());
  await put(`recommendations?account=${localAccount}`, {
    ...recommendationsOf(deployment.fleet, { accountOf: () => localAccount }),
  });
  compared = resultOf(await deployment.run());
  await put('enrollment', { account: localAccount, service: 'compute-optimizer', status: 'denied' });
  denied = resultOf(await deployment.run());
}, 300_000);
afterAll(() => deployment?.remove());

const statuses = ({ secondOpinionReads = [] }: AuditResult): string[] =>
  secondOpinionReads.map(({ source, region, status }) => `${source} ${region} ${status}`).sort();

/** All but what came of asking. */
const withoutOpinions = ({ findings, volumes, coverage }: AuditResult) => ({
  ids: findings.map(({ id, kind }) => `${kind} ${id}`),
  statuses: volumes.map(({ volumeId, status }) => `${volumeId} ${status}`).sort(),
  coverage: { evaluated: coverage.evaluated, incomplete: coverage.incomplete },
});

test('each volume has a row of each source, with a label and its reason', () => {
  const { secondOpinion = [], volumes } = compared;
  const keys = secondOpinion.map(({ volumeId, source }) => `${volumeId} ${source}`);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.length).toBe(2 * volumes.length);
  const labels = new Set(secondOpinion.map(({ label }) => label));
  for (const label of opinionLabels) expect([...labels]).toContain(label);
  const unsafe = secondOpinion.filter(({ label }) => label === 'unsafe').map(({ name }) => name);
  expect(unsafe).toContain('refill-scan');
});

test('it is said what came of asking, by source and Region, and what is of nobody here', () => {
  expect(statuses(compared)).toEqual([
    'compute-optimizer eu-central-1 read',
    'compute-optimizer us-east-1 read',
    'cost-optimization-hub eu-central-1 read',
    'cost-optimization-hub us-east-1 read',
  ]);
  const { secondOpinionReads = [] } = compared;
  const sum = (figure: 'rdsRows' | 'otherAccounts' | 'unmatched'): number =>
    secondOpinionReads.reduce((total, one) => total + one[figure], 0);
  expect({ rds: sum('rdsRows'), other: sum('otherAccounts') }).toEqual({ rds: 2, other: 1 });
  expect(sum('unmatched')).toBeGreaterThanOrEqual(1);
});

test('who is not enrolled is told so, and the audit is as whole as without', () => {
  expect(statuses(before)).toEqual([
    'compute-optimizer eu-central-1 not-enabled',
    'compute-optimizer us-east-1 not-enabled',
    'cost-optimization-hub eu-central-1 not-enabled',
    'cost-optimization-hub us-east-1 not-enabled',
  ]);
  expect(before.secondOpinion ?? []).toEqual([]);
  expect(withoutOpinions(before)).toEqual(withoutOpinions(compared));
  expect(before.coverage.incomplete).toEqual([]);
});

test('what is denied is said, with the words of AWS; the other source is compared all the same', () => {
  const ofOptimizer = (denied.secondOpinionReads ?? []).filter(
    ({ source }) => source === 'compute-optimizer',
  );
  expect(ofOptimizer.map(({ status }) => status)).toEqual(['denied', 'denied']);
  expect(ofOptimizer[0]?.error).toContain('is not authorized to perform this operation');
  expect(new Set(denied.secondOpinion?.map(({ source }) => source))).toEqual(
    new Set(['cost-optimization-hub']),
  );
  expect(withoutOpinions(denied)).toEqual(withoutOpinions(compared));
});

test(
  'all that was asked is allowed to who asked it, and nothing more is allowed',
  () => deployment.checkRequests(),
  120_000,
);
