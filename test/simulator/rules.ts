/**
 * What AWS does not document of EBS and CloudWatch, or what public measurements contradict. Each is a level of its own; the
 * default is what the engine was built on. The engine knows none of them: it must be robust, or learn from a volume's series.
 */
import { chanceOf } from './random.ts';

/** In how much of a minute a limit must be exceeded for the minute's check to be 1. */
export type CheckRule = 'any-second' | 'half-the-minute' | 'whole-minute' | 'average-at-the-limit';

export interface Rules {
  /** Null: exceeded checks are never published. */
  check: CheckRule | null;
  /** How much later than the other metrics of its minute an exceeded check is there. */
  checkDelaySeconds: number;
  /** How long after its end CloudWatch has a minute. */
  delaySeconds: number;
  /** The part of the minutes of a resource that CloudWatch never has. */
  neverShare: number;
  /** A limit may be exceeded for as long as what was left of it before lasts: so many seconds of the limit at most. */
  spareSeconds: number;
  /** What a volume delivers of what is provisioned, in ten of each thirty minutes. */
  deliveredShare: number;
  /** What the credit buckets of an instance have at the start, where its plan says nothing. */
  instanceStartPercent: number;
}

export const usualRules: Rules = {
  check: 'any-second',
  checkDelaySeconds: 0,
  delaySeconds: 0,
  neverShare: 0,
  spareSeconds: 0,
  deliveredShare: 1,
  instanceStartPercent: 100,
};

/** One level of one assumption, with its name in tables. */
export interface RuleLevel {
  name: string;
  rules: Partial<Rules>;
}

/** By assumption, the usual level left out. Sources: docs/contribute/decisions/0032-truth-under-other-rules.md. */
export const ruleLevels: Record<string, readonly RuleLevel[]> = {
  check: [
    { name: 'a check needs half of the minute', rules: { check: 'half-the-minute' } },
    { name: 'a check needs the whole minute', rules: { check: 'whole-minute' } },
    { name: 'a check is the average at 95 %', rules: { check: 'average-at-the-limit' } },
    { name: 'checks are never published', rules: { check: null } },
    { name: 'checks come 1 min late', rules: { checkDelaySeconds: 60 } },
    { name: 'checks come 6 min late', rules: { checkDelaySeconds: 360 } },
  ],
  delay: [
    { name: 'minutes come after 60 s', rules: { delaySeconds: 60 } },
    { name: 'minutes come after 180 s', rules: { delaySeconds: 180 } },
    { name: 'minutes come after 300 s', rules: { delaySeconds: 300 } },
    { name: 'minutes come after 600 s', rules: { delaySeconds: 600 } },
    { name: 'one minute in 100 never comes', rules: { neverShare: 0.01 } },
  ],
  limiter: [
    { name: '1 s of the limit may be saved', rules: { spareSeconds: 1 } },
    { name: '2 s of the limit may be saved', rules: { spareSeconds: 2 } },
    { name: '5 s of the limit may be saved', rules: { spareSeconds: 5 } },
  ],
  delivered: [
    { name: '97 % delivered for minutes', rules: { deliveredShare: 0.97 } },
    { name: '90 % delivered for minutes', rules: { deliveredShare: 0.9 } },
  ],
  instance: [
    { name: 'instance credits start half full', rules: { instanceStartPercent: 50 } },
    { name: 'instance credits start empty', rules: { instanceStartPercent: 0 } },
  ],
};

const deliveredLess = { everyMinutes: 30, minutes: 10 } as const;

/** What the volume delivers of its limits in this minute of the window. */
export const deliveredIn = (minute: number, { deliveredShare }: Pick<Rules, 'deliveredShare'>): number =>
  minute % deliveredLess.everyMinutes < deliveredLess.minutes ? deliveredShare : 1;

const secondsOfMinute = 60;
const atTheLimit = 0.95;

/**
 * Whether the check of a minute is 1.
 * @param exceededSeconds in how many of its seconds more was asked for than the limit allows.
 * @param averageShare what was served on average, as a share of the limit in force.
 */
export function isCheckSet(rule: CheckRule, exceededSeconds: number, averageShare: number): boolean {
  if (rule === 'any-second') return exceededSeconds > 0;
  if (rule === 'half-the-minute') return exceededSeconds >= secondsOfMinute / 2;
  if (rule === 'whole-minute') return exceededSeconds >= secondsOfMinute;
  return averageShare >= atTheLimit;
}

/**
 * Whether CloudWatch has a minute of a resource for who asks `askedAfterSeconds` after the end of the window.
 * @param resource decides which minutes never come: all metrics of one resource lack the same.
 */
export function isPublished(
  { neverShare, delaySeconds }: Rules,
  { resource, minute, minutes, askedAfterSeconds, laterSeconds = 0 }: PublishedMinute,
): boolean {
  const age = (minutes - minute - 1) * secondsOfMinute + askedAfterSeconds;
  if (age < delaySeconds + laterSeconds) return false;
  return neverShare === 0 || chanceOf(`${resource} ${minute}`) >= neverShare;
}

interface PublishedMinute {
  resource: string;
  minute: number;
  minutes: number;
  askedAfterSeconds: number;
  laterSeconds?: number;
}
