/** Tells what changed, once: what a run saw, or what is due without one. */
import { chunk } from 'es-toolkit/array';
import { isReadNoMoreIn, regionsOfFindings, wholePlacesOf } from '../../core/audit/accounts.ts';
import { type ChangeOfRecord, changeRecords, type RecordsAt } from '../../core/lifecycle/change-records.ts';
import type { FindingRecord, Observation } from '../../core/lifecycle/finding-record.ts';
import { afterObservation, noLongerRead } from '../../core/lifecycle/lifecycle.ts';
import { notificationOf, runOfNotification } from '../../core/lifecycle/notification.ts';
import { canReclaim, claimed, freed, notifyingNow } from '../../core/lifecycle/notifying.ts';
import { observationsOf } from '../../core/lifecycle/observations.ts';
import { maxFindingsInMessage } from '../../core/lifecycle/stored-message.ts';
import type { LinkOf } from '../../core/report/report-link.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { epochSecondsOf } from '../../core/units.ts';
import { goOnWith, type SendRules, type SendWith, sendNew } from './send-messages.ts';
import { type ValidationOfFinding, type ValidationsFrom, validationsOf } from './validations.ts';

export interface NotifyWith extends SendWith, ValidationsFrom {
  /** False where nobody is subscribed yet: what is notified then would be lost. */
  isAnybodyListening(): Promise<boolean>;
  records: RecordsAt & {
    /** What counts as open in these Regions. */
    open(regions: readonly string[]): Promise<FindingRecord[]>;
    /** Ids of what there is something to tell of. */
    due(nowEpochSeconds: number): Promise<string[]>;
    /** Notes an audit that read this place (wholePlacesOf) in whole. @returns false where one that ended later was noted before. */
    isNewestAudit(place: string, endEpochSeconds: number): Promise<boolean>;
  };
  /** Never the same twice. */
  newMessageId(): string;
  /** Links to the report of this run, or of the newest one that has a report; null where there are none. */
  linksToReport(): Promise<LinkOf | null>;
}

export interface NotificationRules extends SendRules {
  /** The run, or a name that nobody else has. */
  by: string;
}

export interface RunToNotify {
  result: AuditResult;
  /** Where the whole of it is. */
  location: string;
}

export interface Notified {
  notified: number;
  /** There is news, and no channel is set up: it waits. */
  nobodyListens: boolean;
}

/** What is about to be notified. */
interface Batch {
  run: RunToNotify | null;
  /** To the report of the run, or of the newest one. */
  linkOf: LinkOf | null;
  /** Another message told of the same before. */
  isContinued: boolean;
  /** Nothing that is open where the run looked was notified before. */
  isFirst?: boolean;
  /** By finding id: looks that count first. */
  observations: ReadonlyMap<string, Observation>;
  validations: ReadonlyMap<string, ValidationOfFinding>;
}

/** @returns what it is after the observation and, where there is something to tell, in the message. */
function observedAndClaimed(
  [findingId, before]: [string, FindingRecord | null],
  { observations, validations }: Batch,
  messageId: string,
  { by, nowEpochSeconds, rules }: NotificationRules,
): FindingRecord | null {
  const observation = observations.get(findingId);
  const observed =
    observation === undefined
      ? before
      : afterObservation(findingId, before, observation, rules, nowEpochSeconds);
  const validated = validations.get(findingId)?.gradedEpochSeconds ?? null;
  const notifying = observed && notifyingNow(observed, nowEpochSeconds, rules, validated);
  return observed && notifying
    ? claimed(observed, notifying, { by, messageId, nowEpochSeconds }, rules)
    : observed;
}

interface Tried {
  notified: number;
  /** In a message that an earlier try of this began. */
  begun: FindingRecord[];
}

/** Looks, claims and sends, so many findings in a message as a stored one can hold. */
async function notifyBatch(
  findingIds: readonly string[],
  batch: Batch,
  by: NotificationRules,
  use: NotifyWith,
): Promise<Tried> {
  const { run, validations, linkOf, isFirst = false } = batch;
  const tried: Tried = { notified: 0, begun: [] };
  let { isContinued } = batch;
  for (const ids of chunk([...findingIds], maxFindingsInMessage)) {
    const id = use.newMessageId();
    const change: ChangeOfRecord = (...of) => observedAndClaimed(of, batch, id, by);
    const records = [...(await changeRecords(ids, change, use.records)).values()];
    const news = records.filter(({ claim }) => claim?.messageId === id);
    tried.begun.push(...records.filter(({ claim }) => claim?.by === by.by && claim.messageId !== id));
    if (news.length === 0) continue;
    const head = {
      ...{ id, nowEpochSeconds: by.nowEpochSeconds, isContinued, isFirst },
      run: run && runOfNotification(run.result, run.location),
      reportUrl: linkOf?.(null) ?? null,
    };
    // The report of another run has no place for these findings.
    const notification = notificationOf(head, news, { validations, linkOf: run && linkOf });
    isContinued = true;
    tried.notified += await sendNew(notification, by, use);
  }
  return tried;
}

/** Takes them out of the messages that they are not in. */
async function freedOf(
  free: readonly FindingRecord[],
  { rules }: NotificationRules,
  { records }: NotifyWith,
): Promise<FindingRecord[]> {
  const saidIn = new Map(free.map(({ findingId, claim }) => [findingId, claim?.messageId]));
  const change: ChangeOfRecord = (findingId, record) =>
    record !== null && record.claim?.messageId === saidIn.get(findingId) ? freed(record, rules) : record;
  return [...(await changeRecords([...saidIn.keys()], change, records)).values()];
}

/**
 * Goes on with what was begun; what was claimed and is in no message is notified with all else that is due.
 * @param of whose looks these are; of whomever without a run.
 */
