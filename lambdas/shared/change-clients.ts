/** Clients of the account and Region of a change, and of what changes have in the stack. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { EC2Client } from '@aws-sdk/client-ec2';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SSMClient } from '@aws-sdk/client-ssm';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { CallCounter } from '../../adapters/aws/call-counter.ts';
import { ChangeLedger } from '../../adapters/aws/change-ledger.ts';
import { describeInstances } from '../../adapters/aws/describe-instances.ts';
import { ec2Client, ownResources, type Session } from '../../adapters/aws/session.ts';
import { tagsOfOwners } from '../../core/changes/ownership.ts';
import type { MemberRole } from '../../core/config/organization.ts';
import { partitionOf } from '../../core/ids.ts';
import type { Tags } from '../../core/inventory.ts';
import type { PlannedChange } from '../../core/schemas/volume-change.ts';
import { sessionIn } from './reading-clients.ts';

export type PlaceOfChange = Pick<PlannedChange, 'account' | 'region' | 'volumeId'>;

/** @param account of the function. @throws NotEntered where the account lets nobody in. */
export const sessionOfChange = (
  { account, region, volumeId }: PlaceOfChange,
  memberRole: MemberRole | null,
  own: string,
): Promise<Session> =>
  sessionIn({ partition: partitionOf(region), account, region }, memberRole, {
    ...{ account: own, runId: `change-${volumeId}` },
  });

export const clientOf = (session: Session, maxAttempts?: number): EC2Client =>
  ec2Client({ ...session, ...(maxAttempts === undefined ? {} : { maxAttempts }) }, new CallCounter());

/** Of all instances that have the volume; null: of none. */
export async function instanceTags(
  client: EC2Client,
  place: PlaceOfChange,
  instanceIds: readonly string[],
): Promise<Tags | null> {
  if (instanceIds.length === 0) return null;
  const { instances } = await describeInstances(client, place, instanceIds, tagsOfOwners);
  return Object.assign({}, ...instances.map(({ tags }) => tags ?? {}));
}

export const ledgerOf = (table: string): ChangeLedger =>
  new ChangeLedger(DynamoDBDocumentClient.from(new DynamoDBClient(ownResources)), table);

export const ownClients = () => ({
  stepFunctions: new SFNClient(ownResources),
  ssm: new SSMClient(ownResources),
});
