/** Policies that AWS would not take as they are meant, planted in a template: parliament names each. */
import { join } from 'node:path';
import { policyFindings } from '../../tools/policy-findings.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

const root = join(__dirname, '../..');
const directory = temporaryDirectory();

const allow = (Action: string, Resource: unknown, Condition = {}) => ({
  PolicyName: 'May',
  PolicyDocument: {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action, Resource, Condition }],
  },
});
const roleWith = (...Policies: object[]) => ({ Type: 'AWS::IAM::Role', Properties: { Policies } });

test('an action that is none, a resource that an action does not know, a key that it does not have', async () => {
  const objects = { 'Fn::Join': ['', [{ 'Fn::GetAtt': ['Runs', 'Arn'] }, '/*']] };
  const right = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`Right${i}`, roleWith(allow('s3:GetObject', objects))]),
  );
  const template = directory.write('template.json', {
    Resources: {
      ...right,
      Runs: { Type: 'AWS::S3::Bucket' },
      Unknown: roleWith(allow('s3:ReadObject', objects)),
      Mismatch: roleWith(allow('sns:Publish', objects)),
      Condition: roleWith(allow('s3:GetObject', objects, { StringEquals: { 's3:no-such-key': 'a' } })),
    },
  });
  const findings = await policyFindings(root, [['planted', template]], directory.path);
  expect(findings.sort()).toEqual([
    expect.stringContaining('planted: Condition.May: parliament UNKNOWN_CONDITION_FOR_ACTION'),
    expect.stringContaining('planted: Mismatch.May: parliament RESOURCE_MISMATCH'),
    expect.stringContaining('planted: Unknown.May: parliament UNKNOWN_ACTION'),
  ]);
});
