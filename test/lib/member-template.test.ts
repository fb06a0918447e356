/** What a member grants: its parameters, whom it trusts, and that it allows what the functions read and nothing else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountSchema, defaultMemberRole, memberRoleSchema } from '../../core/config/organization.ts';
import {
  archivedReadingActions,
  mayModify,
  memberActions,
  recommendationActions,
} from '../../core/reading-actions.ts';
import { hubRoleNames } from '../../core/stacks.ts';
import { templateFindings } from '../../tools/template-findings.ts';
import { idOf, patience, plainTemplate, root, Synthesized, synthesized } from './synthesized.ts';

interface Parameter {
  AllowedPattern: string;
  MinLength?: number;
  MaxLength?: number;
  Default?: string;
}

let file: string;
let member: Synthesized;
let parameters: Record<string, Parameter>;
beforeAll(async () => {
  file = join(await plainTemplate('usual'), 'member.template.json');
  member = new Synthesized(file);
  parameters = member.json['Parameters'] as typeof parameters;
}, patience);

const reader = () => member.one('AWS::IAM::Role', 'Role');
const role = () => reader().Properties;

test('cfn-lint finds nothing', async () => {
  expect(await templateFindings(root, file)).toEqual([]);
}, 180_000);

test('it is one role, and where somebody allows it another; with no transform: service-managed StackSets take none', () => {
  expect(
    Object.values(member.json.Resources).map(({ Type, ...resource }) => [Type, resource['Condition']]),
  ).toEqual([
    ['AWS::IAM::Role', undefined],
    ['AWS::IAM::Policy', 'AllowsRecommendations'],
    ['AWS::IAM::Policy', 'AllowsModificationHistory'],
    ['AWS::IAM::Role', 'AllowsChanges'],
  ]);
  expect(member.json['Conditions']).toMatchObject({
    AllowsChanges: { 'Fn::Equals': [{ Ref: 'AllowChanges' }, 'yes'] },
    AllowsRecommendations: { 'Fn::Equals': [{ Ref: 'AllowRecommendations' }, 'yes'] },
    AllowsModificationHistory: { 'Fn::Equals': [{ Ref: 'AllowModificationHistory' }, 'yes'] },
  });
  expect(new Set(Object.keys(member.json))).toEqual(
    new Set(['Description', 'Parameters', 'Conditions', 'Resources', 'Outputs']),
  );
  expect(role()).toMatchObject({ RoleName: { Ref: 'MemberRoleName' }, MaxSessionDuration: 3_600 });
  // A service-managed StackSet of the command line takes 51,200 bytes.
  expect(readFileSync(file).length).toBeLessThan(51_200);
});

test('it is the same for every configuration', async () => {
  const other = readFileSync(join(await plainTemplate('everything'), 'member.template.json'));
  expect(other.equals(readFileSync(file))).toBe(true);
});

test('who deploys it must name the hub and an external id; all else has a default', () => {
  const defaults = Object.entries(parameters).map(([name, { Default }]) => [name, Default]);
  expect(Object.fromEntries(defaults)).toEqual({
    ...{ HubAccountId: undefined, ExternalId: undefined, OrganizationId: '' },
    ...{ MemberRoleName: defaultMemberRole, HubStackName: 'Stripewise', CommandLineRoleNames: '' },
    ...{ AllowChanges: 'no', AllowRecommendations: 'no', AllowModificationHistory: 'no' },
  });
});

test('what other services recommend may be read where somebody allows it, and by that policy alone', () => {
  const { Properties } = member.one('AWS::IAM::Policy', 'Recommendations');
  expect(Properties['PolicyDocument']).toMatchObject({
    Statement: [
      {
        ...{ Effect: 'Allow', Resource: '*' },
        Action: Object.values(recommendationActions).flat().sort(),
      },
    ],
  });
  expect(JSON.stringify(role())).not.toMatch(/compute-optimizer|cost-optimization-hub/);
});

test('how long modifications took may be read where somebody allows it, and by that policy alone', () => {
  const { Properties } = member.one('AWS::IAM::Policy', 'ModificationHistory');
  expect(Properties['PolicyDocument']).toMatchObject({
    Statement: [{ Effect: 'Allow', Resource: '*', Action: 'ec2:DescribeVolumesModifications' }],
  });
  expect(JSON.stringify(role())).not.toContain('DescribeVolumesModifications');
});

describe('the guide', () => {
  const guide = readFileSync(join(root, 'docs/guides/accounts.md'), 'utf8');
  const found = (pattern: RegExp, text = guide): string[] =>
    [...text.matchAll(pattern)].map(([, name = '']) => name);

  test('has a row for each parameter, and Terraform a value: it would see a change in one that has its default', () => {
    const names = Object.keys(parameters).sort();
    expect(
      found(/^\| `(\w+)` \|/gm)
        .filter((name) => /^[A-Z]/.test(name))
        .sort(),
    ).toEqual(names);
    const [terraform = ''] = found(/^ {2}parameters = \{([^}]*)\}/gm);
    expect(found(/^ {4}(\w+) +=/gm, terraform).sort()).toEqual(names);
  });

  test('gives in its commands parameters that are there, and each that is required', () => {
    const given = new Set(found(/ParameterKey=(\w+)/g));
    expect([...given].filter((name) => parameters[name] === undefined)).toEqual([]);
    const required = Object.entries(parameters).filter(([, { Default }]) => Default === undefined);
    for (const command of found(/(?:--parameters |--parameter-overrides )((?:.*\\\n)*.*)/g))
      expect(required.filter(([name]) => !command.includes(name))).toEqual([]);
  });
});

/** Of the configuration of the hub, which must take what members take. */
const ofConfiguration: Record<string, { safeParse(value: string): { success: boolean } }> = {
  HubAccountId: accountSchema,
  ExternalId: memberRoleSchema.shape.externalId,
  MemberRoleName: memberRoleSchema.shape.memberRoleName,
};

