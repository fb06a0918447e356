/** What was read of a target becomes part of the archive, once its batches are evaluated. */
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Choice, Condition, Map as EachOf, Pass, ProvideItems } from 'aws-cdk-lib/aws-stepfunctions';
import type { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import { fleetDaysKey, historyPrefix, manifestsPrefix, stagingPrefix } from '../../core/archive/keys.ts';
import { listObjects, onObjects, type Permission, permission } from '../shared/permissions.ts';
import { payload, step } from '../shared/step.ts';

/** What each function may do with the archive. */
export const archiveRights = (bucket: IBucket) =>
  ({
    discovers: [listObjects(bucket, manifestsPrefix), onObjects(bucket, manifestsPrefix, 's3:GetObject')],
    evaluates: [
      listObjects(bucket, historyPrefix),
      onObjects(bucket, historyPrefix, 's3:GetObject'),
      onObjects(bucket, stagingPrefix, 's3:PutObject'),
    ],
    commits: [
      listObjects(bucket, historyPrefix),
      listObjects(bucket, stagingPrefix),
      onObjects(bucket, historyPrefix, 's3:GetObject', 's3:PutObject'),
      onObjects(bucket, stagingPrefix, 's3:GetObject', 's3:DeleteObject'),
      listObjects(bucket, 'work/*/results/'),
      onObjects(bucket, 'work/', 's3:GetObject', 's3:PutObject'),
    ],
    collects: [
      listObjects(bucket, fleetDaysKey),
      permission(['s3:GetObject', 's3:PutObject'], bucket.arnForObjects(fleetDaysKey)),
    ],
    notifies: [
      listObjects(bucket, fleetDaysKey),
      permission(['s3:GetObject'], bucket.arnForObjects(fleetDaysKey)),
    ],
  }) satisfies Record<string, Permission[]>;

/**
 * Called again where one call was not enough. What cannot be written stays staged: the run goes on, and its last step counts it.
 * @param input expressions: the run, and its account and Region.
 */
export function writeArchive(
  scope: Construct,
  commitArchive: IFunction,
  input: Record<'runId' | 'plan' | 'account' | 'region', string>,
): LambdaInvoke {
  const commit = step(scope, {
    name: 'Write its minutes to the archive',
    run: commitArchive,
    input,
    assign: { committed: payload },
    outputs: '{% $states.input %}',
  });
  const done = Pass.jsonata(scope, 'Its minutes are written', { outputs: '{% $states.input %}' });
  const notWritten = Pass.jsonata(scope, 'Its minutes stay staged', { outputs: '{% $states.input %}' });
  commit.addCatch(notWritten, { errors: ['States.ALL'], outputs: '{% $states.input %}' });
  const isWhole = Choice.jsonata(scope, 'Is all of it written?');
  commit.next(isWhole.when(Condition.jsonata('{% $committed.isWhole %}'), done).otherwise(commit));
  return commit;
}

/** Of one account: each Region that has batches. */
export function writeArchiveOfEach(
  scope: Construct,
  commitArchive: IFunction,
  { runId, plan }: Record<'runId' | 'plan', string>,
): EachOf {
  const item = (name: string): string => `{% $states.input.target.${name} %}`;
  return EachOf.jsonata(scope, 'Write the archive of each target', {
    items: ProvideItems.jsonata('{% [$discovered[batches > 0]] %}'),
    itemSelector: { runId, plan, target: '{% $states.context.Map.Item.Value %}' },
    maxConcurrency: 5,
    outputs: {},
  }).itemProcessor(
    writeArchive(scope, commitArchive, {
      runId: '{% $states.input.runId %}',
      plan: '{% $states.input.plan %}',
      account: item('account'),
      region: item('region'),
    }),
  );
}
