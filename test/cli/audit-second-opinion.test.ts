/** `audit --compare-with`: what Compute Optimizer or Cost Optimization Hub recommend, asked of the account or from files. */
import {
  ComputeOptimizerClient,
  GetEBSVolumeRecommendationsCommand,
} from '@aws-sdk/client-compute-optimizer';
import { AssumeRoleCommand } from '@aws-sdk/client-sts';
import { mockClient } from 'aws-sdk-client-mock';
import { type AuditResult, auditResultSchema } from '../../core/schemas/audit-result.ts';
import { jsonReply, listen, type RunningServer } from '../../local/http.ts';
import { awsError } from '../adapters/aws/aws-error.ts';
import { describeInstances, describeVolumes, getMetricData } from '../fixtures/aws-cli.ts';
import { arnOf, ebs, ebsRow, hubRow, notOptimized } from '../fixtures/recommendations.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { endSeconds, series } from '../local/cloudwatch-fixture.ts';
import { expectOneLine } from './expect-one-line.ts';
import { liveAccount } from './live-account.ts';
import { runCli } from './run-cli.ts';

const account = liveAccount();
const directory = temporaryDirectory();
const optimizer = mockClient(ComputeOptimizerClient);
let hub: RunningServer;
let hubItems: object[] | Error;
beforeAll(async () => {
  hub = await listen(0, async (request) => {
    if (hubItems instanceof Error)
      return { ...jsonReply({ __type: hubItems.name, message: hubItems.message }), status: 400 };
    const isDetails = String(request.headers['x-amz-target']).endsWith('GetRecommendation');
    return jsonReply(isDetails ? (hubItems[0] as object) : { items: hubItems });
  });
});
afterAll(async () => {
  optimizer.restore();
  await hub.stop();
});
beforeEach(() => {
  optimizer.reset();
  account.environment({ AWS_ENDPOINT_URL_COST_OPTIMIZATION_HUB: hub.url });
});

const [vol, gone] = ['vol-0123456789abcdef0', 'vol-0123456789abcdef9'] as const;
const day = ['--lookback-days', '1', '--until', '2026-11-20T00:00Z'];
const live = ['audit', '--json', '--region', 'us-east-1', ...day, '--compare-with'];

const calm = (volumeId: string) =>
  [
    ['VolumeReadOps', 60],
    ['VolumeWriteOps', 0],
    ['VolumeReadBytes', 60 * 16_384],
    ['VolumeWriteBytes', 0],
  ].map(([metric, value]) =>
    series(
      volumeId,
      Array.from({ length: 1_440 }, () => value as number),
      { metric: metric as string, startSeconds: endSeconds - 86_400 },
    ),
  );

async function audited(...argv: string[]): Promise<AuditResult> {
  const { out, err } = await runCli(...argv);
  if (out === '') throw new Error(err);
  return auditResultSchema.parse(JSON.parse(out));
}

const gp3 = ebs('gp3', 100, 3_000, 125);
const answer = (...rows: object[]) =>
  optimizer
    .on(GetEBSVolumeRecommendationsCommand)
    .resolves({ volumeRecommendations: rows, errors: [] } as never);
/** Of the two days before the end of the window. */
const recent = { lookBackPeriodInDays: 2, lastRefreshTimestamp: '2026-11-19T20:00:00Z' };

beforeEach(async () => {
  account.regions['us-east-1'] = {
    describeVolumes: describeVolumes({}),
    describeInstances: describeInstances({}),
  };
  await account.cloudWatch.load(calm(vol));
});

