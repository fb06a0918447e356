/** What is asked of the deployed changes, over the address of their function, and what it answers; and what `stripewise changes` prints. */
import { z } from 'zod';
import { plannedChangeSchema, volumeChangeSchema } from './volume-change.ts';
import { ownerSchema } from './volume-owner.ts';

const id = z.string().min(1).max(200);

export const changesRequestSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('list') }),
  z.strictObject({ do: z.literal('show'), id }),
  z.strictObject({ do: z.literal('propose'), findingId: id }),
  z.strictObject({
    do: z.literal('approve'),
    id,
    fingerprint: z.string().min(1).max(200).meta({ description: 'of the plan that the approver saw' }),
  }),
  z.strictObject({ do: z.literal('reject'), id }),
  z.strictObject({ do: z.literal('undo'), id }),
  z.strictObject({ do: z.literal('stop') }),
  z.strictObject({ do: z.literal('go') }),
]);
export type ChangesRequest = z.infer<typeof changesRequestSchema>;

/** Why a decision about a change is not obeyed. */
export const decisionRefusals = [
  ...(['not-an-approver', 'other-plan', 'approved-already', 'is-requester', 'expired'] as const),
  ...(['begun-already', 'not-begun', 'undo-asked-already', 'ended'] as const),
] as const;

/** Why no change comes of a finding, where nobody owns the volume and no change has it. */
export const proposalRefusals = [
  ...(['no-finding', 'no-online-change', 'volume-gone', 'volume-changed', 'never-begins'] as const),
] as const;

export const killSwitches = ['go', 'stop'] as const;
const killSwitchSchema = z
  .enum(killSwitches)
  .meta({ description: 'stop: nothing begins, and nothing is undone' });

const approvalsNeeded = z.number().int().meta({ description: 'how many people must approve' });

const changedSchema = z.object({ change: volumeChangeSchema, approvalsNeeded });

const changeRefusedSchema = z.discriminatedUnion('refused', [
  z.object({ refused: z.enum(['no-change', ...decisionRefusals]) }),
  z.object({ refused: z.enum(proposalRefusals) }),
  z.object({
    ...{ refused: z.literal('owned'), owner: ownerSchema, plan: plannedChangeSchema },
    patch: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'text to copy, by the command line; null: there is nothing to copy' }),
  }),
  z.object({ refused: z.literal('has-a-change'), changeId: z.string() }),
]);
export type ChangeRefused = z.infer<typeof changeRefusedSchema>;

export const changesDecisionSchema = z.union([changedSchema, changeRefusedSchema]);
export type ChangesDecision = z.infer<typeof changesDecisionSchema>;

/** All of the ledger. */
const changesLedgerSchema = z.object({
  changes: z.array(volumeChangeSchema),
  approvalsNeeded,
  nowSeconds: z.number().int().meta({ description: 'epoch seconds, by the clock of the function' }),
  killSwitch: killSwitchSchema,
});

const changesSwitchSchema = z.object({ killSwitch: killSwitchSchema });

/** The ledger goes first: it has a switch too. */
const changesAnswerSchema = z.union([
  changesLedgerSchema,
  changedSchema,
  changeRefusedSchema,
  changesSwitchSchema,
]);
export type ChangesAnswer = z.infer<typeof changesAnswerSchema>;

export const changesAnswerSchemas = {
  list: changesLedgerSchema,
  show: changesDecisionSchema,
  propose: changesDecisionSchema,
  approve: changesDecisionSchema,
  reject: changesDecisionSchema,
  undo: changesDecisionSchema,
  stop: changesSwitchSchema,
  go: z.union([changesSwitchSchema, changeRefusedSchema]),
} as const satisfies Record<ChangesRequest['do'], z.ZodType>;
export type ChangesAnswerTo<Asked extends ChangesRequest> = z.infer<
  (typeof changesAnswerSchemas)[Asked['do']]
>;

const usd = z.number().nullable();

/** Of all changes of a ledger. */
const ledgerTotalsSchema = z.object({
  changes: z.number().int(),
  open: z.number().int(),
  kept: z.number().int(),
  undone: z.number().int(),
  undoNotMade: z.number().int().meta({ description: 'they hurt and stand: a person must act' }),
  notMade: z.number().int(),
  realisedMonthlyUsd: usd.meta({ description: 'of all that stand; null: the price of one is not known' }),
  claimedMonthlyUsd: usd.meta({ description: 'of all that were made, undone or not' }),
  throttledMinutesADayBefore: z.number().meta({
    description: 'of volumes whose change was compared and kept',
  }),
  throttledMinutesADayAfter: z.number(),
});
export type LedgerTotals = z.infer<typeof ledgerTotalsSchema>;

/** What `changes list --json` prints. */
export const changesListSchema = changesLedgerSchema.extend({
  totals: ledgerTotalsSchema,
  realisedUsd: usd.meta({ description: 'what the bill differed by until now; null: a price is not known' }),
});
export type ChangesList = z.infer<typeof changesListSchema>;

/** What `changes stop --json` and `changes go --json` print. */
export const changesSwitchedSchema = changesSwitchSchema.extend({
  underWay: z
    .array(z.string())
    .nullable()
    .meta({ description: 'changes whose modification began and is not completed; null: not known' }),
  waiting: z
    .array(z.string())
    .nullable()
    .meta({ description: 'open changes that have no modification under way; null: not known' }),
});
export type ChangesSwitched = z.infer<typeof changesSwitchedSchema>;
