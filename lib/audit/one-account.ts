/** One account is read in the execution itself, Region by Region, and all of its batches in one Distributed Map. */
import { Choice, Condition, Map as EachOf, Pass, ProvideItems } from 'aws-cdk-lib/aws-stepfunctions';
import type { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import { runKeys } from '../../core/audit/run-keys.ts';
import { step } from '../shared/step.ts';
import { writeArchiveOfEach } from './archive.ts';
import { evaluateBatches, manifestKey } from './evaluate-batches.ts';
import type { AuditFunctions } from './functions.ts';
import { ofThisRun, plan, type Reading, type ReadingProps, readUntil, runId } from './reading.ts';

const keys = runKeys(ofThisRun);

/** Prices that cannot be read do not stop the discovery: their failure goes with the Region. */
function refreshThen(
  scope: Construct,
  { refreshCatalog }: AuditFunctions,
  discover: LambdaInvoke,
): LambdaInvoke {
  const refresh = step(scope, {
    name: 'Refresh its prices',
    run: refreshCatalog,
    input: '{% $states.input %}',
    outputs: "{% $merge([$states.input, {'refresh': $states.result.Payload}]) %}",
  });
  refresh.addCatch(discover, {
    errors: ['States.ALL'],
    outputs: "{% $merge([$states.input, {'refresh': {'failure': $states.errorOutput}}]) %}",
  });
  refresh.next(discover);
  return refresh;
}

/** Every Region by itself; one that cannot be read is handed on with its failure, and makes the run partial. */
function discoverEach(scope: Construct, functions: AuditFunctions): EachOf {
  const discover = step(scope, {
    name: 'Discover its volumes',
    run: functions.discoverVolumes,
    input: '{% $states.input %}',
    outputs: "{% $merge([$states.result.Payload, {'refresh': $states.input.refresh}]) %}",
  });
  const note = Pass.jsonata(scope, 'Hand on why it could not be read', {
    outputs: '{% $states.input %}',
  });
  discover.addCatch(note, {
    errors: ['States.ALL'],
    outputs: {
      region: '{% $states.input.target.region %}',
      refresh: '{% $states.input.refresh %}',
      failure: '{% $states.errorOutput %}',
    },
  });
  return EachOf.jsonata(scope, 'Discover the volumes of each target', {
    items: ProvideItems.jsonata('{% $run.targets %}'),
    itemSelector: { runId, plan, target: '{% $states.context.Map.Item.Value %}' },
    maxConcurrency: 5,
    assign: { discovered: '{% $states.result %}' },
    outputs: {},
  }).itemProcessor(refreshThen(scope, functions, discover));
}

export const readOneAccount = (scope: Construct, props: ReadingProps): Reading => ({
  request: '{% $states.input %}',
  assign: { manifestKey: null },
  found: { targets: '{% $discovered %}', manifestKey: '{% $manifestKey %}' },
  before: (next) => {
    const discover = discoverEach(scope, props.functions);
    const evaluate = evaluateBatches(scope, {
      ...props,
      ...{ prefix: `'${keys.batches}'`, written: `'${keys.map}'`, input: { runId, plan, readUntil } },
      after: { assign: { manifestKey: `{% ${manifestKey} %}` }, outputs: {} },
    });
    const isAnything = Choice.jsonata(scope, 'Is there anything to evaluate?');
    isAnything.when(Condition.jsonata('{% $sum([0, $discovered.batches]) > 0 %}'), evaluate).otherwise(next);
    const { commitArchive } = props.functions;
    if (commitArchive === null) evaluate.next(next);
    else evaluate.next(writeArchiveOfEach(scope, commitArchive, { runId, plan })).next(next);
    discover.next(isAnything);
    return discover;
  },
});
