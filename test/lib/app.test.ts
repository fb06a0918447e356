/** The CDK app as a process, and the rules that it is held against. Here alone the CDK itself is loaded into Jest. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Stack } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { stripewiseApp } from '../../lib/app.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';
import { type ConfigurationName, configurations } from './configurations.ts';
import { nagReport, patience, root } from './synthesized.ts';

const directory = temporaryDirectory();
const names = Object.keys(configurations) as ConfigurationName[];

let count = 0;
function freshApp(config = {}) {
  count += 1;
  const app = stripewiseApp({
    root,
    configFile: directory.write(`config-${count}.yaml`, config),
    appProps: { outdir: join(directory.path, `cdk-${count}`) },
  });
  return { app, stack: app.node.findChild('Stripewise') as Stack };
}

const found = (app: ReturnType<typeof freshApp>['app']): string[] =>
  new AwsSolutionsChecks(app).validateScope(app).violations.map(({ ruleName }) => ruleName);

/** Each takes its ARN in the variables of a function. */
const manyTopics = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`topic-${i}`, { kind: 'sns' }]));

test.each([
  ['bad', 'audit: { everyHours: often }', ':1: audit.everyHours: is "often": give a number'],
  [
    'without the VPC of the hosts of benchmarks',
    'benchmark: {}',
    expect.stringMatching(/^:1: benchmark\.vpcId: is missing: give the id of the VPC /),
  ],
  [
    'more than AWS would take',
    { channels: manyTopics },
    expect.stringMatching(
      /^:1: channels: with routes take \d+ bytes of what a function can be given, which is 2800: /,
    ),
  ],
])(
  'a configuration that is %s ends `cdk synth` with one line',
  (_, said, line) => {
    const config = directory.write('config.yaml', said);
    const cdk = spawnSync(
      process.execPath,
      [
        join(root, 'node_modules/aws-cdk/bin/cdk'),
        ...['synth', '--quiet', '--no-notices', '-c', `config=${config}`],
        ...['--output', join(directory.path, 'out')],
      ],
      { cwd: root, encoding: 'utf8', env: { ...process.env, CI: 'true' } },
    );
    expect(cdk.status).toBe(1);
    const [ours = '', ofCdk, ...rest] = `${cdk.stderr}${cdk.stdout}`.trim().split('\n');
    expect(ours.slice(0, 'stripewise: '.length + config.length)).toBe(`stripewise: ${config}`);
    expect(ours.slice('stripewise: '.length + config.length)).toEqual(line);
    expect(ofCdk).toContain('Subprocess exited with error 2');
    expect(rest).toEqual([]);
  },
  120_000,
);

describe.each(names)('the configuration %s', (name) => {
  let rules: Awaited<ReturnType<typeof nagReport>>;
  beforeAll(async () => {
    rules = await nagReport(name);
  }, patience);

  test('has nothing that the rules of AWS Solutions find and nobody acknowledged', () => {
    expect(rules.violations).toEqual([]);
  });

  test('acknowledges nothing without a sentence', () => {
    expect(rules.reasons.length).toBeGreaterThan(10);
    for (const reason of rules.reasons) expect(reason).toMatch(/^\S.{20,}\.$/);
  });
});

test('the benchmark is deployed after the audit, and removed before it', () => {
  const { app, stack } = freshApp(configurations.benchmark);
  const benchmark = app.node.findChild('Stripewise-Bench') as Stack;
  expect([stack.dependencies, benchmark.dependencies]).toEqual([[], [stack]]);
}, 120_000);

test('the rules find what is added without a reason', () => {
  const { app, stack } = freshApp();
  new Bucket(stack, 'Open');
  const role = new Role(stack, 'Wide', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('ReadOnlyAccess')],
  });
  role.addToPolicy(new PolicyStatement({ actions: ['s3:Get*'], resources: ['*'] }));
  expect(found(app).sort()).toEqual([
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/ReadOnlyAccess]',
    'AwsSolutions-IAM5[Action::s3:Get*]',
    'AwsSolutions-IAM5[Resource::*]',
    'AwsSolutions-S1',
    'AwsSolutions-S10',
  ]);
}, 120_000);

test('a violation ends the synthesis', () => {
  const { app, stack } = freshApp();
  new Bucket(stack, 'Open', { enforceSSL: true });
  expect(() => app.synth()).toThrow(/validation/i);
}, 120_000);
