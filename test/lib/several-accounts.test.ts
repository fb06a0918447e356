/** What an organization in the configuration adds to the stack; and that without one there is nothing of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { workflowFindings, workflowsOf } from '../../tools/template-findings.ts';
import { type ConfigurationName, configurations } from './configurations.ts';
import { evaluated, type State, statesOf } from './states.ts';
import { idOf, patience, root, type Synthesized, shortly, synthesized } from './synthesized.ts';

const functionType = 'AWS::Lambda::Function';
const definitionOf = (stack: Synthesized): Record<string, unknown> =>
  [...workflowsOf(stack.json).values()][0] as Record<string, unknown>;

function withoutRetries(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRetries);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => name !== 'Retry');
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutRetries(inner)]));
}

let listed: Synthesized;
let stack: Synthesized;
let definition: Record<string, unknown>;
let states: Record<string, State>;
beforeAll(async () => {
  stack = await synthesized('organization');
  listed = await synthesized('listedAccounts');
  definition = definitionOf(stack);
  states = statesOf(definition);
}, patience);

describe('one account', () => {
  test('is read by the states that it was always read by', async () => {
    const asItWas: unknown = JSON.parse(readFileSync(join(__dirname, 'one-account-workflow.json'), 'utf8'));
    expect(withoutRetries(definitionOf(await synthesized('otherValues')))).toEqual(asItWas);
  });

  const ofOne = (Object.keys(configurations) as ConfigurationName[]).filter(
    (name) => !('organization' in configurations[name]),
  );
  test.each(ofOne)('has nothing of an organization: %s', async (name) => {
    const { json } = await synthesized(name);
    // Of a role's trust there is one, without a resource.
    for (const word of [
      'sts:AssumeRole"',
      'organizations:',
      'account:ListRegions',
      'MEMBER_ROLE',
      'ACCOUNT_BUDGETS',
      'RoleName',
    ])
      expect(JSON.stringify(json).replaceAll('"Action":"sts:AssumeRole"', '')).not.toContain(word);
  });
});

test('budgets of some accounts are given to monitoring, and to what an audit ends with', () => {
  const withBudgets = listed.all(functionType).flatMap(([id, { Properties }]) => {
    const { Variables = {} } = (Properties['Environment'] ?? {}) as { Variables?: Record<string, unknown> };
    const text = Variables['ACCOUNT_BUDGETS'];
    return text === undefined ? [] : [[id.replace(/[0-9A-F]{8}$/, ''), JSON.parse(String(text))]];
  });
  const budgets = [{ accounts: ['444455556666'], apiUsdPerMonth: 5 }];
  expect(withBudgets).toEqual([
    ['AuditCollectFindingsFunction', budgets],
    ['MonitoringWatchVolumesFunction', budgets],
  ]);
});

describe('functions that enter accounts', () => {
  const roleOf = (of: Synthesized, name: string) =>
    of.json.Resources[idOf(of.one(functionType, `Audit${name}Function`).Properties['Role'])];
  const mayOf = (of: Synthesized, name: string, service: string): [string[], string[]][] =>
    of
      .statementsOf(idOf(of.one(functionType, `Audit${name}Function`).Properties['Role']))
      .filter(({ Action }) => Action.some((action) => action.startsWith(`${service}:`)))
      // What is allowed on everything stands together.
      .map(({ Action, Resource }) => [
        Action.filter((action) => action.startsWith(`${service}:`)),
        Resource.map(shortly),
      ]);

  test.each(['ListTargets', 'DiscoverVolumes', 'EvaluateBatch'])('%s has a role of a fixed name', (name) => {
    const { RoleName } = z.looseObject({ RoleName: z.unknown() }).parse(roleOf(stack, name)?.Properties);
    expect(RoleName).toEqual({ 'Fn::Join': ['', [{ Ref: 'AWS::StackName' }, `-hub-${name}`]] });
    // 64 characters at most: so many for the name of the stack.
    expect(64 - `-hub-${name}`.length).toBeGreaterThanOrEqual(44);
  });

  test.each(['ListTargets', 'DiscoverVolumes', 'EvaluateBatch'])(
    '%s may take on the member role of any account, and no other role',
    (name) => {
      expect(mayOf(stack, name, 'sts')).toEqual([
        [['sts:AssumeRole'], ['arn:AWS::Partition:iam::*:role/StripewiseMember']],
      ]);
      const ofReader = [[['sts:AssumeRole'], ['arn:AWS::Partition:iam::*:role/Reader']]];
      // Who lists targets enters accounts to ask for their Regions, and there nobody does.
      expect(mayOf(listed, name, 'sts')).toEqual(name === 'ListTargets' ? [] : ofReader);
      const { Environment } = listed.one(functionType, `Audit${name}Function`).Properties;
      expect(Environment).toMatchObject({
        Variables: { MEMBER_ROLE: '{"memberRoleName":"Reader","externalId":"of-the-members"}' },
      });
    },
  );

  test.each([
    ['that are enabled are read', 'organization', 4],
    ['are those of the stack', 'listedAccounts', 3],
  ] as const)('where Regions %s, no other has a fixed name, or may enter', async (_, name, count) => {
    const stack = await synthesized(name);
    const named = Object.entries(stack.json.Resources).filter(
      ([, { Properties }]) => 'RoleName' in Properties,
    );
    expect(named).toHaveLength(count);
    const entering = stack
      .all('AWS::IAM::Role')
      .filter(([id]) => stack.statementsOf(id).some(({ Action }) => Action.includes('sts:AssumeRole')));
    expect(entering.map(([id]) => id).sort()).toEqual(named.map(([id]) => id).sort());
  });

  test('docs/operate/permissions.md names what an organization adds, all of it', () => {
    const page = readFileSync(join(root, 'docs/operate/permissions.md'), 'utf8');
    const [, section = ''] = /### With an organization\n(.*?)\n## /s.exec(page) ?? [];
    const named = [...section.matchAll(/`(\w+:[A-Z]\w+)`/g)].map(([, action = '']) => action);
    const added = ['sts', 'account', 'organizations'].flatMap((service) =>
      mayOf(stack, 'ListTargets', service).flatMap(([actions]) => actions),
    );
    expect(new Set(named)).toEqual(new Set(added));
  });

  test('only the one that lists targets asks Organizations, and only where accounts must be listed', () => {
    const onAll = [
      'organizations:ListAccountsForParent',
      'organizations:ListOrganizationalUnitsForParent',
      'organizations:ListParents',
      'organizations:ListRoots',
    ];
    const may = mayOf(stack, 'ListTargets', 'organizations');
    const actionsOn = (on: string): string[] =>
      may.flatMap(([actions, resources]) => (resources.includes(on) ? actions : [])).sort();
    expect(actionsOn('*')).toEqual(onAll);
    expect(actionsOn('arn:AWS::Partition:organizations::*:ou/*')).toEqual([
      'organizations:DescribeOrganizationalUnit',
    ]);
    expect(mayOf(stack, 'DiscoverVolumes', 'organizations')).toEqual([]);
    expect(mayOf(listed, 'ListTargets', 'organizations')).toEqual([]);
  });

  test('its own account is asked for its Regions only where those that are enabled are read', () => {
    expect(mayOf(stack, 'ListTargets', 'account')).toEqual([
      [['account:ListRegions'], ['arn:AWS::Partition:account::AWS::AccountId:account']],
    ]);
    expect(mayOf(listed, 'ListTargets', 'account')).toEqual([]);
  });
});

describe('several accounts', () => {
  test('asl-validator finds nothing wrong', () => {
    expect(workflowFindings(stack.json)).toEqual([]);
  });

  test('go from their list to the prices of each Region, to each target, to the findings', () => {
    expect(states['List the targets']?.Next).toBe('Refresh the prices of each Region');
    expect(states['Refresh the prices of each Region']?.Next).toBe('Is there any target?');
    expect(states['Is there any target?']).toMatchObject({
      Choices: [{ Condition: '{% $run.targets > 0 %}', Next: 'Read each target' }],
      Default: 'Collect the findings',
    });
    expect(states['Read each target']?.Next).toBe('Collect the findings');
    expect(states['Collect the findings']?.Next).toBe('Write the report');
  });

  test('the listing function gets the organization from the definition, and what the run was asked for', async () => {
    const given = await evaluated(states['List the targets']?.['Arguments'], {
      input: { lookbackDays: 1 },
      context: { Execution: { Name: 'run-1' } },
    });
    expect(given).toMatchObject({
      Payload: {
        organization: {
          ...{ organizationalUnits: ['ou-ab12-11111111'], exclude: ['999988887777'] },
          ...{ memberRoleName: 'StripewiseMember', externalId: 'of-the-members', regions: 'enabled' },
        },
        request: { lookbackDays: 1 },
        runId: 'run-1',
      },
    });
  });

  test('each target is an execution of its own, and each of its batches, so many as in one account', () => {
    const distributed = {
      ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' } },
      ToleratedFailurePercentage: 100,
      ResultWriter: {
        Resource: 'arn:aws:states:::s3:putObject',
        WriterConfig: { OutputType: 'JSON', Transformation: 'NONE' },
      },
    };
    expect(states['Read each target']).toMatchObject({
      ...distributed,
      // 200 / 4
      MaxConcurrency: 50,
      ItemReader: { Resource: 'arn:aws:states:::s3:getObject', ReaderConfig: { InputType: 'JSON' } },
      Assign: { manifestKey: '{% $states.result.ResultWriterDetails.Key %}' },
    });
    expect(states['Evaluate each batch']).toMatchObject({
      ...distributed,
      MaxConcurrency: 4,
      ItemReader: { Resource: 'arn:aws:states:::s3:listObjectsV2' },
    });
  });

  test('an execution of a target uses what its input says: variables of the run do not reach it', () => {
    const { ItemProcessor } = z.looseObject({ ItemProcessor: z.unknown() }).parse(states['Read each target']);
    const variables = [...JSON.stringify(ItemProcessor).matchAll(/\$([a-zA-Z]\w*)/g)].map(([, name]) => name);
    expect([...new Set(variables)].sort()).toEqual(['asked', 'discovered', 'merge', 'states']);
  });

  const asked = {
    ...{ runId: 'run-1', plan: { periodSeconds: 60 }, readUntil: '2026-11-27T20:00:00Z' },
    target: { partition: 'aws', account: '111122223333', region: 'eu-west-1' },
  };

  test('a target reads its own batches and writes what became of them to its own place', async () => {
    const inner = states['Evaluate each batch'];
    expect(await evaluated(inner?.['ItemReader'], {}, { asked })).toMatchObject({
      Arguments: { Prefix: 'work/run-1/batches/111122223333-eu-west-1-' },
    });
    expect(await evaluated(inner?.['ResultWriter'], {}, { asked })).toMatchObject({
      Arguments: { Prefix: 'work/run-1/map/111122223333-eu-west-1' },
    });
    const item = { context: { Map: { Item: { Value: { Key: 'work/run-1/batches/a.json' } } } } };
    const { target: _, ...ofRun } = asked;
    expect(await evaluated(inner?.['ItemSelector'], item, { asked })).toEqual({
      ...ofRun,
      key: 'work/run-1/batches/a.json',
    });
  });

  const failure = { Error: 'Runtime.ExitError', Cause: 'signal: killed' };
  const discovered = { account: '111122223333', region: 'eu-west-1', batches: 2, volumes: 9 };

  test('a target that cannot be read is the output of its execution: account, Region and cause', async () => {
    const [caught, ...others] = states['Discover its volumes']?.Catch ?? [];
    expect(others).toEqual([]);
    expect(caught?.ErrorEquals).toEqual(['States.ALL']);
    const output = await evaluated(caught?.Output, { input: asked, errorOutput: failure });
    expect(await evaluated(states[caught?.Next ?? '']?.Output, { input: output })).toEqual({
      ...{ account: '111122223333', region: 'eu-west-1', failure },
    });
  });

  test('one whose batches cannot be evaluated says what was discovered, and why', async () => {
    const [caught] = states['Evaluate each batch']?.Catch ?? [];
    const output = await evaluated(caught?.Output, { errorOutput: failure }, { discovered });
    expect(await evaluated(states[caught?.Next ?? '']?.Output, { input: output })).toEqual({
      ...discovered,
      notEvaluated: failure,
    });
  });

  test('one without batches is not evaluated; one with some says where it is written what became of them', async () => {
    const [choice] = z
      .array(z.object({ Condition: z.string(), Next: z.string() }))
      .parse(states['Is there anything to evaluate?']?.['Choices']);
    expect(choice?.Next).toBe('Evaluate each batch');
    const isEvaluated = (batches: number) =>
      evaluated(choice?.Condition, {}, { discovered: { ...discovered, batches } });
    expect([await isEvaluated(0), await isEvaluated(2)]).toEqual([false, true]);
    expect(await evaluated(states['There was nothing to evaluate']?.Output, {}, { discovered })).toEqual(
      discovered,
    );
    const result = { ResultWriterDetails: { Key: 'work/run-1/map/a/manifest.json' } };
    expect(await evaluated(states['Evaluate each batch']?.Output, { result }, { discovered })).toEqual({
      ...discovered,
      manifestKey: 'work/run-1/map/a/manifest.json',
    });
  });

  test('NotEntered is not tried again: an account that lets nobody in is asked once', () => {
    const retried = Object.values(states).flatMap(({ Retry }) => Retry.flatMap((one) => one.ErrorEquals));
    for (const error of ['NotEntered', 'AccessDenied', 'States.ALL', 'States.TaskFailed'])
      expect(retried).not.toContain(error);
  });

  test('the prices of a Region are asked for once, and what came of them reaches the collecting function', async () => {
    const refreshing = states['Refresh the prices of each Region'];
    expect(refreshing).toMatchObject({
      Items: '{% $run.regions %}',
      Assign: { refreshed: '{% $states.result %}' },
    });
    const item = { context: { Map: { Item: { Value: 'eu-west-1' } } } };
    const input = await evaluated(refreshing?.['ItemSelector'], item);
    expect(input).toEqual({ target: { region: 'eu-west-1' } });
    const refresh = { notices: [], incomplete: [], apiCalls: 7 };
    expect(
      await evaluated(states['Refresh its prices']?.Output, { input, result: { Payload: refresh } }),
    ).toEqual({
      ...{ region: 'eu-west-1', refresh },
    });
    const [caught] = states['Refresh its prices']?.Catch ?? [];
    expect(await evaluated(caught?.Output, { input, errorOutput: failure })).toEqual({
      ...{ region: 'eu-west-1', refresh: { failure } },
    });
  });

  test('states hold what does not grow with the accounts: the rest is in the bucket', async () => {
    const variables = {
      run: { runId: 'run-1', plan: asked.plan, notify: true, isOfAll: true, targets: 5_000 },
      ...{ manifestKey: 'work/run-1/targets-map/m/manifest.json', refreshed: [] },
    };
    const given = await evaluated(states['Collect the findings']?.['Arguments'], {}, variables);
    expect(given).toMatchObject({
      Payload: {
        ...{ runId: 'run-1', plan: asked.plan, notify: true },
        severalAccounts: { manifestKey: variables.manifestKey, refreshed: [], isOfAll: true },
      },
    });
    const reader = await evaluated(states['Read each target']?.['ItemReader'], {}, variables);
    expect(reader).toMatchObject({ Arguments: { Key: 'work/run-1/target-list.json' } });
  });
});
