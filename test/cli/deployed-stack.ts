/** A deployed stack in this process: CloudFormation tells its outputs, S3 has what a test puts there. */
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { type AwsClientStub, mockClient } from 'aws-sdk-client-mock';

export const stateMachineArn = 'arn:aws:states:us-east-1:111122223333:stateMachine:Campaigns';

export interface DeployedStack {
  cloudFormation: AwsClientStub<CloudFormationClient>;
  s3: AwsClientStub<S3Client>;
  /** What is in the bucket: texts as they are, all else as JSON. */
  objects: Record<string, object | string>;
  outputs(values: Record<string, string>): void;
}

export function deployedStack(): DeployedStack {
  const stack: DeployedStack = {
    cloudFormation: mockClient(CloudFormationClient),
    s3: mockClient(S3Client),
    objects: {},
    outputs(values) {
      const Outputs = Object.entries(values).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
      stack.cloudFormation.on(DescribeStacksCommand).resolves({ Stacks: [{ Outputs } as never] });
    },
  };
  beforeEach(() => {
    stack.cloudFormation.reset();
    stack.s3.reset();
    stack.objects = {};
    stack.outputs({ RunsBucket: 'runs', BenchStateMachine: stateMachineArn });
    stack.s3.on(ListObjectsV2Command).callsFake(({ Prefix }) => ({
      Contents: Object.keys(stack.objects)
        .filter((key) => key.startsWith(Prefix))
        .map((Key) => ({ Key })),
    }));
    stack.s3.on(GetObjectCommand).callsFake(({ Key }) => {
      const object = stack.objects[Key];
      const text = typeof object === 'string' ? object : JSON.stringify(object);
      return { Body: { transformToString: async () => text } };
    });
  });
  return stack;
}
