/** Which volumes for this load: the answer changes as the sliders move. */
import { useMemo } from 'preact/hooks';
import type { CurveAsked } from '../../core/plan/price-curve.ts';
import { Text } from '../../report/browser/shared/text.tsx';
import { capitalized } from '../../report/wording/words.ts';
import type { TabProps } from '../tab.ts';
import { answerOf } from './plan-answer.ts';
import { PlanChart } from './plan-chart.tsx';
import { PlanForm } from './plan-form.tsx';
import { Headline, PlanResult } from './plan-result.tsx';
import { rowsOf } from './plan-rows.ts';
import type { PlanState } from './plan-state.ts';
import './plan.css';

/** What the curve depends on: the IOPS that are asked are no part of it, and MiB/s only where both are asked. */
function useCurveAsked(state: PlanState): CurveAsked {
  const { rates, capacityGiB, ioSizeKiB, access, readPercent, maxMembers } = state;
  const { deployment, maxFailurePercent, stripePercent, chunkKiB } = state;
  const throughputMiBps = rates === 'both' ? state.throughputMiBps : null;
  return useMemo(
    () => ({
      ...{ throughputMiBps, capacityGiB, ioSizeKiB, access, maxMembers, deployment },
      readShare: readPercent / 100,
      maxAnnualFailureRate: maxFailurePercent / 100,
      stripeEfficiency: stripePercent / 100,
      chunkKiB: Number(chunkKiB),
    }),
    [
      ...[throughputMiBps, capacityGiB, ioSizeKiB, access, readPercent, maxMembers, deployment],
      ...[maxFailurePercent, stripePercent, chunkKiB],
    ],
  );
}

/** Whether only what is shown of an answer changes. */
const isOfAnswer = (part: Partial<PlanState>): boolean => !('option' in part || 'steps' in part);

export function PlanTab(props: TabProps<PlanState>) {
  const { state, regionCatalogs } = props;
  const { option, steps, ...need } = state;
  // Another option or another form of the steps is no other plan.
  const answer = useMemo(() => answerOf(state, regionCatalogs), [...Object.values(need), regionCatalogs]);
  const curveAsked = useCurveAsked(state);
  const change = (part: Partial<PlanState>): void =>
    props.change(isOfAnswer(part) ? { option: 1, ...part } : part);
  const rows = useMemo(() => (answer.kind === 'refused' ? [] : rowsOf(answer)), [answer]);
  return (
    <div class="plan">
      {answer.kind === 'refused' ? (
        <p class="banner plan-refusal" role="alert">
          <Text value={capitalized(answer.message)} />
        </p>
      ) : (
        <Headline rows={rows} answer={answer} />
      )}
      <PlanForm {...props} change={change} />
      {answer.kind === 'refused' ? null : (
        <PlanResult answer={answer} rows={rows} state={state} change={change}>
          <PlanChart
            asked={curveAsked}
            needIops={answer.kind === 'choices' ? answer.chosen.need.iops : answer.planned.need.iops}
            hasInstance={answer.kind === 'choices' || answer.request.constraints.instance !== null}
            regionCatalog={regionCatalogs(state.region)}
          />
        </PlanResult>
      )}
    </div>
  );
}
