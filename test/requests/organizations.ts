/**
 * Service control policies as organizations have them, and what they take from stripewise. Sources: AWS Organizations User Guide, "Example
 * SCPs" (deny by requested Region); AWS Control Tower, "Region deny control" (its list of global services); Lambda Developer Guide, "Control
 * access to function URLs"; S3 User Guide, "Protecting data with SSE-KMS"; EC2 Service Authorization Reference, read 2026-11-26.
 */
import type { Policy } from './simulate.ts';

const denies = (statement: Omit<Policy['Statement'][number], 'Effect'>): Policy => ({
  ...{ Version: '2012-10-17', Statement: [{ Effect: 'Deny', ...statement }] },
});

/** Regions that the tests ask of; another one is closed. */
const open = ['us-east-1', 'eu-central-1', 'eu-west-1', 'eu-west-2'];

export interface Organization {
  policy: Policy;
  /** Actions that it refuses, each with what comes of it. */
  refuses: Readonly<Record<string, string>>;
}

export const organizations: Readonly<Record<string, Organization>> = {
  'no public function URL': {
    policy: denies({
      Action: ['lambda:CreateFunctionUrlConfig', 'lambda:UpdateFunctionUrlConfig', 'lambda:AddPermission'],
      Resource: '*',
      Condition: { StringEquals: { 'lambda:FunctionUrlAuthType': 'NONE' } },
    }),
    refuses: {},
  },
  'Regions that are closed': {
    policy: denies({
      NotAction: [
        ...[
          'budgets:*',
          'ce:*',
          'cloudfront:*',
          'ec2:DescribeRegions',
          'health:*',
          'iam:*',
          'organizations:*',
        ],
        ...['pricing:*', 'route53:*', 's3:ListAllMyBuckets', 'sts:*', 'support:*', 'trustedadvisor:*'],
      ],
      Resource: '*',
      Condition: { StringNotEquals: { 'aws:RequestedRegion': open } },
    }),
    refuses: {},
  },
  // The Price List is in us-east-1 alone for most Regions.
  'us-east-1 closed for a stack elsewhere, the Price List with it': {
    policy: denies({ Action: 'pricing:*', Resource: '*' }),
    refuses: { 'pricing:GetProducts': 'prices are those that come with stripewise; the run says so' },
  },
  'volumes that are encrypted': {
    policy: denies({
      Action: ['ec2:RunInstances', 'ec2:CreateVolume'],
      Resource: 'arn:aws:ec2:*:*:volume/*',
      Condition: { Bool: { 'ec2:Encrypted': 'false' } },
    }),
    refuses: {},
  },
  'volumes that are encrypted with a key of the customer': {
    policy: denies({
      Action: ['ec2:RunInstances', 'ec2:CreateVolume'],
      Resource: 'arn:aws:ec2:*:*:volume/*',
      Condition: { Null: { 'ec2:KmsKeyID': 'true' } },
    }),
    refuses: {
      'ec2:RunInstances': 'a benchmark without benchmark.kmsKeyArn launches no host, and its report says why',
    },
  },
  'no other encryption of objects than with a key of the customer': {
    policy: denies({
      Action: 's3:PutObject',
      Resource: '*',
      Condition: {
        StringNotEquals: { 's3:x-amz-server-side-encryption': 'aws:kms' },
        Null: { 's3:x-amz-server-side-encryption': 'false' },
      },
    }),
    refuses: {},
  },
  // A policy of the years before S3 encrypted by itself: whoever has it cannot run the stack.
  'a header that names the encryption of each object': {
    policy: denies({
      Action: 's3:PutObject',
      Resource: '*',
      Condition: { Null: { 's3:x-amz-server-side-encryption': 'true' } },
    }),
    refuses: { 's3:PutObject': 'the first write of a run fails, and the run with it: this is not supported' },
  },
};
