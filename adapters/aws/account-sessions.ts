/** Sessions in accounts: one's own credentials at home, those of the member role elsewhere. */
import { AssumeRoleCommand, type Credentials, type STSClient } from '@aws-sdk/client-sts';
import type { AwsCredentialIdentity } from '@smithy/types';
import { NotEntered, Unavailable, Unreadable } from '../../core/errors.ts';
import type { Target } from '../../core/schemas/accounts.ts';
import { msPerSecond, secondsPerMinute } from '../../core/units.ts';
import type { CallCounter } from './call-counter.ts';
import { reading } from './failure.ts';
import { refusalOf } from './refusals.ts';
import { type Session, stsClient } from './session.ts';

/** Who enters, and as whom. */
export interface Hub extends Session {
  /** Whose credentials these are: it is read with them. */
  account: string;
  memberRoleName: string;
  /** Null: the members ask for none. */
  externalId: string | null;
}

/** Credentials that end sooner are renewed: SDK clients ask for new ones then. */
const renewBeforeMs = 5 * secondsPerMinute * msPerSecond;
/** Who was refused is not asked again for so long, however many Regions and batches of it are to be read. */
const refusedForMs = 10 * secondsPerMinute * msPerSecond;
/** Of a role that another role takes on. Source: IAM user guide, "Role chaining", read 2026-11-26. */
const sessionSeconds = 3_600;

/** Stands in the CloudTrail of each member: as long as STS lets it be, in its letters. Source: STS API reference, AssumeRole, read 2026-11-26. */
const sessionNameOf = (runId: string): string =>
  `stripewise-${runId}`.replaceAll(/[^\w+=,.@-]/g, '-').slice(0, 64);

interface Entered {
  credentials: Promise<AwsCredentialIdentity>;
  untilMs: number;
}

function identityOf(account: string, given: Credentials | undefined): AwsCredentialIdentity {
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = given ?? {};
  if (AccessKeyId === undefined || SecretAccessKey === undefined || SessionToken === undefined)
    throw new NotEntered({ code: 'other', reason: `sts:AssumeRole in ${account} gave no credentials` });
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    sessionToken: SessionToken,
    ...(Expiration === undefined ? {} : { expiration: Expiration }),
  };
}

/** One AssumeRole for an account and its hour, however many clients ask: keep one of these for a process. */
export class AccountSessions {
  private readonly entered = new Map<string, Entered>();
  private readonly hub: Hub;
  private readonly sts: STSClient;
  private readonly nowMs: () => number;

  constructor(hub: Hub, counter: CallCounter, nowMs: () => number = Date.now) {
    this.hub = hub;
    this.sts = stsClient(hub, counter);
    this.nowMs = nowMs;
  }

  private async assume(
    { partition, account }: Omit<Target, 'region'>,
    runId: string,
  ): Promise<AwsCredentialIdentity> {
    const { memberRoleName, externalId } = this.hub;
    const arn = `arn:${partition}:iam::${account}:role/${memberRoleName}`;
    try {
      const { Credentials } = await reading(`sts:AssumeRole of ${arn}`, () =>
        this.sts.send(
          new AssumeRoleCommand({
            RoleArn: arn,
            RoleSessionName: sessionNameOf(runId),
            DurationSeconds: sessionSeconds,
            ...(externalId === null ? {} : { ExternalId: externalId }),
          }),
        ),
      );
      return identityOf(account, Credentials);
    } catch (error) {
      // What passes, such as an outage, is no refusal: it is tried again.
      if (error instanceof NotEntered || error instanceof Unavailable || !(error instanceof Unreadable))
        throw error;
      throw new NotEntered(refusalOf(error, 'role'), { cause: error });
    }
  }

  private enter(target: Omit<Target, 'region'>, runId: string): Promise<AwsCredentialIdentity> {
    const { account } = target;
    const before = this.entered.get(account);
    if (before !== undefined && this.nowMs() < before.untilMs) return before.credentials;
    const credentials = this.assume(target, runId);
    const entered: Entered = { credentials, untilMs: Number.POSITIVE_INFINITY };
    this.entered.set(account, entered);
    credentials.then(
      ({ expiration }) => {
        const endMs = expiration?.getTime() ?? this.nowMs() + sessionSeconds * msPerSecond;
        entered.untilMs = endMs - renewBeforeMs;
      },
      (error: unknown) => {
        entered.untilMs = error instanceof NotEntered ? this.nowMs() + refusedForMs : 0;
      },
    );
    return credentials;
  }

  /**
   * @param runId who enters first says it to the member.
   * @throws NotEntered where the account lets nobody in.
   */
  async sessionIn(target: Target, runId: string): Promise<Session> {
    const { account, region } = target;
    const { profile } = this.hub;
    if (account === this.hub.account) return { region, ...(profile === undefined ? {} : { profile }) };
    await this.enter(target, runId);
    return { region, credentials: () => this.enter(target, runId) };
  }
}
