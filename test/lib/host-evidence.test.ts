/** The document that asks hosts, and what a role needs for it. */
import { commandDocument } from '../../lib/shared/command-document.ts';
import { idOf, nagReport, patience, root, type Synthesized, shortly, synthesized } from './synthesized.ts';

const ofHosts = [
  'ssm:DescribeInstanceInformation',
  'ssm:ListCommandInvocations',
  'ssm:GetCommandInvocation',
  'ssm:CancelCommand',
];
const documentType = 'AWS::SSM::Document';
const document = commandDocument(root, 'describe-stripes');
let asking: Synthesized;
let silent: Synthesized;
beforeAll(async () => {
  asking = await synthesized('askingHosts');
  silent = await synthesized('usual');
}, patience);

const evaluate = (of: Synthesized) =>
  of.one('AWS::Lambda::Function', 'AuditEvaluateBatchFunction').Properties;

test('it takes no parameter, runs on Linux only and ends in two minutes', () => {
  expect(document).not.toHaveProperty('parameters');
  expect(document).toMatchObject({
    schemaVersion: '2.2',
    mainSteps: [
      {
        action: 'aws:runShellScript',
        precondition: { StringEquals: ['platformType', 'Linux'] },
        inputs: { timeoutSeconds: '120' },
      },
    ],
  });
});

test('it is a document of the stack; a script that has changed is a new version of it', () => {
  expect(asking.all(documentType)).toHaveLength(1);
  expect(asking.one(documentType, 'AuditHostEvidence').Properties).toMatchObject({
    DocumentType: 'Command',
    DocumentFormat: 'JSON',
    TargetType: '/AWS::EC2::Instance',
    UpdateMethod: 'NewVersion',
    Content: { mainSteps: document.mainSteps },
  });
});

test('a role may send this document alone, to instances of this account and Region, and see how that goes', () => {
  const inShort = asking
    .statementsOf(idOf(evaluate(asking)['Role']))
    .map(({ Action, Resource, Condition }) => [
      Action.filter((action) => action.startsWith('ssm:')),
      Resource.map(shortly),
      Condition,
    ])
    .filter(([actions]) => (actions as string[]).length > 0);
  expect(inShort).toEqual([
    [[...ofHosts].sort(), ['*'], undefined],
    [
      ['ssm:SendCommand'],
      [
        'arn:AWS::Partition:ec2:AWS::Region:AWS::AccountId:instance/*',
        'arn:AWS::Partition:ssm:AWS::Region:AWS::AccountId:document/AuditHostEvidenceDocument',
      ],
      undefined,
    ],
  ]);
});

test('every wildcard has its reason', async () => {
  const { violations, reasons } = await nagReport('askingHosts');
  expect(violations).toEqual([]);
  for (const reason of [/^which instances have volumes .+\.$/, /\bSystems Manager lets commands .+\.$/])
    expect(reasons).toContainEqual(expect.stringMatching(reason));
});

describe('audit.hostDiscovery', () => {
  const environmentOf = (of: Synthesized) =>
    evaluate(of)['Environment'] as { Variables: Record<string, unknown> };
  /** Each action on each resource. */
  const pairsOf = (of: Synthesized, role: unknown): string[] =>
    of
      .statementsOf(idOf(role))
      .flatMap(({ Effect, Action, Resource, Condition }) =>
        Resource.flatMap((resource) =>
          Action.map(
            (action) => `${Effect} ${action} on ${shortly(resource)}${Condition ? ' at times' : ''}`,
          ),
        ),
      );

  test('true: the stack has the document, names it, and tells evaluate-batch of it and where it is', () => {
    const { id, Properties } = asking.one(documentType, 'AuditHostEvidenceDocument');
    expect(Properties['Content']).toEqual(document);
    expect(asking.json['Outputs']).toMatchObject({ StripesDocument: { Value: { Ref: id } } });
    expect(environmentOf(asking).Variables).toMatchObject({
      STRIPES_DOCUMENT: { Ref: id },
      STRIPES_REGION: { Ref: 'AWS::Region' },
    });
  });

  test('true: the role of evaluate-batch may send it and see how that goes, and nothing else is more or less', () => {
    const arn = 'arn:AWS::Partition:ssm:AWS::Region:AWS::AccountId:document/AuditHostEvidenceDocument';
    const instances = 'arn:AWS::Partition:ec2:AWS::Region:AWS::AccountId:instance/*';
    expect(pairsOf(asking, evaluate(asking)['Role']).sort()).toEqual(
      [
        ...pairsOf(silent, evaluate(silent)['Role']),
        ...[arn, instances].map((resource) => `Allow ssm:SendCommand on ${resource}`),
        ...ofHosts.map((action) => `Allow ${action} on *`),
        // What the volumes of hosts counted, for the run that follows.
        ...['s3:GetObject', 's3:PutObject'].map((action) => `Allow ${action} on Runs/hosts/*`),
        'Allow s3:ListBucket on Runs at times',
      ].sort(),
    );
  });

  test('true: no other role may send a command', () => {
    const roles = asking.all('AWS::IAM::Role').map(([id]) => id);
    const senders = roles.filter((id) => pairsOf(asking, { Ref: id }).some((pair) => pair.includes(' ssm:')));
    expect(senders).toEqual([idOf(evaluate(asking)['Role'])]);
  });

  test('false: no document, no output, no document in the environment, and no action of SSM on any role', () => {
    expect(silent.all(documentType)).toEqual([]);
    expect(silent.json['Outputs']).not.toHaveProperty('StripesDocument');
    expect(environmentOf(silent).Variables).toMatchObject({ STRIPES_DOCUMENT: '' });
    expect(JSON.stringify(silent.json)).not.toContain('ssm:');
  });
});
