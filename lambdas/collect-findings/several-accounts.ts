/** What a run of several accounts left in the bucket: whom it asked, what came of each target, and why batches failed. */
import { limitAsync } from 'es-toolkit/promise';
import { z } from 'zod';
import { noticesOf, type TargetOutcome } from '../../core/audit/accounts.ts';
import { targetOfBatch } from '../../core/audit/run-keys.ts';
import { failureText } from '../../core/failure-text.ts';
import { jsonOrNull } from '../../core/json.ts';
import {
  type Refused,
  refusalSchema,
  type Target,
  type TargetList,
  targetSchema,
} from '../../core/schemas/accounts.ts';
import { type AuditNotice, auditNoticeSchema } from '../../core/schemas/audit-notice.ts';
import { placeSchema } from '../../core/schemas/batch.ts';
import { opinionReadSchema } from '../../core/schemas/second-opinion.ts';
import type { AccountsOfRun, TargetRead } from './collect-findings.ts';
import { type Child, failuresByBatch } from './map-failures.ts';
import { errorSchema, refreshOf, refreshSchema } from './targets.ts';

export const severalAccountsSchema = z.object({
  /** Where the map over the targets wrote its manifest; null where there was no target. */
  manifestKey: z.string().nullable(),
  refreshed: z.array(z.object({ region: z.string(), refresh: refreshSchema })),
  /** False where somebody asked for some of the accounts. */
  isOfAll: z.boolean(),
});
type SeveralAccounts = z.infer<typeof severalAccountsSchema>;

/** What the child of a target gave. */
const outcomeSchema = z.union([
  placeSchema.extend({
    batches: z.number(),
    volumes: z.number(),
    excluded: z.number(),
    benchmarkVolumes: z.number(),
    incomplete: z.array(auditNoticeSchema),
    apiCalls: z.number(),
    opinionReads: z.array(opinionReadSchema).optional(),
    refused: refusalSchema.nullable().default(null),
    /** Where the map over its batches wrote its manifest; absent where there was nothing to evaluate, or the map failed. */
    manifestKey: z.string().optional(),
    notEvaluated: errorSchema.optional(),
  }),
  placeSchema.extend({ failure: errorSchema }),
]);
type Outcome = z.infer<typeof outcomeSchema>;
const inputSchema = z.object({ target: targetSchema });

type Place = Pick<Target, 'account' | 'region'>;
const nameOf = ({ account, region }: Place): string => `${account}-${region}`;

function outcomeOf({ Input, Output, Error: error, Cause }: Child): Outcome | null {
  const output = outcomeSchema.safeParse(jsonOrNull(Output ?? ''));
  if (output.success) return output.data;
  const input = inputSchema.safeParse(jsonOrNull(Input ?? ''));
  if (!input.success) return null;
  const { account, region } = input.data.target;
  return { account, region, failure: { Error: error ?? 'States.Runtime', Cause: Cause ?? '' } };
}

/** A target of which the map says nothing was begun by nobody. */
const notBegun = ({ account, region }: Place): Outcome => ({
  ...{ account, region },
  failure: { Error: 'States.Runtime', Cause: 'the map over the targets gave no result of it' },
});

/** Who was refused is told of by its account alone. */
function readOf(outcome: Outcome): TargetRead & { outcome: TargetOutcome } {
  const { account, region } = outcome;
  const nothing = { region, failed: false, whole: false, notices: [] };
  const of = (whole: boolean, refused: Refused | null, volumes: number): TargetOutcome => ({
    ...{ account, region, whole, refused, volumes },
  });
  if ('failure' in outcome) {
    const reason = failureText(outcome.failure.Error, outcome.failure.Cause);
    const none = { apiCalls: 0, excluded: 0, benchmarkVolumes: 0 };
    const incomplete: AuditNotice[] = [{ code: 'region-not-read', region, reason, account }];
    return {
      ...{ ...nothing, ...none, failed: true, incomplete },
      outcome: of(false, { code: 'other', reason }, 0),
    };
  }
  const { refused, volumes, excluded, benchmarkVolumes, apiCalls, opinionReads } = outcome;
  const whole = refused === null && outcome.incomplete.length === 0;
  return {
    ...{ ...nothing, whole, excluded, benchmarkVolumes, apiCalls, opinionReads },
    incomplete: noticesOf(outcome.incomplete, account),
    outcome: of(whole, refused, volumes),
  };
}

export interface AccountsFrom {
  readTargets(): Promise<TargetList>;
  /** What became of the children of a map; those that succeeded only where they are asked for. */
  readChildren(manifestKey: string, which: 'all' | 'failed'): Promise<Child[]>;
  /** Names of the batches of a target. */
  readBatches(place: Place): Promise<string[]>;
  /** What the run before was to read; null: there is none. */
  readBefore(): Promise<TargetList | null>;
}

export interface AccountsRead {
  targets: TargetRead[];
  accounts: AccountsOfRun;
  /** Names of all batches, target by target. */
  listBatches(): Promise<string[]>;
  readFailures(missing: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

const readsAtOnce = 20;

export async function readAccounts(event: SeveralAccounts, from: AccountsFrom): Promise<AccountsRead> {
  const { accounts, targets, notListed } = await from.readTargets();
  const children = event.manifestKey === null ? [] : await from.readChildren(event.manifestKey, 'all');
  const outcomes = new Map(
    children.flatMap((child) => {
      const outcome = outcomeOf(child);
      return outcome === null ? [] : [[nameOf(outcome), outcome] as const];
    }),
  );
  const all = targets.map((target) => outcomes.get(nameOf(target)) ?? notBegun(target));
  const read = all.map(readOf);
  const refusedOf = new Map(notListed.map(({ account, refused }) => [account, refused]));
  const ofPrices = event.refreshed.map((one): TargetRead => {
    const none = { failed: false, whole: true, excluded: 0, benchmarkVolumes: 0 };
    return { region: one.region, ...none, ...refreshOf(one) };
  });
  const readBatches = limitAsync(from.readBatches, readsAtOnce);
  return {
    targets: [...ofPrices, ...read],
    accounts: {
      listed: accounts.map((one) => ({
        ...one,
        refused: one.refused ?? refusedOf.get(one.account) ?? null,
      })),
      outcomes: read.map(({ outcome }) => outcome),
      before: await from.readBefore(),
      isOfAll: event.isOfAll,
    },
    listBatches: async () => {
      const withBatches = all.filter((one) => !('failure' in one) && one.batches > 0);
      return (await Promise.all(withBatches.map((place) => readBatches(place)))).flat();
    },
    readFailures: async (missing) => {
      const failures = new Map<string, string>();
      for (const target of new Set(missing.map(targetOfBatch))) {
        const outcome = outcomes.get(target);
        if (outcome === undefined || 'failure' in outcome) continue;
        const { manifestKey, notEvaluated } = outcome;
        if (notEvaluated !== undefined)
          for (const name of missing.filter((one) => targetOfBatch(one) === target))
            failures.set(name, failureText(notEvaluated.Error, notEvaluated.Cause));
        if (manifestKey !== undefined)
          for (const one of failuresByBatch(await from.readChildren(manifestKey, 'failed')))
            failures.set(...one);
      }
      return failures;
    },
  };
}
