/** Tells what changed, once: what a run saw, or what is due without one. */
import { chunk } from 'es-toolkit/array';
import { advisoryOf, runOfAdvisory } from '../../core/advisory/advisory.ts';
import { type ChangeOfRecord, changeRecords, type RecordsAt } from '../../core/advisory/change-records.ts';
import type { FindingRecord, Sighting } from '../../core/advisory/finding-record.ts';
import { afterLook } from '../../core/advisory/life.ts';
import { sightingsOf } from '../../core/advisory/sightings.ts';
import { mostFindingsInMessage } from '../../core/advisory/stored-message.ts';
import { claimed, freed, mayTakeOver, tellingNow } from '../../core/advisory/telling.ts';
import type { LinkOf } from '../../core/report/report-link.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';
import { epochSecondsOf } from '../../core/units.ts';
import { type ProofOfFinding, type ProofsFrom, proofsOf } from './proofs.ts';
import { goOnWith, type SendRules, type SendWith, sendNew } from './send-messages.ts';

export interface TellWith extends SendWith, ProofsFrom {
  /** False where nobody is subscribed yet: what is told then would be lost. */
  isAnybodyListening(): Promise<boolean>;
  records: RecordsAt & {
    /** What counts as open in these Regions. */
    open(regions: readonly string[]): Promise<FindingRecord[]>;
    /** Ids of what there is something to tell of. */
    due(nowEpochSeconds: number): Promise<string[]>;
    /** Notes an audit that read this Region in whole. @returns false where one that ended later was noted before. */
    isNewestAudit(region: string, endEpochSeconds: number): Promise<boolean>;
  };
  /** Never the same twice. */
  newMessageId(): string;
  /** Links to the report of this run, or of the newest one that has a report; null where there are none. */
  linksToReport(): Promise<LinkOf | null>;
}

export interface TellingBy extends SendRules {
  /** The run, or a name that nobody else has. */
  by: string;
}

export interface RunToTell {
  result: AuditResult;
  /** Where the whole of it is. */
  location: string;
}

export interface Told {
  told: number;
  /** There is news, and no channel is set up: it waits. */
  nobodyListens: boolean;
}

/** What is about to be told. */
interface Batch {
  run: RunToTell | null;
  /** To the report of the run, or of the newest one. */
  linkOf: LinkOf | null;
  /** Another message told of the same before. */
  isContinued: boolean;
  /** Nothing that is open where the run looked was notified before. */
  isFirst?: boolean;
  /** By finding id: looks that count first. */
  sightings: ReadonlyMap<string, Sighting>;
  proofs: ReadonlyMap<string, ProofOfFinding>;
}

/** @returns what it is after the look and, where there is something to tell, in the message. */
function lookedAndClaimed(
  [findingId, before]: [string, FindingRecord | null],
  { sightings, proofs }: Batch,
  messageId: string,
  { by, nowEpochSeconds, rules }: TellingBy,
): FindingRecord | null {
  const sighting = sightings.get(findingId);
  const looked =
    sighting === undefined ? before : afterLook(findingId, before, sighting, rules, nowEpochSeconds);
  const proved = proofs.get(findingId)?.gradedEpochSeconds ?? null;
  const telling = looked && tellingNow(looked, nowEpochSeconds, rules, proved);
  return looked && telling ? claimed(looked, telling, { by, messageId, nowEpochSeconds }, rules) : looked;
}

interface Tried {
  told: number;
  /** In a message that an earlier try of this began. */
  begun: FindingRecord[];
}

/** Looks, claims and sends, so many findings in a message as a stored one can hold. */
async function tellBatch(
  findingIds: readonly string[],
  batch: Batch,
  by: TellingBy,
  use: TellWith,
): Promise<Tried> {
  const { run, proofs, linkOf, isFirst = false } = batch;
  const tried: Tried = { told: 0, begun: [] };
  let { isContinued } = batch;
  for (const ids of chunk([...findingIds], mostFindingsInMessage)) {
    const id = use.newMessageId();
    const change: ChangeOfRecord = (...of) => lookedAndClaimed(of, batch, id, by);
    const records = [...(await changeRecords(ids, change, use.records)).values()];
    const news = records.filter(({ claim }) => claim?.messageId === id);
    tried.begun.push(...records.filter(({ claim }) => claim?.by === by.by && claim.messageId !== id));
    if (news.length === 0) continue;
    const head = {
      ...{ id, nowEpochSeconds: by.nowEpochSeconds, isContinued, isFirst },
      run: run && runOfAdvisory(run.result, run.location),
      reportUrl: linkOf?.(null) ?? null,
    };
    // The report of another run has no place for these findings.
    const advisory = advisoryOf(head, news, { proofs, linkOf: run && linkOf });
    isContinued = true;
    tried.told += await sendNew(advisory, by, use);
  }
  return tried;
}

