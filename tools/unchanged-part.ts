/** .ci/record.json: what the parts of .ci/run depended on when all of it passed; and whether one of them must run again. */
import { z } from 'zod';
import { type Known, known, unknown } from '../core/known.ts';
import type { Named, PartName, PartState } from './checked-parts.ts';

const named = z.record(z.string(), z.string());
const recordedPart = z.strictObject({
  /** When all of .ci/run had passed. */
  date: z.iso.datetime(),
  /** SHA-256 of all inputs and versions. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  figures: z.strictObject({
    seconds: z.number().nonnegative(),
    /** Where the part is made of tests. */
    testsPassed: z.number().int().positive().optional(),
  }),
  versions: named,
  inputs: named,
});
const recordSchema = z.record(z.string(), recordedPart);
export type CheckRecord = z.infer<typeof recordSchema>;
export type Figures = CheckRecord[string]['figures'];

/** A record is of use for so long: what nothing here names (the machine, the network) may have changed. */
const keptDays = 30;
const dayMs = 24 * 3_600_000;
/** Clocks of two machines. */
const aheadMs = 3_600_000;

/** @param text of the file, undefined where there is none. */
export function parseRecord(text: string | undefined): Known<CheckRecord> {
  if (text === undefined) return unknown('there is no record');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unknown('the record is not JSON');
  }
  const parsed = recordSchema.safeParse(value);
  if (parsed.success) return known(parsed.data);
  const [issue] = parsed.error.issues;
  return unknown(`the record cannot be read: ${issue?.path.join('.')}: ${issue?.message}`);
}

export type Decision =
  | { unchanged: true; since: string; hash: string }
  | { unchanged: false; reason: string };

/** Names whose values differ, or that only one of the two has. */
const differing = (a: Named, b: Named): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((name) => a[name] !== b[name]);

const dayOf = (date: string): string => date.slice(0, 10);

interface Asked {
  record: Known<CheckRecord>;
  part: PartName;
  now: Date;
  /** What the part depends on now. */
  state: Known<PartState>;
}

/** A part is unchanged only where everything that it depends on is known, and as it was when it passed. */
export function decide({ record, part, now, state }: Asked): Decision {
  const run = (reason: string): Decision => ({ unchanged: false, reason });
  if (!record.known) return run(record.reason);
  const passed = record.value[part];
  if (passed === undefined) return run(`the record has no ${part}`);
  const since = dayOf(passed.date);
  const ageMs = now.getTime() - Date.parse(passed.date);
  if (ageMs >= keptDays * dayMs) return run(`it was recorded on ${since}, ${keptDays} days ago or more`);
  if (ageMs < -aheadMs) return run(`it was recorded on ${since}, which is yet to come`);
  if (!state.known) return run(`it cannot be compared: ${state.reason}`);
  const { hash, inputs, versions } = state.value;
  const otherVersions = differing(passed.versions, versions).map(
    (name) => `${name} is ${versions[name] ?? 'not known'} and was ${passed.versions[name] ?? 'not known'}`,
  );
  if (otherVersions.length > 0) return run(otherVersions.join(', '));
  const changed = differing(passed.inputs, inputs);
  if (changed.length > 0) return run(`changed since ${since}: ${changed.join(', ')}`);
  if (passed.hash !== hash) return run(`what it depends on has another hash since ${since}`);
  return { unchanged: true, since, hash };
}

export const decisionLine = (part: PartName, decision: Decision): string =>
  decision.unchanged
    ? `unchanged since ${decision.since}, ${decision.hash.slice(0, 12)}: not run again`
    : `${part} is run: ${decision.reason}`;

interface Passed {
  /** Inputs when it began. */
  begun: Named;
  figures: Figures;
  /** When all had ended. */
  state: Known<PartState>;
}

/** @returns what is written down of a part that passed; unknown where it cannot be said what it was that passed. */
export function recordedPartOf({ begun, figures, state }: Passed, now: Date): Known<CheckRecord[string]> {
  if (!state.known) return unknown(`its versions are not known: ${state.reason}`);
  const changed = differing(begun, state.value.inputs);
  if (changed.length > 0) return unknown(`changed since it began: ${changed.join(', ')}`);
  const { hash, inputs, versions } = state.value;
  return known({ date: now.toISOString(), hash, figures, versions, inputs });
}
