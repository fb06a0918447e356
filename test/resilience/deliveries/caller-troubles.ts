/** What befalls a function that somebody calls and who calls again where it failed: a permission less, or that it dies at a call. */
import type { Fault } from '../../../local/gateway/faults.ts';
import type { Allowed } from '../function-roles.ts';
import type { Outcome } from '../outcome-table.ts';
import type { ChannelsDay } from './channels-day.ts';
import { until } from './until.ts';

export interface CallerTrouble {
  /** `service:operation` */
  call: string;
  /** What the permission is on, or which of several calls. */
  which: string;
  /** Null: it dies. */
  allowed: Allowed | null;
  sends?: string;
}

/** Lambda does it for a function, with its role. */
const calledByLambda = /^(logs|xray):|^sqs:(ReceiveMessage|DeleteMessage|GetQueueAttributes)$/;

/** What a function does itself by its role. */
export const allowedTo = async ({ roles }: ChannelsDay, part: string): Promise<Allowed[]> =>
  (await roles.allowed(part)).filter(({ action }) => !calledByLambda.test(action));

export const withoutEach = (allowed: readonly Allowed[]): CallerTrouble[] =>
  allowed.map((one) => ({ call: one.action, which: one.on, allowed: one }));

export const dyingAt = (call: string, sends?: string): CallerTrouble => ({
  ...{ call, which: sends ?? '', allowed: null },
  ...(sends === undefined ? {} : { sends }),
});

/** @returns ends it. */
async function bringAbout(
  { gateway, roles }: ChannelsDay,
  part: string,
  { call, allowed, sends }: CallerTrouble,
): Promise<() => Promise<void>> {
  gateway.reset();
  if (allowed !== null) return roles.takeAway(allowed);
  const [service = '', operation = ''] = call.split(':');
  const fault: Fault = { kind: 'crash', times: 1, service, functionPart: part };
  // The calls of Lambda are not distinguished.
  if (service !== 'lambda') fault.operation = operation;
  if (sends !== undefined) fault.sends = sends;
  gateway.faults.add(fault);
  return async () => {};
}

/** Whether it was met at all, and whether the log says what was missing. */
async function complaintsOf(
  { account, gateway }: ChannelsDay,
  part: string,
  { call, allowed }: CallerTrouble,
  sinceMs: number,
): Promise<string[]> {
  if (allowed === null) return gateway.faults.met > 0 ? [] : ['it did not make the call'];
  // Who is answered by a URL may be answered before its log is there.
  const isNamed = await until(async () =>
    (await account.logged(part, sinceMs)).some((line) => line.includes(call)),
  );
  return isNamed ? [] : [`the log does not name ${call}`];
}

interface Called<T> {
  first: T;
  second: T;
  wrong: string[];
}

/** While it lasts, and after it. @param between the two. */
export async function callTwice<T>(
  day: ChannelsDay,
  part: string,
  trouble: CallerTrouble,
  call: () => Promise<T>,
  between: () => Promise<void> = async () => {},
): Promise<Called<T>> {
  const sinceMs = Date.now();
  const end = await bringAbout(day, part, trouble);
  const first = await call();
  const wrong = await complaintsOf(day, part, trouble, sinceMs);
  day.gateway.reset();
  await end();
  await between();
  return { first, second: await call(), wrong };
}

export const outcomeOf = (
  { call, which, allowed }: CallerTrouble,
  expected: string,
  wrong: readonly string[],
): Outcome => ({
  what: [call, which, allowed === null ? 'dies after it' : 'not allowed'],
  expected,
  seen: wrong.length === 0 ? 'as expected' : wrong.join('; '),
  asExpected: wrong.length === 0,
});
