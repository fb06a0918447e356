/**
 * What of a message is still to be said in a channel. A message may have waited: for quiet hours, for an outage, for its hour. What
 * was overtaken meanwhile is left out; what is muted or over by now waits.
 */
import type { FindingRecord } from '../advisory/finding-record.ts';
import type { ChannelConfig } from '../config/config.ts';
import type { ToldFinding } from '../schemas/advisory.ts';
import { isOver } from '../schemas/changes.ts';
import { isoFromEpochSeconds } from '../units.ts';

/** A finding as it is now. */
export type FindingNow = Pick<
  FindingRecord,
  'level' | 'muted' | 'openedEpochSeconds' | 'told' | 'claim' | 'tellFromEpochSeconds' | 'finding'
>;

/** A change of a finding, for the memory of a channel. */
export interface Saying {
  findingId: string;
  /** Of two changes the later one has the larger. */
  order: number;
  isOver: boolean;
}

export interface SaidBefore {
  /**
   * Notes that it is about to be said.
   * @returns false where it was said already, something later was said or begun, or it is the end of what was never said to be open.
   */
  beginSaying(channel: string, saying: Saying): Promise<boolean>;
  noteSaid(channel: string, saying: Saying): Promise<void>;
  /**
   * It is over before the channel heard of it: its end is no news there, unless it heard something else.
   * @returns false where it need not wait: something later was said or begun.
   */
  noteWaiting(channel: string, saying: Saying): Promise<boolean>;
}

export interface StillToSay {
  /** What is to be said now. */
  told: ToldFinding[];
  /** When the first of those that are muted may be said; null: none is muted. */
  mutedUntilEpochSeconds: number | null;
  /** Whether some are not as the message says, and wait for what comes. */
  isAnyWaiting: boolean;
}

const sayingsAtOnce = 10;

/** A bus gets every event, once: who reads it has the order of each. */
const isBus = ({ kind }: ChannelConfig): boolean => kind === 'eventbridge';

function sayingOf(told: ToldFinding, config: ChannelConfig): Saying | null {
  const { id, order } = told;
  if (order === undefined) return null;
  return { findingId: isBus(config) ? `${id}#${order}` : id, order, isOver: isOver(told) };
}

type Answer =
  | { is: 'news'; told: ToldFinding }
  | { is: 'known' | 'waiting' }
  | { is: 'muted'; untilEpochSeconds: number };

/**
 * What is said of a finding that is open in a message. One that ended and came again since then is said as it is now.
 * @returns null where something later is to come: that it is over, or how it is now.
 */
function asItIs(told: ToldFinding, now: FindingNow | undefined, messageId: string): ToldFinding | null {
  if (now === undefined) return told;
  if (now.level === null) return null;
  const openedAt = isoFromEpochSeconds(now.openedEpochSeconds);
  if (told.openedAt === undefined || told.openedAt === openedAt) return told;
  const isLast = now.claim === null && now.tellFromEpochSeconds === null && now.told?.messageId === messageId;
  return isLast ? { ...told, ...now.finding, openedAt, severity: now.level } : null;
}

interface Present {
  messageId: string;
  /** As they are now, by id; one that nobody remembers any more is said as the message has it. */
  findings: ReadonlyMap<string, FindingNow>;
  nowEpochSeconds: number;
}

async function answerFor(
  { name, config }: { name: string; config: ChannelConfig },
  told: ToldFinding,
  { messageId, findings, nowEpochSeconds }: Present,
  { beginSaying, noteWaiting }: SaidBefore,
): Promise<Answer> {
  const now = findings.get(told.id);
  const untilEpochSeconds = now?.muted?.untilEpochSeconds ?? 0;
  if (untilEpochSeconds > nowEpochSeconds) return { is: 'muted', untilEpochSeconds };
  const saying = sayingOf(told, config);
  if (saying === null) return { is: 'news', told };
  const said = saying.isOver || isBus(config) ? told : asItIs(told, now, messageId);
  if (said === null) return { is: (await noteWaiting(name, saying)) ? 'waiting' : 'known' };
  return (await beginSaying(name, saying)) ? { is: 'news', told: said } : { is: 'known' };
}

export async function stillToSay(
  channel: { name: string; config: ChannelConfig },
  told: readonly ToldFinding[],
  present: Present,
  before: SaidBefore,
): Promise<StillToSay> {
  const result: StillToSay = { told: [], mutedUntilEpochSeconds: null, isAnyWaiting: false };
  for (let from = 0; from < told.length; from += sayingsAtOnce) {
    const some = told.slice(from, from + sayingsAtOnce);
    const answers = await Promise.all(some.map((one) => answerFor(channel, one, present, before)));
    for (const answer of answers) {
      if (answer.is === 'news') result.told.push(answer.told);
      if (answer.is === 'waiting') result.isAnyWaiting = true;
      if (answer.is === 'muted')
        result.mutedUntilEpochSeconds = Math.min(
          result.mutedUntilEpochSeconds ?? Number.POSITIVE_INFINITY,
          answer.untilEpochSeconds,
        );
    }
  }
  return result;
}

/** After all was posted: of what is posted in part, the posts that are missing come with the next try. */
export async function noteAllSaid(
  { name, config }: { name: string; config: ChannelConfig },
  told: readonly ToldFinding[],
  { noteSaid }: SaidBefore,
): Promise<void> {
  const sayings = told.flatMap((one) => sayingOf(one, config) ?? []);
  for (let from = 0; from < sayings.length; from += sayingsAtOnce)
    await Promise.all(sayings.slice(from, from + sayingsAtOnce).map((saying) => noteSaid(name, saying)));
}
