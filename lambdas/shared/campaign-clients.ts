/** Clients of the Region of the stack, in which campaigns run. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { TaskTokens } from '../../adapters/aws/bench/task-tokens.ts';
import { CallCounter } from '../../adapters/aws/call-counter.ts';
import { ec2Client, ownResources, ssmClient, stepFunctionsClient } from '../../adapters/aws/session.ts';

/** Lambda's own: the Region that the function runs in. */
const regionHere = (): string => process.env['AWS_REGION'] ?? '';

export function campaignClients() {
  const region = regionHere();
  const counter = new CallCounter();
  return {
    region,
    ec2: ec2Client({ region }, counter),
    ssm: ssmClient({ region }, counter),
    stepFunctions: stepFunctionsClient({ region }, counter),
  };
}

export const taskTokens = (table: string): TaskTokens =>
  new TaskTokens(DynamoDBDocumentClient.from(new DynamoDBClient(ownResources)), table);
