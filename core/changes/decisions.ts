/** What people and rules decide of a change. Each gives the change as it is then, or why it is not obeyed; what was decided before stays. */
import type { AutomaticRule, ChangesConfig } from '../config/changes.ts';
import type { Tags } from '../inventory.ts';
import type { decisionRefusals } from '../schemas/changes-answers.ts';
import type { FindingKind } from '../schemas/finding-kinds.ts';
import type { PlannedChange, VolumeChange } from '../schemas/volume-change.ts';
import { approvalSeconds } from './next-action.ts';
import { fingerprintOf, isReduction } from './plan.ts';

/** A Slack user or an IAM role, such as `slack:U0123456789` or the role's ARN without its path: sessions do not show the path. */
export type Person = string;

/** @param approvers of the configuration */
export const personsOf = ({ slackUsers, roles }: ChangesConfig['approvers']): Person[] => [
  ...slackUsers.map((id) => `slack:${id}`),
  ...roles.map((arn) => arn.replace(/:role\/.*\//, ':role/')),
];

/** The role of a session, and how its user named the session; null: it is no session of a role. */
export function sessionOf(userArn: string): { by: Person; session: string } | null {
  const found = /^(arn:[^:]+):sts::(\d{12}):assumed-role\/([^/]+)\/(.+)$/.exec(userArn);
  if (found === null) return null;
  const [, partition, account, role, session = ''] = found;
  return { by: `${partition}:iam::${account}:role/${role}`, session };
}

export type Refusal = (typeof decisionRefusals)[number];

export type Decided = { change: VolumeChange } | { refused: Refusal };

export interface DecidedBy {
  by: Person;
  /** Of a role, as its user named it. */
  session?: string | null;
  nowSeconds: number;
}

export interface ApprovalRules {
  /** Who may approve, reject and undo. */
  approvers: readonly Person[];
  approvalsNeeded: number;
}

export function propose(plan: PlannedChange, id: string, { by, nowSeconds }: DecidedBy): VolumeChange {
  return {
    ...{ id, fingerprint: fingerprintOf(plan), plan, requestedBy: by, approvals: [] },
    ...{ proposedSeconds: nowSeconds, made: null, undoAskedBy: null, undo: null },
    ...{ undoAskedSeconds: null, comparison: null },
    ...{ end: null, endedSeconds: null, endedBy: null, notified: [], revision: 0 },
  };
}

/**
 * As the input of an execution may say it: approvals of people are in the ledger alone, and those of rules only where the rule is
 * about such a change.
 */
export function asProposed(change: VolumeChange, rules: readonly AutomaticRule[]): VolumeChange {
  const { plan, approvals } = change;
  const isOfRule = (by: Person): boolean => {
    const rule = rules[Number(/^rule (\d+)$/.exec(by)?.[1] ?? 0) - 1];
    return rule !== undefined && isAbout(rule, plan);
  };
  const { id, requestedBy: by, proposedSeconds: nowSeconds } = change;
  return {
    ...propose(plan, id, { by, nowSeconds }),
    approvals: approvals.filter((one) => isOfRule(one.by)),
  };
}

/** @param fingerprint of what the approver saw. */
export function approve(
  change: VolumeChange,
  fingerprint: string,
  { by, session = null, nowSeconds }: DecidedBy,
  { approvers, approvalsNeeded }: ApprovalRules,
): Decided {
  if (!approvers.includes(by)) return { refused: 'not-an-approver' };
  if (change.end !== null) return { refused: 'ended' };
  if (change.made !== null) return { refused: 'begun-already' };
  if (fingerprint !== change.fingerprint) return { refused: 'other-plan' };
  const isWhole = change.approvals.length >= approvalsNeeded;
  if (isWhole || change.approvals.some((one) => one.by === by)) return { refused: 'approved-already' };
  if (approvalsNeeded > 1 && by === change.requestedBy) return { refused: 'is-requester' };
  if (nowSeconds - change.proposedSeconds > approvalSeconds) return { refused: 'expired' };
  return { change: { ...change, approvals: [...change.approvals, { by, session, atSeconds: nowSeconds }] } };
}

/** Before it is begun; what is begun can be undone. */
export function reject(
  change: VolumeChange,
  { by, nowSeconds }: DecidedBy,
  { approvers }: ApprovalRules,
): Decided {
  // Who asked for it may take it back.
  if (!approvers.includes(by) && by !== change.requestedBy) return { refused: 'not-an-approver' };
  if (change.end !== null) return { refused: 'ended' };
  if (change.made !== null) return { refused: 'begun-already' };
  const end = { code: 'not-made', reason: 'rejected' } as const;
  return { change: { ...change, end, endedBy: by, endedSeconds: nowSeconds } };
}

/** While it is verified; afterwards another change sets what was there before. */
export function askUndo(
  change: VolumeChange,
  { by, nowSeconds }: DecidedBy,
  { approvers }: ApprovalRules,
): Decided {
  if (!approvers.includes(by)) return { refused: 'not-an-approver' };
  if (change.end !== null) return { refused: 'ended' };
  if (change.made === null) return { refused: 'not-begun' };
  if (change.undoAskedBy !== null) return { refused: 'undo-asked-already' };
  return { change: { ...change, undoAskedBy: by, undoAskedSeconds: nowSeconds } };
}

/** No simulation shows that it helps, and what is verified afterwards is throttling: a person decides. */
const onlyByPeople: readonly FindingKind[] = ['latency-above-target'];

function isAbout({ direction, maxUsdPerMonth }: AutomaticRule, plan: PlannedChange): boolean {
  const { monthlyUsdDelta, findingKind } = plan;
  return (
    monthlyUsdDelta !== null &&
    (findingKind === undefined || !onlyByPeople.includes(findingKind)) &&
    Math.abs(monthlyUsdDelta) <= maxUsdPerMonth &&
    direction === (isReduction(plan) ? 'reduction' : 'increase')
  );
}

/** The first rule that approves it, counted from 1; null: a person must. A price that is not known is approved by none. */
export function approvingRule(
  { plan, kind, tags }: { plan: PlannedChange; kind: FindingKind; tags: Tags },
  rules: readonly AutomaticRule[],
): number | null {
  const index = rules.findIndex(
    (rule) =>
      isAbout(rule, plan) &&
      (rule.kinds === undefined || rule.kinds.includes(kind)) &&
      Object.entries(rule.tags).every(([key, value]) => tags[key] === value),
  );
  return index < 0 ? null : index + 1;
}