test.each([
  ['HubAccountId', ['111122223333'], ['', '11112222333', '1111222233334', '11112222333a']],
  ['ExternalId', ['ab', 'a1b2:c/d=e', 'x'.repeat(1_224)], ['', 'a', 'with space', 'x'.repeat(1_225)]],
  ['OrganizationId', ['', 'o-a1b2c3d4e5'], ['o-', 'o-A1B2C3D4E5', 'ou-a1b2-c3d4e5f6', 'a1b2c3d4e5']],
  ['MemberRoleName', ['StripewiseMember', 'a+b=c,d.e@f-g'], ['', 'with/path', 'a'.repeat(65)]],
  ['HubStackName', ['Stripewise'], ['', '*', 'Stripewise*', '-a']],
  [
    'CommandLineRoleNames',
    ['', 'auditors', 'auditors,admins', 'aws-reserved/sso.amazonaws.com/*AWSReservedSSO_Storage_*'],
    ['*', 'auditors, admins', 'auditors,', 'auditors,*', '/auditors', 'arn:aws:iam::111122223333:role/a'],
  ],
] as const)('%s takes what is one, and the configuration of the hub the same', (name, good, bad) => {
  const {
    AllowedPattern,
    MinLength = 0,
    MaxLength = Number.POSITIVE_INFINITY,
  } = parameters[name] as Parameter;
  const isTaken = (value: string): boolean =>
    new RegExp(`^(?:${AllowedPattern})$`).test(value) &&
    value.length >= MinLength &&
    value.length <= MaxLength;
  expect([good.filter((value) => !isTaken(value)), bad.filter(isTaken)]).toEqual([[], []]);
  for (const value of [...good, ...bad])
    expect([value, ofConfiguration[name]?.safeParse(value).success ?? isTaken(value)]).toEqual([
      value,
      isTaken(value),
    ]);
});

