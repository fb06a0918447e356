/** What the words of a finding are made from, and the three things that each kind says. */
import type { AnyEvidence, RememberedEvidence } from '../../core/schemas/evidence.ts';
import type { ByKind, FindingFields } from '../../core/schemas/finding.ts';
import type { FindingKind } from '../../core/schemas/finding-kinds.ts';
import { limitText, rateText, shortText } from './words.ts';

type WordedFields = Pick<
  FindingFields,
  | 'resource'
  | 'status'
  | 'firstSeen'
  | 'lastSeen'
  | 'limit'
  | 'confidence'
  | 'evidenceWindow'
  | 'provisional'
  | 'recommendations'
>;

/** A finding as every channel has it; of one of some kinds, or of any. */
export type WordedFinding<Kind extends FindingKind = FindingKind> = ByKind<
  WordedFields,
  RememberedEvidence,
  Kind
>;

export interface KindWords<Kind extends FindingKind> {
  /** What is wrong: its first sentence stands alone in a message. */
  problem(finding: WordedFinding<Kind>): string;
  /** What shows it; null where the problem says it all. */
  shown(finding: WordedFinding<Kind>): string | null;
  /** What the confidence rests on; null where it is plain. */
  basis(finding: WordedFinding<Kind>): string | null;
}

export type WordsOfKinds<Kind extends FindingKind> = { [One in Kind]: KindWords<One> };

/** "its baseline of 100 IOPS". */
export const atLimit = ({ limit }: Pick<WordedFields, 'limit'>): string =>
  limit === null ? 'its limit' : `its ${limitText(limit)}`;

/** An instance is called by its type, where that is known. */
export const instanceText = ({ instanceType }: AnyEvidence): string =>
  instanceType == null ? 'the instance' : shortText(instanceType, 30);

/** "in 14 days"; empty where no metrics are behind it. */
export function overDays({ evidenceWindow }: Pick<WordedFields, 'evidenceWindow'>): string {
  if (evidenceWindow === null) return '';
  return ` in ${rateText(evidenceWindow.days, evidenceWindow.days === 1 ? 'day' : 'days')}`;
}

export const nothing = (): null => null;