describe('compute-optimizer', () => {
  test('is asked once, and each volume has its row', async () => {
    answer(
      { ...notOptimized(vol, gp3, ebs('gp2', 100, 300, 128)), ...recent },
      ebsRow(gone),
      ebsRow('x', {
        volumeArn: arnOf('vol-0123456789abcdef8', 'us-east-1', '999988887777'),
        accountId: '999988887777',
      }),
    );
    const { secondOpinion, secondOpinionReads, cost } = await audited(...live, 'compute-optimizer');
    expect(secondOpinion).toMatchObject([
      {
        ...{ volumeId: vol, source: 'compute-optimizer', label: 'leaves-money' },
        ...{ reason: { code: 'more-than-needed' }, monthlyUsdDifference: 2, throttledMinutesIfFollowed: 0 },
      },
    ]);
    expect(secondOpinionReads).toEqual([
      {
        ...{ source: 'compute-optimizer', account: '111122223333', region: 'us-east-1', status: 'read' },
        ...{ error: null, recommendations: 1, rdsRows: 0, otherAccounts: 1, unmatched: 1 },
      },
    ]);
    expect(optimizer.calls()).toHaveLength(1);
    expect(cost.usd).toBeGreaterThan(0);
  });

  test.each([
    ['not-enabled', awsError('OptInRequiredException', 'Aws account is not registered.', 403)],
    ['denied', awsError('AccessDeniedException', 'no\u001b[31m', 400)],
    ['failed', awsError('ValidationException', 'no', 400)],
  ])('%s: the audit goes on, and says why', async (status, error) => {
    optimizer.on(GetEBSVolumeRecommendationsCommand).rejects(error);
    const { code, out } = await runCli(...live, 'compute-optimizer');
    const { secondOpinion, secondOpinionReads, volumes } = auditResultSchema.parse(JSON.parse(out));
    expect(code).toBe(0);
    expect(volumes).toHaveLength(1);
    expect(secondOpinion).toEqual([]);
    expect(secondOpinionReads).toMatchObject([{ status, recommendations: 0 }]);
    expect(secondOpinionReads?.[0]?.error).toMatch(
      /^compute-optimizer:GetEBSVolumeRecommendations in us-east-1 failed: \P{Cc}+$/u,
    );
  });

  test('empty is no recommendation: a healthy volume is kept', async () => {
    answer();
    const { secondOpinion, secondOpinionReads } = await audited(...live, 'compute-optimizer');
    expect(secondOpinion).toMatchObject([{ label: 'agree', reason: { code: 'both-keep' } }]);
    expect(secondOpinionReads).toMatchObject([{ status: 'empty' }]);
  });

  test('with --resource: the rows of what is asked for alone', async () => {
    const other = 'vol-0123456789abcdef1';
    account.regions['us-east-1'] = {
      describeVolumes: describeVolumes({}, { VolumeId: other }),
      describeInstances: describeInstances({}),
    };
    await account.cloudWatch.load(calm(other));
    answer({ ...ebsRow(vol), ...recent }, { ...ebsRow(other), ...recent });
    const { secondOpinion } = await audited(...live, 'compute-optimizer', '--resource', other);
    expect(secondOpinion?.map(({ volumeId }) => volumeId)).toEqual([other]);
  });

  test('of several accounts each is asked by its own role', async () => {
    const member = '222233334444';
    account.sts.on(AssumeRoleCommand).callsFake(({ RoleArn }) => ({
      Credentials: {
        ...{ AccessKeyId: `ASIA${String(RoleArn).split(':')[4]}`, SecretAccessKey: 's', SessionToken: 't' },
        Expiration: new Date('2030-01-01'),
      },
    }));
    account.members[member] = {
      'us-east-1': {
        describeVolumes: describeVolumes({ VolumeId: gone, Attachments: [] }),
        describeInstances: describeInstances(),
      },
    };
    optimizer.on(GetEBSVolumeRecommendationsCommand).callsFake(async (_, client) => {
      const { accessKeyId } = await client().config.credentials();
      if (accessKeyId.startsWith('ASIA')) throw awsError('OptInRequiredException', 'no', 403);
      return { volumeRecommendations: [{ ...ebsRow(vol), ...recent }] };
    });
    const result = await audited(
      ...live,
      'compute-optimizer',
      ...['--accounts', '111122223333', member, '--external-id', 'example-7f3a'],
    );
    expect(result.secondOpinionReads?.map(({ account: of, status }) => [of, status])).toEqual([
      ['111122223333', 'read'],
      [member, 'not-enabled'],
    ]);
    // Nobody asked about the other's volume.
    expect(result.secondOpinion?.map(({ volumeId }) => volumeId)).toEqual([vol]);
  });
});

