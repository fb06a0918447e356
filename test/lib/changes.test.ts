/** Changes of volumes in the account: nothing without the section, who may be asked, and the one role that may write to a volume. */
import { mayModify } from '../../core/reading-actions.ts';
import { patience, type Synthesized, synthesized } from './synthesized.ts';

let changes: Synthesized;
let organization: Synthesized;
let archive: Synthesized;
let off: Synthesized;
beforeAll(async () => {
  [changes, organization, archive, off] = [
    await synthesized('changes'),
    await synthesized('changesOfOrganization'),
    await synthesized('archive'),
    await synthesized('changesOff'),
  ];
}, patience);

test('without the section, or with it off, there is none of it', () => {
  expect(JSON.stringify(archive.json)).not.toMatch(/ModifyVolume|ChangesLedger|advance-change/);
  expect(off.json).toEqual(archive.json);
});

describe('who may write to a volume', () => {
  const modifies = (stack: Synthesized) =>
    stack
      .all('AWS::IAM::Role')
      .flatMap(([role]) =>
        stack
          .statementsOf(role)
          .flatMap((statement) =>
            statement.Action.includes('ec2:ModifyVolume') ? [[role, statement] as const] : [],
          ),
      );

  test('is one role, of the function that takes the steps, and no volume whose tags refuse it', () => {
    const found = modifies(changes);
    expect(found.map(([role]) => role)).toEqual([expect.stringMatching(/^ChangesAdvanceChangeRole/)]);
    expect(found[0]?.[1]).toMatchObject({ Action: ['ec2:ModifyVolume'], Condition: mayModify });
  });

  test('writes nothing else of EC2', () => {
    const actions = changes
      .all('AWS::IAM::Role')
      .flatMap(([role]) =>
        changes.statementsOf(role).flatMap(({ Action }) => Action.filter((one) => one.startsWith('ec2:'))),
      );
    expect(actions.filter((one) => !/^ec2:Describe/.test(one))).toEqual(['ec2:ModifyVolume']);
  });

  test('enters members by another role than who reads', () => {
    const enters = (name: RegExp) =>
      organization.all('AWS::IAM::Role').flatMap(([role]) =>
        name.test(role)
          ? organization
              .statementsOf(role)
              .filter(({ Action }) => Action.includes('sts:AssumeRole'))
              .map(({ Resource }) => JSON.stringify(Resource))
          : [],
      );
    expect(enters(/^ChangesAdvance/)).toEqual([expect.stringMatching(/-changes"/)]);
    expect(enters(/^MonitoringWatch/)).toEqual([expect.not.stringMatching(/-changes"/)]);
  });
});

test('the address is for who signs, and approving roles may call the function by it alone', () => {
  const urls = changes
    .all('AWS::Lambda::Url')
    .flatMap(([id, { Properties }]) => (/^Changes/.test(id) ? [Properties['AuthType']] : []));
  expect(urls).toEqual(['AWS_IAM']);
  const role = 'arn:aws:iam::111122223333:role/teams/dba';
  const permissions = changes
    .all('AWS::Lambda::Permission')
    .flatMap(([, { Properties }]) => (Properties['Principal'] === role ? [Properties] : []));
  expect(permissions).toEqual([
    expect.objectContaining({ Action: 'lambda:InvokeFunctionUrl', FunctionUrlAuthType: 'AWS_IAM' }),
    expect.objectContaining({ Action: 'lambda:InvokeFunction', InvokedViaFunctionUrl: true }),
  ]);
});

test('the ledger stays where the bucket stays', () => {
  const [, table] = changes.all('AWS::DynamoDB::GlobalTable').find(([id]) => /^ChangesLedger/.test(id)) ?? [];
  expect(table).toMatchObject({ DeletionPolicy: 'Retain' });
});

describe('who is heard, and who hears', () => {
  const roleOf = (name: RegExp) =>
    changes.all('AWS::IAM::Role').flatMap(([id]) => (name.test(id) ? [id] : []));
  const variable = (stack: Synthesized, name: RegExp, key: string) =>
    stack
      .all('AWS::Lambda::Function')
      .flatMap(([id, { Properties }]) =>
        name.test(id)
          ? [(Properties['Environment'] as { Variables: Record<string, unknown> }).Variables[key]]
          : [],
      );
  /** On what a role may do something. */
  const on = (role: string, action: string): string[] =>
    changes
      .statementsOf(role)
      .flatMap(({ Action, Resource }) => (Action.includes(action) ? [JSON.stringify(Resource)] : []));

  test('buttons ask the function that decides, and may call no other', () => {
    const [role = ''] = roleOf(/^NotificationsActionsSlackActionsRole/);
    expect(variable(changes, /^NotificationsActionsSlackActions/, 'DECIDE_CHANGE_FUNCTION_ARN')).toEqual([
      { 'Fn::GetAtt': [expect.stringMatching(/^ChangesDecideChange/), 'Arn'] },
    ]);
    expect(on(role, 'lambda:InvokeFunction')).toEqual([expect.stringMatching(/ChangesDecideChange/)]);
  });

  test('channels offer to request a change, and the digest reads the ledger', () => {
    expect(variable(changes, /^NotificationsDeliveryDeliverMessages/, 'CHANGES')).toEqual(['on']);
    expect(variable(archive, /^NotificationsDeliveryDeliverMessages/, 'CHANGES')).toEqual([undefined]);
    const [role = ''] = roleOf(/^NotificationsNotifyDigestRole/);
    expect(variable(changes, /^NotificationsNotifyDigest/, 'CHANGES_TABLE')).toEqual([
      { Ref: expect.stringMatching(/^ChangesLedger/) },
    ]);
    // Of the records of findings, and of the ledger.
    expect(on(role, 'dynamodb:Scan')).toEqual([
      expect.stringMatching(/NotificationsRecords/),
      expect.stringMatching(/ChangesLedger/),
    ]);
  });
});
