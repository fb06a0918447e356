/** What CloudWatch published of a volume and its instance in one minute, for whoever looks into a mistake. */
import { isoFromEpochSeconds } from '../../core/units.ts';
import { minuteEpochSeconds } from '../simulator/scenario-plan.ts';
import type { ComparedMinute } from './compare-minutes.ts';
import type { EvaluatedScenario } from './evaluate-scenario.ts';

export function publishedAt(
  { run, published }: EvaluatedScenario,
  { volumeId, minute }: ComparedMinute,
): string {
  const instance = run.instances.find(({ volumes }) =>
    volumes.some((volume) => volume.volumeId === volumeId),
  );
  const text = (epochSeconds: number): string => isoFromEpochSeconds(epochSeconds).replace('Z', '+00:00');
  const [stamp, fiveMinutes] = [minute, minute - (minute % 5)].map((one) =>
    text(minuteEpochSeconds(run.window, one)),
  );
  return published.getMetricData.MetricDataResults.flatMap(({ Label, Timestamps, Values }) => {
    const [id, metric = ''] = Label.split(' ');
    if (id !== volumeId && id !== instance?.instanceId) return [];
    const time = metric.endsWith('%') ? fiveMinutes : stamp;
    const value = Values[Timestamps.indexOf(time ?? '')];
    return value === undefined ? [] : [`${metric.replace(/^Volume/, '')} ${value}`];
  }).join(', ');
}
