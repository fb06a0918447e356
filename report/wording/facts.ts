/** What the words of a finding are made from, and the three things that each kind says. */
import type { Finding } from '../../core/schemas/finding.ts';
import type { FindingKind } from '../../core/schemas/finding-kinds.ts';
import { limitText, rateText, shortText } from './words.ts';

/** A finding as every channel has it. */
export type WordedFinding = Pick<
  Finding,
  | 'kind'
  | 'resource'
  | 'status'
  | 'firstSeen'
  | 'lastSeen'
  | 'limit'
  | 'confidence'
  | 'evidenceWindow'
  | 'provisional'
  | 'evidence'
  | 'recommendations'
>;

export interface KindWords {
  /** What is wrong: its first sentence stands alone in a message. */
  problem(finding: WordedFinding): string;
  /** What shows it; null where the problem says it all. */
  shown(finding: WordedFinding): string | null;
  /** What the confidence rests on; null where it is plain. */
  basis(finding: WordedFinding): string | null;
}

export type WordsOfKinds<Kind extends FindingKind> = Record<Kind, KindWords>;

export const numberOf = ({ evidence }: WordedFinding, key: string): number | null => {
  const value = evidence[key];
  return typeof value === 'number' ? value : null;
};

export const textOf = ({ evidence }: WordedFinding, key: string): string | null => {
  const value = evidence[key];
  return typeof value === 'string' ? value : null;
};

/** "its baseline of 100 IOPS". */
export const atLimit = ({ limit }: WordedFinding): string =>
  limit === null ? 'its limit' : `its ${limitText(limit)}`;

/** An instance is called by its type, where that is known. */
export function instanceText(finding: WordedFinding): string {
  const type = textOf(finding, 'instanceType');
  return type === null ? 'the instance' : shortText(type, 30);
}

/** "in 14 days"; empty where no metrics are behind it. */
export function overDays({ evidenceWindow }: WordedFinding): string {
  if (evidenceWindow === null) return '';
  return ` in ${rateText(evidenceWindow.days, evidenceWindow.days === 1 ? 'day' : 'days')}`;
}

export const nothing = (): null => null;
