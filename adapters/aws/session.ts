/** How we speak to AWS: as whom, where, how often tried. */
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { EC2Client } from '@aws-sdk/client-ec2';
import { PricingClient } from '@aws-sdk/client-pricing';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { AwsCredentialIdentityProvider } from '@smithy/types';
import { Unreadable } from '../../core/errors.ts';
import type { CallCounter } from './call-counter.ts';
import { reading } from './failure.ts';
import { retryGarbled } from './garbled.ts';

/**
 * Adaptive: the client's own rate falls when AWS throttles and rises again. The first wait is below a second, the
 * eighth about 20.
 */
export const retry = { retryMode: 'adaptive', maxAttempts: 8 } as const;

/**
 * A call that hangs counts as failed and is tried again; by itself it would hang as long as the function may run. The
 * longest call that is usual, a full page of GetMetricData, takes a few seconds.
 */
const requestHandler = {
  connectionTimeout: 5_000,
  requestTimeout: 30_000,
  socketTimeout: 30_000,
  throwOnRequestTimeout: true,
} as const;

export const withTimeouts = { requestHandler } as const;

/** For clients of what the stack itself has: bucket, tables, topics, secret, dashboard. */
export const ownResources = { maxAttempts: 5, requestHandler } as const;

export interface Session {
  region: string;
  profile?: string;
  /** Of a member's role; without it those of the profile or the environment. */
  credentials?: AwsCredentialIdentityProvider;
}

/** Where nobody waits for it as long. */
export interface HurriedSession extends Session {
  /** Of each call. @default 8 */
  maxAttempts?: number;
}

export function ec2Client(session: HurriedSession, counter: CallCounter): EC2Client {
  const client = new EC2Client({ ...retry, requestHandler, ...session });
  client.middlewareStack.use(counter.plugin());
  client.middlewareStack.use(retryGarbled());
  return client;
}

export function cloudWatchClient(session: Session, counter: CallCounter): CloudWatchClient {
  const client = new CloudWatchClient({ ...retry, requestHandler, ...session });
  client.middlewareStack.use(counter.plugin());
  client.middlewareStack.use(retryGarbled());
  return client;
}

export function ssmClient(session: Session, counter: CallCounter): SSMClient {
  const client = new SSMClient({ ...retry, requestHandler, ...session });
  client.middlewareStack.use(counter.plugin());
  client.middlewareStack.use(retryGarbled());
  return client;
}

export function stepFunctionsClient(session: Session, counter: CallCounter): SFNClient {
  const client = new SFNClient({ ...retry, requestHandler, ...session });
  client.middlewareStack.use(counter.plugin());
  client.middlewareStack.use(retryGarbled());
  return client;
}

/**
 * The Region of the Price List to ask about another Region: the Query API is in three, and in one of China, each with
 * the prices of all. GovCloud has none. Source: AWS Billing user guide, "Using the AWS Price List Query API" (Endpoints),
 * also of China, read 2026-11-21.
 */
export function priceListRegion(region: string): string {
  if (region.startsWith('cn-')) return 'cn-northwest-1';
  if (/^(eu|il|me|af)-/.test(region)) return 'eu-central-1';
  return region.startsWith('ap-') ? 'ap-south-1' : 'us-east-1';
}

/** Where IAM, Organizations and account management answer for all Regions of a partition. */
export function globalRegion(region: string): string {
  if (region.startsWith('cn-')) return 'cn-northwest-1';
  return region.startsWith('us-gov-') ? 'us-gov-west-1' : 'us-east-1';
}

/** Asks the Price List about the session's Region, from wherever it is. */
export function pricingClient(session: HurriedSession, counter: CallCounter): PricingClient {
  const client = new PricingClient({
    ...retry,
    requestHandler,
    ...session,
    region: priceListRegion(session.region),
  });
  client.middlewareStack.use(counter.plugin());
  client.middlewareStack.use(retryGarbled());
  return client;
}

export function stsClient({ region, profile }: Session, counter: CallCounter): STSClient {
  const client = new STSClient({
    ...{ ...retry, requestHandler, region },
    ...(profile === undefined ? {} : { profile }),
  });
  client.middlewareStack.use(counter.plugin());
  client.middlewareStack.use(retryGarbled());
  return client;
}

/** The Region that the environment or the profile names; null where none does. */
export async function defaultRegion(profile?: string): Promise<string | null> {
  const client = new STSClient(profile === undefined ? {} : { profile });
  try {
    return await client.config.region();
  } catch {
    return null;
  }
}

/** The account that the credentials belong to. */
export async function callerAccount(session: Session, counter: CallCounter): Promise<string> {
  const client = stsClient(session, counter);
  const { Account } = await reading('sts:GetCallerIdentity', () =>
    client.send(new GetCallerIdentityCommand({})),
  );
  if (Account === undefined) throw new Unreadable('sts:GetCallerIdentity named no account');
  return Account;
}
