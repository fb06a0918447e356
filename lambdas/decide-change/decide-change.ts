/** A person decides: approves, rejects, or asks to undo. What is decided is written once, whatever else is written meanwhile. */
import {
  type ApprovalRules,
  approve,
  askUndo,
  type Decided,
  type DecidedBy,
  type Refusal,
  reject,
} from '../../core/changes/decisions.ts';
import { Unavailable } from '../../core/errors.ts';
import type { VolumeChange } from '../../core/schemas/volume-change.ts';

export type Decision = { code: 'approve'; fingerprint: string } | { code: 'reject' } | { code: 'undo' };

export interface DecideWith {
  ledger: {
    read(id: string): Promise<VolumeChange | null>;
    /** False where somebody else wrote since it was read. */
    write(change: VolumeChange): Promise<boolean>;
  };
  /** The state machine waits for a person no longer. */
  resume(change: VolumeChange): Promise<void>;
  rules: ApprovalRules;
  nowSeconds(): number;
}

const maxTries = 5;

function decided(change: VolumeChange, decision: Decision, by: DecidedBy, rules: ApprovalRules): Decided {
  if (decision.code === 'approve') return approve(change, decision.fingerprint, by, rules);
  return decision.code === 'reject' ? reject(change, by, rules) : askUndo(change, by, rules);
}

/** @throws Unavailable where others wrote again and again: nothing was decided then. */
export async function decideChange(
  id: string,
  decision: Decision,
  by: Pick<DecidedBy, 'by' | 'session'>,
  use: DecideWith,
): Promise<{ change: VolumeChange } | { refused: Refusal | 'no-change' }> {
  for (let tried = 0; tried < maxTries; tried++) {
    const change = await use.ledger.read(id);
    if (change === null) return { refused: 'no-change' };
    const result = decided(change, decision, { ...by, nowSeconds: use.nowSeconds() }, use.rules);
    if ('refused' in result) {
      // Whoever wrote it may have been killed before the state machine was told.
      if (['approved-already', 'ended', 'expired'].includes(result.refused)) await use.resume(change);
      return result;
    }
    if (await use.ledger.write(result.change)) {
      await use.resume(result.change);
      return result;
    }
  }
  throw new Unavailable(`change ${id}: others wrote it ${maxTries} times meanwhile`);
}
