/** What the workflows of one account and of several share: the run's variables, and how its part between listing and collecting is joined. */
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { IChainable } from 'aws-cdk-lib/aws-stepfunctions';
import type { AuditFunctions } from './functions.ts';

export interface ReadingProps {
  functions: AuditFunctions;
  bucket: IBucket;
  batchesAtOnce: number;
}

/** From the list of targets to their evaluated batches. */
export interface Reading {
  /** What the listing function is given. */
  request: Record<string, unknown> | string;
  /** Variables that the collecting function is given, before anything was read. */
  assign: Record<string, unknown>;
  /** What the collecting function is given. */
  found: Record<string, unknown>;
  /** All of its ways lead to what comes next. */
  before(next: IChainable): IChainable;
}

/** Variables of the state machine, set by its first two states. */
export const runId = '{% $run.runId %}';
export const plan = '{% $run.plan %}';
export const readUntil = '{% $run.readUntil %}';
/** The run in a key that `runKeys` makes: it is known when the workflow runs. */
export const ofThisRun = "' & $run.runId & '";