describe('cost-optimization-hub', () => {
  test('is read in us-east-1 for the Region', async () => {
    hubItems = [
      hubRow(vol, {
        actionType: 'Delete',
        ...{ recommendationLookbackPeriodInDays: 2, lastRefreshTimestamp: recent.lastRefreshTimestamp },
        currentResourceDetails: undefined,
      }),
      hubRow(gone, { currentResourceType: 'RdsDbInstanceStorage' }),
    ];
    const { secondOpinion, secondOpinionReads } = await audited(...live, 'cost-optimization-hub');
    expect(secondOpinion).toMatchObject([
      { label: 'unsafe', reason: { code: 'deletes-what-is-used', activeMinutes: 1_440 } },
    ]);
    expect(secondOpinionReads).toMatchObject([{ status: 'read', recommendations: 1, rdsRows: 1 }]);
  });

  test('not enrolled, beside Compute Optimizer that is', async () => {
    hubItems = awsError('AccessDeniedException', 'AWS account is not enrolled for recommendations.');
    answer({ ...ebsRow(vol), ...recent });
    const result = await audited(...live, 'cost-optimization-hub', 'compute-optimizer');
    expect(result.secondOpinionReads?.map(({ source, status }) => [source, status])).toEqual([
      ['cost-optimization-hub', 'not-enabled'],
      ['compute-optimizer', 'read'],
    ]);
    expect(result.secondOpinion?.map(({ source }) => source)).toEqual(['compute-optimizer']);
  });
});

describe('files', () => {
  const each = (value: number) => Array.from({ length: 600 }, () => value);
  const fleet = (): string[] => [
    ...['audit', '--volumes', directory.write('volumes.json', describeVolumes({}))],
    ...['--instances', directory.write('instances.json', describeInstances({}))],
    ...[
      '--metrics',
      directory.write(
        'metrics.json',
        getMetricData(
          { label: `${vol} VolumeReadOps`, values: each(60) },
          { label: `${vol} VolumeWriteOps`, values: each(0) },
          { label: `${vol} VolumeReadBytes`, values: each(60 * 16_384) },
          { label: `${vol} VolumeWriteBytes`, values: each(0) },
        ),
      ),
    ],
  ];
  const file = (name: string, content: object | string): string => directory.write(name, content);

  test('as the CLI prints it: of ten hours nothing is agreed that takes 14 days', async () => {
    const path = file('recommendations.json', {
      volumeRecommendations: [ebsRow(vol, { lastRefreshTimestamp: '2030-01-01T00:00:00Z' })],
    });
    const { secondOpinion, secondOpinionReads } = await audited(...fleet(), '--json', '--compare-with', path);
    expect(secondOpinion).toMatchObject([
      { volumeId: vol, label: 'not-comparable', reason: { code: 'other-window' } },
    ]);
    expect(secondOpinionReads).toMatchObject([
      { account: null, region: null, status: 'read', recommendations: 1 },
    ]);
  });

  test('beside an earlier audit', async () => {
    const { out } = await runCli(...fleet(), '--json');
    const earlier = file('earlier.json', { ...JSON.parse(out), runId: 'earlier' });
    const path = file('export.csv', `volumeArn,finding\n${arnOf(vol)},Optimized\n`);
    const page = `${directory.path}/report.html`;
    const result = await audited(...fleet(), '--json', '--html', page, '--compare-with', earlier, path);
    expect(result.secondOpinion).toMatchObject([{ reason: { code: 'undated' } }]);
  });

  test.each<[string, () => string[], RegExp]>([
    [
      'asks the account',
      () => ['compute-optimizer'],
      /--compare-with compute-optimizer asks the account: where files are audited, give the file/,
    ],
    ['half JSON', () => [file('half.json', '{"volumeRecommendations": [')], /half\.json: not whole JSON/],
    [
      'other columns',
      () => [file('other.csv', 'a,b\n1,2\n')],
      /other\.csv: has no columns volumeArn and finding/,
    ],
    ['no file', () => ['nowhere.json'], /nowhere\.json: cannot be read: there is no such file/],
    [
      'a page that is not the last',
      () => [file('page.json', { volumeRecommendations: [], nextToken: 'x' })],
      /page\.json: it has a nextToken, so there are more pages/,
    ],
  ])('%s is one line', async (_, values, line) => {
    await expectOneLine([...fleet(), '--compare-with', ...values()], line);
  });

  test('two earlier audits, or the account and a file of the same, are one line', async () => {
    const { out } = await runCli(...fleet(), '--json');
    const [a, b] = ['a.json', 'b.json'].map((name) => file(name, out)) as [string, string];
    const page = ['--html', `${directory.path}/two.html`];
    await expectOneLine(
      [...fleet(), ...page, '--compare-with', a, b],
      /are earlier audits: give one of them$/,
    );
    const path = file('same.json', { volumeRecommendations: [] });
    await expectOneLine(
      ['audit', '--region', 'us-east-1', '--compare-with', 'compute-optimizer', path],
      /compute-optimizer and a file of it: give one of them$/,
    );
  });
});
