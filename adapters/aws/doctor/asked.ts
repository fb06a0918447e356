/** A reading whose failure is an answer too: which action, whether it was refused, what AWS said. */
import { isOfOrganization, type NotRead, type Read } from '../../../core/doctor/facts.ts';
import { AccessDenied, Unreadable } from '../../../core/errors.ts';
import { known, unknown } from '../../../core/known.ts';
import type { CallCounter } from '../call-counter.ts';
import { reading } from '../failure.ts';
import type { Session } from '../session.ts';

export interface Asking {
  session: Session;
  counter: CallCounter;
}

/** A person waits: what does not answer soon is unknown. */
const patience = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 3_000, requestTimeout: 15_000, throwOnRequestTimeout: true },
} as const;

type Configured = typeof patience & Session;
interface AnyClient {
  middlewareStack: { use(plugin: ReturnType<CallCounter['plugin']>): void };
}

/** A client of the session whose calls are counted. @param region where it is not the session's. */
export function clientOf<C>(
  Client: new (config: Configured) => C,
  { session, counter }: Asking,
  region: string = session.region,
): C {
  const client = new Client({ ...patience, ...session, region });
  (client as AnyClient).middlewareStack.use(counter.plugin());
  return client;
}

/** The service control policy stands at the end of some messages: the first line of a cause is not cut as ours is. */
const messageOf = ({ cause }: Error): string => (cause instanceof Error ? cause.message : '');

const notReadOf = (action: string, error: Unreadable): NotRead => ({
  action,
  isRefused: error instanceof AccessDenied,
  byOrganization: isOfOrganization(messageOf(error)),
  reason: error.message,
});

/** @param action such as ec2:DescribeVolumes. */
export async function asked<T>(action: string, region: string, call: () => Promise<T>): Promise<Read<T>> {
  try {
    return known(await reading(`${action} in ${region}`, call));
  } catch (error) {
    if (error instanceof Unreadable) return unknown(notReadOf(action, error));
    throw error;
  }
}

/** The same where only a failure matters. */
export async function askedOnly(
  action: string,
  region: string,
  call: () => Promise<unknown>,
): Promise<NotRead | null> {
  const read = await asked(action, region, call);
  return read.known ? null : read.reason;
}
