import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, type GlobalSecondaryIndexPropsV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';

export interface TableProps {
  /** The partition key; both are strings. */
  key: string;
  sortKey?: string;
  timeToLiveAttribute?: string;
  globalSecondaryIndexes?: GlobalSecondaryIndexPropsV2[];
}

/** A table that costs nothing while nobody uses it, and goes with the stack. */
export const tableOnDemand = (
  scope: Construct,
  id: string,
  { key, sortKey, ...props }: TableProps,
): TableV2 =>
  new TableV2(scope, id, {
    partitionKey: { name: key, type: AttributeType.STRING },
    ...(sortKey === undefined ? {} : { sortKey: { name: sortKey, type: AttributeType.STRING } }),
    ...props,
    billing: Billing.onDemand(),
    removalPolicy: RemovalPolicy.DESTROY,
  });
