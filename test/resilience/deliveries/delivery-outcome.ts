/** A message for channels while something befalls who delivers it: what came of it. */

import { notify } from '../notify.ts';
import type { Outcome } from '../outcome-table.ts';
import type { ChannelsDay } from './channels-day.ts';
import {
  byCall,
  type DeliveryTrouble,
  inWords,
  isAsExpected,
  type WebhookDoes,
} from './delivery-troubles.ts';
import type { Heard, Said } from './ears.ts';
import { until } from './until.ts';

const part = 'DeliverMessages';

const answers: Record<WebhookDoes, object | null> = {
  'takes it': null,
  'fails once': { status: 500, body: 'broken', times: 1 },
  'refuses it': { status: 404, body: 'no_service', times: -1 },
};

/** @returns ends what was ordered. */
async function orderTrouble(day: ChannelsDay, trouble: DeliveryTrouble): Promise<() => Promise<void>> {
  const { call, kind, times, sends } = trouble;
  const [service, operation] = call.split(':');
  const { gateway, roles } = day;
  if (kind === 'permission') {
    const allowed = (await roles.allowed(part)).find(({ action }) => action === call);
    if (allowed === undefined) throw new Error(`${part} may not ${call} anyhow`);
    return roles.takeAway(allowed);
  }
  const which = sends === undefined ? {} : { sends };
  gateway.faults.add({
    ...{ kind, times, functionPart: part, ...which },
    ...(service && { service }),
    ...(operation && { operation }),
  });
  return async () => {};
}

/** Of a trouble that lasts: the log says which call failed, and what was heard meanwhile. */
async function seenMeanwhile(
  { account, ears, gateway }: ChannelsDay,
  { call, kind, meanwhile }: DeliveryTrouble,
  said: Said,
  sinceMs: number,
): Promise<string[]> {
  if (meanwhile === null) return [];
  const name = kind === 'permission' ? call : (call.split(':')[0] ?? '');
  const isNamed = await until(async () =>
    (await account.logged(part, sinceMs)).some((line) => line.includes(name)),
  );
  let heard: Heard = await ears.heard(said);
  await until(async () => {
    heard = await ears.heard(said);
    return isAsExpected(heard, meanwhile);
  });
  const waiting = await account.waiting();
  const isOver = byCall[call]?.isOver ?? false;
  return [
    ...(isNamed ? [] : [`the log does not name ${name}`]),
    ...(kind === 'permission' || gateway.faults.met > 0 ? [] : ['the fault was never met']),
    ...(isAsExpected(heard, meanwhile) ? [] : [`meanwhile ${inWords(heard)}`]),
    ...(isOver || waiting === 1 ? [] : [`${waiting} messages waiting`]),
  ];
}

export async function deliveryOutcome(day: ChannelsDay, trouble: DeliveryTrouble): Promise<Outcome> {
  const { account, ears, gateway, services } = day;
  const { to, call, kind, times, sends, meanwhile, atLast } = trouble;
  gateway.reset();
  // It keeps the secret for a minute.
  if (call.startsWith('secretsmanager:')) await account.restart(part);
  const end = await orderTrouble(day, trouble);
  const answer = answers[byCall[call]?.webhook ?? 'takes it'];
  if (to === 'all' && answer !== null)
    await notify('POST', `${services.urls.slack}/_stripewise/faults`, answer);
  const sinceMs = Date.now();
  const said = await day.say(to);
  const wrong = await seenMeanwhile(day, trouble, said, sinceMs);
  if (meanwhile !== null) {
    gateway.reset();
    await end();
  }
  await account.deliveriesDone();
  let heard: Heard = await ears.heard(said);
  // The bus and the topics hand on in their own time.
  await until(async () => {
    heard = await ears.heard(said);
    return isAsExpected(heard, atLast);
  });
  if (meanwhile === null && gateway.faults.met === 0) wrong.push('the fault was never met');
  if (!isAsExpected(heard, atLast)) wrong.push(`at last ${inWords(heard)}`);
  await day.resetChannels();
  return {
    what: [to, `${call} ${sends ?? ''}`.trim(), kind, times === 1 ? 'once' : 'a while'],
    expected: [...(meanwhile === null ? [] : [inWords(meanwhile)]), inWords(atLast)].join(', then '),
    seen: wrong.length === 0 ? 'as expected' : wrong.join('; '),
    asExpected: wrong.length === 0,
  };
}
