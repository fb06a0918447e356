/** Clients of the account and Region that is read, with the calls they make counted. */
import { AccountSessions } from '../../adapters/aws/account-sessions.ts';
import { CallCounter } from '../../adapters/aws/call-counter.ts';
import { cloudWatchClient, ec2Client, type Session, ssmClient } from '../../adapters/aws/session.ts';
import type { MemberRole } from '../../core/config/organization.ts';
import type { Target } from '../../core/schemas/accounts.ts';

export function readingClients(session: Session, counter = new CallCounter()) {
  return {
    ec2: ec2Client(session, counter),
    cloudWatch: cloudWatchClient(session, counter),
    ssm: ssmClient(session, counter),
    counter,
  };
}

/** Of this execution environment: credentials of a member are taken once, however many targets and runs use them. */
let sessions: AccountSessions | null = null;
const stsCalls = new CallCounter();

/** Whose function it is, by its own ARN. */
export const accountOf = ({ invokedFunctionArn }: { invokedFunctionArn: string }): string =>
  invokedFunctionArn.split(':')[4] ?? '';

/**
 * @param memberRole null: there is no organization, and the account is the function's own.
 * @throws NotEntered where the account lets nobody in.
 */
export async function sessionIn(
  target: Target,
  memberRole: MemberRole | null,
  { account, runId }: { account: string; runId: string },
): Promise<Session> {
  if (memberRole === null) return { region: target.region };
  // STS of the hub's Region: Lambda's own.
  const region = process.env['AWS_REGION'] ?? '';
  sessions ??= new AccountSessions({ region, account, ...memberRole }, stsCalls);
  return sessions.sessionIn(target, runId);
}
