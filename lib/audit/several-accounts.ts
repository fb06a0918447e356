/**
 * Many accounts: the prices of each Region once, then a Distributed Map over the targets, and in each of its children another
 * one over the batches of its target. What is found out lies in the bucket: no state holds what grows with the accounts.
 */
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import {
  Choice,
  Condition,
  DistributedMap,
  Map as EachOf,
  Pass,
  ProvideItems,
  S3JsonItemReader,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { targetsAtOnce } from '../../core/audit/at-once.ts';
import { runKeys } from '../../core/audit/run-keys.ts';
import type { Organization } from '../../core/config/organization.ts';
import { step } from '../shared/step.ts';
import { writeArchive } from './archive.ts';
import { evaluateBatches, manifestKey, resultsBelow, tolerant } from './evaluate-batches.ts';
import type { AuditFunctions } from './functions.ts';
import { ofThisRun, plan, type Reading, type ReadingProps, readUntil, runId } from './reading.ts';

/** The prices of a Region are the same in every account. */
function refreshEach(scope: Construct, { refreshCatalog }: AuditFunctions): EachOf {
  const region = '{% $states.input.target.region %}';
  const refresh = step(scope, {
    name: 'Refresh its prices',
    run: refreshCatalog,
    input: '{% $states.input %}',
    outputs: { region, refresh: '{% $states.result.Payload %}' },
  });
  const note = Pass.jsonata(scope, 'Hand on why they could not be read', { outputs: '{% $states.input %}' });
  refresh.addCatch(note, {
    errors: ['States.ALL'],
    outputs: { region, refresh: { failure: '{% $states.errorOutput %}' } },
  });
  return EachOf.jsonata(scope, 'Refresh the prices of each Region', {
    items: ProvideItems.jsonata('{% $run.regions %}'),
    itemSelector: { target: { region: '{% $states.context.Map.Item.Value %}' } },
    maxConcurrency: 5,
    assign: { refreshed: '{% $states.result %}' },
    outputs: {},
  }).itemProcessor(refresh);
}

// A child does not know the variables of the run: it makes its own of its input.

const asked = (name: string): string => `{% $asked.${name} %}`;
const ofTarget = ["' & $asked.target.account & '", "' & $asked.target.region & '"] as const;
const keysOfChild = runKeys("' & $asked.runId & '");

/** Whatever becomes of a target is the output of its child: the run goes on, and the last step counts it. */
function readTarget(scope: Construct, props: ReadingProps) {
  const discover = step(scope, {
    name: 'Discover its volumes',
    run: props.functions.discoverVolumes,
    input: '{% $states.input %}',
    assign: { asked: '{% $states.input %}', discovered: '{% $states.result.Payload %}' },
    outputs: {},
  });
  const notRead = Pass.jsonata(scope, 'Hand on why it could not be read', { outputs: '{% $states.input %}' });
  discover.addCatch(notRead, {
    errors: ['States.ALL'],
    outputs: {
      account: '{% $states.input.target.account %}',
      region: '{% $states.input.target.region %}',
      failure: '{% $states.errorOutput %}',
    },
  });
  const evaluate = evaluateBatches(scope, {
    ...props,
    prefix: `'${keysOfChild.batchesOf(...ofTarget)}'`,
    written: `'${keysOfChild.mapOf(...ofTarget)}'`,
    input: { runId: asked('runId'), plan: asked('plan'), readUntil: asked('readUntil') },
    after: { outputs: `{% $merge([$discovered, {'manifestKey': ${manifestKey}}]) %}` },
  });
  const notEvaluated = Pass.jsonata(scope, 'Hand on why nothing was evaluated', {
    outputs: '{% $states.input %}',
  });
  evaluate.addCatch(notEvaluated, {
    errors: ['States.ALL'],
    outputs: "{% $merge([$discovered, {'notEvaluated': $states.errorOutput}]) %}",
  });
  const { commitArchive } = props.functions;
  if (commitArchive !== null)
    evaluate.next(
      writeArchive(scope, commitArchive, {
        runId: asked('runId'),
        plan: asked('plan'),
        account: asked('target.account'),
        region: asked('target.region'),
      }),
    );
  const nothing = Pass.jsonata(scope, 'There was nothing to evaluate', { outputs: '{% $discovered %}' });
  const isAnything = Choice.jsonata(scope, 'Is there anything to evaluate?');
  isAnything.when(Condition.jsonata('{% $discovered.batches > 0 %}'), evaluate).otherwise(nothing);
  return discover.next(isAnything);
}

function readEachTarget(scope: Construct, bucket: IBucket, props: ReadingProps): DistributedMap {
  const keys = runKeys(ofThisRun);
  return DistributedMap.jsonata(scope, 'Read each target', {
    itemReader: new S3JsonItemReader({ bucket, key: `{% '${keys.targetList}' %}` }),
    itemSelector: { runId, plan, readUntil, target: '{% $states.context.Map.Item.Value %}' },
    maxConcurrency: targetsAtOnce(props.batchesAtOnce),
    ...tolerant,
    resultWriterV2: resultsBelow(bucket, `'${keys.targetsMap}'`),
    assign: { manifestKey: `{% ${manifestKey} %}` },
    outputs: {},
  }).itemProcessor(readTarget(scope, props));
}

/**
 * @param organization is given to the listing function by the definition: a function's variables take 4 KB, which 250 accounts
 * would fill.
 */
export const readSeveralAccounts = (
  scope: Construct,
  props: ReadingProps & { organization: Organization },
): Reading => ({
  request: {
    organization: props.organization,
    request: '{% $states.input %}',
    runId: '{% $states.context.Execution.Name %}',
  },
  assign: { manifestKey: null, refreshed: [] },
  found: {
    severalAccounts: {
      manifestKey: '{% $manifestKey %}',
      refreshed: '{% $refreshed %}',
      isOfAll: '{% $run.isOfAll %}',
    },
  },
  before: (next) => {
    const refresh = refreshEach(scope, props.functions);
    const read = readEachTarget(scope, props.bucket, props);
    const isAnyTarget = Choice.jsonata(scope, 'Is there any target?');
    isAnyTarget.when(Condition.jsonata('{% $run.targets > 0 %}'), read).otherwise(next);
    read.next(next);
    refresh.next(isAnyTarget);
    return refresh;
  },
});
