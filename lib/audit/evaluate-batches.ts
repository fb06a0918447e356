/** The Distributed Map over batches: each is an execution of its own; one that fails for good is counted by the last step. */
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import {
  DistributedMap,
  OutputType,
  ResultWriterV2,
  S3ObjectsItemReader,
  StateMachineType,
  Transformation,
  WriterConfig,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { step } from '../shared/step.ts';
import type { AuditFunctions } from './functions.ts';

interface Batches {
  functions: AuditFunctions;
  bucket: IBucket;
  batchesAtOnce: number;
  /** An expression: what the keys of the batches begin with. */
  prefix: string;
  /** An expression: where it writes what became of each. */
  written: string;
  /** What each batch is evaluated with besides its key. */
  input: Record<'runId' | 'plan' | 'readUntil', string>;
  /** Of the map, when all of its children have ended. */
  after: { assign?: Record<string, unknown>; outputs: unknown };
}

/** What became of each child, in files that name those that failed. */
export const resultsBelow = (bucket: IBucket, prefix: string): ResultWriterV2 =>
  new ResultWriterV2({
    bucket,
    prefix: `{% ${prefix} %}`,
    writerConfig: new WriterConfig({ outputType: OutputType.JSON, transformation: Transformation.NONE }),
  });

/** Such a map: nothing that fails in one of its children stops it. */
export const tolerant = {
  mapExecutionType: StateMachineType.STANDARD,
  toleratedFailurePercentage: 100,
} as const;

/** Where the manifest of those files is. */
export const manifestKey = '$states.result.ResultWriterDetails.Key';

export function evaluateBatches(scope: Construct, props: Batches): DistributedMap {
  const { functions, bucket, batchesAtOnce, prefix, written, input, after } = props;
  const evaluate = step(scope, {
    name: 'Evaluate the batch',
    run: functions.evaluateBatch,
    input: '{% $states.input %}',
  });
  return DistributedMap.jsonata(scope, 'Evaluate each batch', {
    itemReader: new S3ObjectsItemReader({ bucket, prefix: `{% ${prefix} %}` }),
    itemSelector: { ...input, key: '{% $states.context.Map.Item.Value.Key %}' },
    maxConcurrency: batchesAtOnce,
    ...tolerant,
    resultWriterV2: resultsBelow(bucket, written),
    ...after,
  }).itemProcessor(evaluate);
}
