/** How much of a run of several accounts goes on at one time. */
import type { Config } from '../config/config.ts';

/** Of all targets together: a Lambda each, of the 1,000 that an account has as a rule. */
const batchesInAll = 200;
/** Each has a map of its own under way. AWS lets 1,000 be open. Source: Step Functions quotas, read 2026-11-27. */
const mostTargets = 100;

/** CloudWatch's quotas are those of an account and Region: so many batches are evaluated at once in each target. */
export const targetsAtOnce = (batchesAtOnce: number): number =>
  Math.max(1, Math.min(mostTargets, Math.floor(batchesInAll / batchesAtOnce)));

/** Functions of an audit that run at one time, at most: a target is discovered before its batches are evaluated. */
export const functionsAtOnce = ({
  audit: { batchesAtOnce },
  organization,
}: Pick<Config, 'audit' | 'organization'>): number =>
  organization === undefined ? batchesAtOnce : targetsAtOnce(batchesAtOnce) * batchesAtOnce;
