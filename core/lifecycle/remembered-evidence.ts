/** A finding with the part of its evidence that its lines are made from: so it is remembered, and notified. */
import { type RememberedEvidence, rememberedKeys } from '../schemas/evidence.ts';
import type { AnyEvidence, ByKind, Finding, FindingFields } from '../schemas/finding.ts';

type WithPart = ByKind<FindingFields, RememberedEvidence>;

/** What is not known is left out. */
export function withRememberedEvidence(finding: Finding): WithPart {
  const all: AnyEvidence = finding.evidence;
  const part = Object.fromEntries(
    rememberedKeys.flatMap((key) => {
      const value = all[key];
      return value === undefined || value === null ? [] : [[key, value]];
    }),
  );
  // Of the same kind: the keys that are left are the kind's own.
  return { ...finding, evidence: part } as WithPart;
}