test('it trusts the account of the hub, never a role by its ARN, and roles by their names', () => {
  const ref = (name: string) => ({ Ref: name });
  const arnOf = (end: unknown[]) => ['arn:', ref('AWS::Partition'), ':iam::', ref('HubAccountId'), ...end];
  const joined = (parts: unknown[]) => ({ 'Fn::Join': ['', parts] });
  // A delimiter cannot have the hub's account; whoever is of another one is not the principal.
  const between = ',arn:*:iam::*:role/';
  const names = { 'Fn::Join': [between, { 'Fn::Split': [',', ref('CommandLineRoleNames')] }] };
  const people = { 'Fn::If': ['HasCommandLineRoles', joined([between, names]), ''] };
  const hubRoles = [':role/', ref('HubStackName'), hubRoleNames(''), people];
  expect(role()['AssumeRolePolicyDocument']).toEqual({
    Version: '2012-10-17',
    Statement: [
      {
        ...{ Effect: 'Allow', Action: 'sts:AssumeRole' },
        Principal: { AWS: joined(arnOf([':root'])) },
        Condition: {
          ArnLike: { 'aws:PrincipalArn': { 'Fn::Split': [',', joined(arnOf(hubRoles))] } },
          StringEquals: {
            'sts:ExternalId': ref('ExternalId'),
            'aws:PrincipalOrgID': {
              'Fn::If': ['HasOrganization', ref('OrganizationId'), ref('AWS::NoValue')],
            },
          },
        },
      },
    ],
  });
});

describe('what it allows', () => {
  const ofParameters: string[] = [...Object.values(recommendationActions).flat(), ...archivedReadingActions];
  /** What it allows whatever its parameters are. */
  const allowed = () =>
    member
      .statementsOf(reader().id)
      .filter(({ Action }) => !Action.every((action) => ofParameters.includes(action)));
  const actions = (): string[] => allowed().flatMap(({ Action }) => Action);
  /** Services whose actions reach into an account that is read. */
  const reads = /^(account|ec2|cloudwatch):/;

  test('is one statement, with no wildcard in an action', () => {
    expect(allowed()).toEqual([expect.objectContaining({ Effect: 'Allow', Resource: ['*'] })]);
    expect(
      actions().filter((action) => !/^(ec2:Describe|cloudwatch:(Get|List)|account:List)\w+$/.test(action)),
    ).toEqual([]);
  });

  test('is what the functions of a hub that read accounts may read in its own, together', async () => {
    const readBy = async (configuration: 'organization' | 'usual', ...names: string[]) => {
      const stack = await synthesized(configuration);
      const roles = names.map((name) => stack.one('AWS::Lambda::Function', name).Properties['Role']);
      return roles
        .flatMap((one) => stack.statementsOf(idOf(one)).flatMap(({ Action }) => Action))
        .filter((action) => reads.test(action));
    };
    const audit = ['AuditListTargets', 'AuditDiscoverVolumes', 'AuditEvaluateBatch'];
    const read = [
      ...(await readBy('organization', ...audit)),
      ...(await readBy('usual', 'MonitoringWatchVolumes')),
    ];
    expect([...new Set(read)].sort()).toEqual(actions().toSorted());
    expect(actions().toSorted()).toEqual(memberActions);
  });

  test('is what docs/operate/permissions.md lists', () => {
    const page = readFileSync(join(root, 'docs/operate/permissions.md'), 'utf8');
    const [, section = ''] = page.split('\n## The role of a member\n');
    const [own = ''] = section.split('\n## ');
    const listed = [...own.matchAll(/`((?:account|ec2|cloudwatch):\w+)`/g)].map(([, action]) => action);
    expect(listed.toSorted()).toEqual([...actions(), ...archivedReadingActions].toSorted());
  });
});

test('the role that modifies volumes is for the two functions of changes, and for volumes that no tag refuses', () => {
  const { id, Properties } = member.one('AWS::IAM::Role', 'ChangesRole');
  const trust = JSON.stringify(Properties['AssumeRolePolicyDocument']);
  expect([...trust.matchAll(/-hub-(\w+|\*)/g)].map(([, name]) => name)).toEqual([
    'AdvanceChange',
    'DecideChange',
  ]);
  const writes = member
    .statementsOf(id)
    .filter(({ Action }) => Action.some((one) => !/:(Describe|Get)/.test(one)));
  expect(writes).toMatchObject([{ Action: ['ec2:ModifyVolume'], Condition: mayModify }]);
});