/** Takes them out of the messages that they are not in. */
async function freedOf(
  free: readonly FindingRecord[],
  { rules }: TellingBy,
  { records }: TellWith,
): Promise<FindingRecord[]> {
  const saidIn = new Map(free.map(({ findingId, claim }) => [findingId, claim?.messageId]));
  const change: ChangeOfRecord = (findingId, record) =>
    record !== null && record.claim?.messageId === saidIn.get(findingId) ? freed(record, rules) : record;
  return [...(await changeRecords([...saidIn.keys()], change, records)).values()];
}

/**
 * Goes on with what was begun; what was claimed and is in no message is told with all else that is due.
 * @param of whose looks these are; of whomever without a run.
 */
async function tellLeft(
  records: readonly FindingRecord[],
  of: Pick<Batch, 'run' | 'isContinued' | 'linkOf'>,
  by: TellingBy,
  use: TellWith,
): Promise<number> {
  const begun = records.filter((record) => mayTakeOver(record, by));
  const { told, free, failures } = await goOnWith(begun, by, use);
  const unclaimed = [...records, ...(await freedOf(free, by, use))];
  const due = unclaimed.filter((record) => tellingNow(record, by.nowEpochSeconds, by.rules) !== null);
  const findings = due.map(({ finding }) => finding);
  const proofs = await proofsOf(findings, by.nowEpochSeconds, use);
  const ids = due.map(({ findingId }) => findingId);
  const tried = await tellBatch(ids, { ...of, sightings: new Map(), proofs }, by, use);
  if (failures[0] !== undefined) throw failures[0];
  return told + tried.told;
}

/**
 * What is due whoever saw it: what waited for its time, and what somebody who died left.
 * @param seen what somebody saw just now: the index of what is due is behind by a second or so.
 */
export async function tellDue(by: TellingBy, use: TellWith, seen: readonly string[] = []): Promise<Told> {
  const ids = [...new Set([...seen, ...(await use.records.due(by.nowEpochSeconds))])];
  if (ids.length === 0) return { told: 0, nobodyListens: false };
  if (!(await use.isAnybodyListening())) return { told: 0, nobodyListens: true };
  let told = 0;
  const linkOf = await use.linksToReport();
  for (const some of chunk(ids, mostFindingsInMessage)) {
    const records = await use.records.read(some);
    told += await tellLeft([...records.values()], { run: null, linkOf, isContinued: told > 0 }, by, use);
  }
  return { told, nobodyListens: false };
}

/** Looks count whoever listens. */
async function lookOnly(
  sightings: ReadonlyMap<string, Sighting>,
  { rules, nowEpochSeconds }: TellingBy,
  { records }: TellWith,
): Promise<Told> {
  const change: ChangeOfRecord = (findingId, before) => {
    const sighting = sightings.get(findingId);
    return sighting === undefined ? before : afterLook(findingId, before, sighting, rules, nowEpochSeconds);
  };
  const looked = [...(await changeRecords([...sightings.keys()], change, records)).values()];
  return { told: 0, nobodyListens: looked.some((one) => tellingNow(one, nowEpochSeconds, rules) !== null) };
}

/**
 * What a run saw. One that is handed in after another that ended later opens nothing: where that one read the Region in whole and
 * did not see it, it is gone.
 */
async function sightingsNow(
  result: AuditResult,
  open: readonly FindingRecord[],
  { rules }: TellingBy,
  { records }: TellWith,
): Promise<Map<string, Sighting>> {
  const sightings = sightingsOf(result, open, rules);
  if (result.window === null) return sightings;
  const endEpochSeconds = epochSecondsOf(result.window.end);
  const overtaken = new Set<string>();
  for (const region of result.wholeRegions ?? [])
    if (!(await records.isNewestAudit(region, endEpochSeconds))) overtaken.add(region);
  const isOpen = new Set(open.map(({ findingId }) => findingId));
  const isLate = (findingId: string, { finding }: Sighting): boolean =>
    finding !== null && overtaken.has(finding.resource.region) && !isOpen.has(findingId);
  return new Map([...sightings].filter((of) => !isLate(...of)));
}

/** What a run saw, in one message with what the run was; then what is due besides. */
export async function tellRun(run: RunToTell, by: TellingBy, use: TellWith): Promise<Told> {
  const { result } = run;
  const regions = [...result.volumes.map(({ region }) => region), ...(result.wholeRegions ?? [])];
  const open = await use.records.open([...new Set(regions)]);
  const sightings = await sightingsNow(result, open, by, use);
  if (!(await use.isAnybodyListening())) return lookOnly(sightings, by, use);
  const proofs = await proofsOf(result.findings, by.nowEpochSeconds, use);
  const linkOf = await use.linksToReport();
  const { told, begun } = await tellBatch(
    [...sightings.keys()],
    { run, linkOf, isContinued: false, isFirst: open.every((one) => one.told === null), sightings, proofs },
    by,
    use,
  );
  const toldOfBegun = await tellLeft(begun, { run, linkOf, isContinued: told > 0 }, by, use);
  // What of that fails is for the schedule to fail of, and not for this run.
  const due = await tellDue(by, use).catch((error: Error) => {
    use.onTrouble(error.message);
    return { told: 0, nobodyListens: false };
  });
  return { ...due, told: told + toldOfBegun + due.told };
}
