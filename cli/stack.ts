/** The deployed stack that a command speaks to: how it is named, and found. */
import type { Command } from 'commander';
import { defaultRegion, type Session } from '../adapters/aws/session.ts';
import { BadInput, Unreadable } from '../core/errors.ts';
import { auditStack } from '../core/stacks.ts';
import { asBadInput } from './credentials.ts';
import { regionOption } from './options.ts';

export interface StackOptions {
  region?: string;
  profile?: string;
  stack: string;
}

export const ofStack = (command: Command): Command =>
  command
    .option('--stack <name>', "of CloudFormation, the audit's", auditStack)
    .option(
      '--region <region>',
      'of the stack (default: AWS_REGION, or that of the profile)',
      regionOption('--region'),
    )
    .option('--profile <name>', 'of the AWS configuration');

/**
 * Looks for something in the stack's Region.
 * @param what asks, such as "bench".
 * @throws BadInput where no Region is named, or nobody is signed in.
 */
export async function inStack<T>(
  { region, profile, stack }: StackOptions,
  what: string,
  look: (session: Session, stack: string) => Promise<T>,
): Promise<T> {
  const here = region ?? (await defaultRegion(profile));
  if (here === null)
    throw new BadInput(`${what} needs a Region: give --region us-east-1, set AWS_REGION, or give --profile`);
  try {
    return await look({ region: here, ...(profile === undefined ? {} : { profile }) }, stack);
  } catch (error) {
    throw error instanceof Unreadable ? asBadInput(error, profile) : error;
  }
}