async function notifyLeft(
  records: readonly FindingRecord[],
  of: Pick<Batch, 'run' | 'isContinued' | 'linkOf'>,
  by: NotificationRules,
  use: NotifyWith,
): Promise<number> {
  const begun = records.filter((record) => canReclaim(record, by));
  const { notified, free, failures } = await goOnWith(begun, by, use);
  const unclaimed = [...records, ...(await freedOf(free, by, use))];
  const due = unclaimed.filter((record) => notifyingNow(record, by.nowEpochSeconds, by.rules) !== null);
  const findings = due.map(({ finding }) => finding);
  const validations = await validationsOf(findings, by.nowEpochSeconds, use);
  const ids = due.map(({ findingId }) => findingId);
  const tried = await notifyBatch(ids, { ...of, observations: new Map(), validations }, by, use);
  if (failures[0] !== undefined) throw failures[0];
  return notified + tried.notified;
}

/**
 * What is due whoever saw it: what waited for its time, and what somebody who died left.
 * @param seen what somebody saw just now: the index of what is due is behind by a second or so.
 */
export async function notifyDue(
  by: NotificationRules,
  use: NotifyWith,
  seen: readonly string[] = [],
): Promise<Notified> {
  const ids = [...new Set([...seen, ...(await use.records.due(by.nowEpochSeconds))])];
  if (ids.length === 0) return { notified: 0, nobodyListens: false };
  if (!(await use.isAnybodyListening())) return { notified: 0, nobodyListens: true };
  let notified = 0;
  const linkOf = await use.linksToReport();
  for (const some of chunk(ids, maxFindingsInMessage)) {
    const records = await use.records.read(some);
    notified += await notifyLeft(
      [...records.values()],
      { run: null, linkOf, isContinued: notified > 0 },
      by,
      use,
    );
  }
  return { notified, nobodyListens: false };
}

/** Looks count whoever listens. */
async function observationOnly(
  observations: ReadonlyMap<string, Observation>,
  { rules, nowEpochSeconds }: NotificationRules,
  { records }: NotifyWith,
): Promise<Notified> {
  const change: ChangeOfRecord = (findingId, before) => {
    const observation = observations.get(findingId);
    return observation === undefined
      ? before
      : afterObservation(findingId, before, observation, rules, nowEpochSeconds);
  };
  const observed = [...(await changeRecords([...observations.keys()], change, records)).values()];
  return {
    notified: 0,
    nobodyListens: observed.some((one) => notifyingNow(one, nowEpochSeconds, rules) !== null),
  };
}

/**
 * What a run saw. One that is handed in after another that ended later opens nothing: where that one read the Region in whole and
 * did not see it, it is gone.
 */
async function observationsNow(
  result: AuditResult,
  open: readonly FindingRecord[],
  { rules }: NotificationRules,
  { records }: NotifyWith,
): Promise<Map<string, Observation>> {
  const observations = observationsOf(result, open, rules);
  if (result.window === null) return observations;
  const endEpochSeconds = epochSecondsOf(result.window.end);
  const overtaken = new Set<string>();
  for (const place of wholePlacesOf(result))
    if (!(await records.isNewestAudit(place, endEpochSeconds))) overtaken.add(place);
  const isOvertaken = ({ account, region }: { account: string | null; region: string }): boolean =>
    overtaken.has(result.accountCoverage === undefined ? region : `${account}/${region}`);
  const isOpen = new Set(open.map(({ findingId }) => findingId));
  const isLate = (findingId: string, { finding }: Observation): boolean =>
    finding !== null && isOvertaken(finding.resource) && !isOpen.has(findingId);
  return new Map([...observations].filter((of) => !isLate(...of)));
}

/** What is open in accounts that are read no more would stay so for good: it ends, and nobody is notified. */
async function endWhatIsReadNoMore(
  result: AuditResult,
  open: readonly FindingRecord[],
  { by, nowEpochSeconds, rules }: NotificationRules,
  { records }: NotifyWith,
): Promise<void> {
  if (result.window === null) return;
  const isReadNoMore = isReadNoMoreIn(result);
  const left = open.filter(({ finding }) => isReadNoMore(finding.resource));
  const at = { by, endEpochSeconds: epochSecondsOf(result.window.end), nowEpochSeconds };
  const change: ChangeOfRecord = (_, record) => record && noLongerRead(record, at, rules);
  await changeRecords(
    left.map(({ findingId }) => findingId),
    change,
    records,
  );
}

/** What a run saw, in one message with what the run was; then what is due besides. */
export async function notifyRun(run: RunToNotify, by: NotificationRules, use: NotifyWith): Promise<Notified> {
  const { result } = run;
  const open = await use.records.open(regionsOfFindings(result));
  await endWhatIsReadNoMore(result, open, by, use);
  const observations = await observationsNow(result, open, by, use);
  if (!(await use.isAnybodyListening())) return observationOnly(observations, by, use);
  const validations = await validationsOf(result.findings, by.nowEpochSeconds, use);
  const linkOf = await use.linksToReport();
  const { notified, begun } = await notifyBatch(
    [...observations.keys()],
    {
      run,
      linkOf,
      isContinued: false,
      isFirst: open.every((one) => one.notified === null),
      observations,
      validations,
    },
    by,
    use,
  );
  const notifiedOfBegun = await notifyLeft(begun, { run, linkOf, isContinued: notified > 0 }, by, use);
  // What of that fails is for the schedule to fail of, and not for this run.
  const due = await notifyDue(by, use).catch((error: Error) => {
    use.onTrouble(error.message);
    return { notified: 0, nobodyListens: false };
  });
  return { ...due, notified: notified + notifiedOfBegun + due.notified };
}
