/** The attribution of a scenario against its truth, minute by minute. */
import { alsoCauses, causes } from '../../core/diagnosis/causes.ts';
import type { DiagnosedVolume } from '../../core/diagnosis/diagnosed-volume.ts';
import { causeOf, causesIn } from '../simulator/causes.ts';
import { at } from '../simulator/ledgers.ts';
import type { VolumePlan } from '../simulator/plan.ts';
import { minuteEpochSeconds } from '../simulator/scenario-plan.ts';
import type { SimulatedVolume, Window } from '../simulator/simulate.ts';
import type { EvaluatedScenario } from './evaluate-scenario.ts';

export interface ComparedMinute {
  volumeId: string;
  volume: string;
  minute: number;
  /** What throttled it for most of its throttled seconds; `none` in a quiet minute. */
  truth: string;
  /** Its operations have no figure. */
  withoutFigures: boolean;
  /** All that truly bound in any of its seconds. */
  boundBy: readonly string[];
  heldSeconds: number;
  cause: string;
  also: readonly string[];
}

interface Said {
  cause: string;
  also: readonly string[];
}

const nothingSaid: Said = { cause: 'unknown', also: [] };

/** What the audit says by minute of the window; a minute that is not on its axis has no figures. */
function saidByMinute(diagnosed: DiagnosedVolume | undefined, window: Window): Said[] {
  const said = Array<Said>(window.minutes).fill(nothingSaid);
  if (diagnosed === undefined) return said;
  const { load, attribution } = diagnosed;
  for (let i = 0; i < load.epochSeconds.length; i++) {
    const minute = ((load.epochSeconds[i] ?? 0) - minuteEpochSeconds(window, 0)) / 60;
    const cause = causes[attribution.cause[i] ?? 0] ?? '';
    said[minute] = { cause, also: alsoCauses(attribution.also[i] ?? 0) };
  }
  return said;
}

const isWithoutFigures = ({ missing = [] }: VolumePlan, minute: number): boolean =>
  missing.some(
    ({ metric, span }) =>
      (metric === 'VolumeReadOps' || metric === 'VolumeWriteOps') &&
      (span === undefined || (minute >= span.fromMinute && minute < span.fromMinute + span.minutes)),
  );

function minutesOf({ plan, volumeId, ledger }: SimulatedVolume, said: readonly Said[]): ComparedMinute[] {
  return said.map(({ cause, also }, minute) => ({
    volumeId,
    volume: plan.name.split(' ').slice(1).join(' '),
    minute,
    truth: causeOf(ledger?.cause[minute]),
    withoutFigures: isWithoutFigures(plan, minute),
    boundBy: ledger === null ? [] : causesIn(at(ledger.boundBy, minute)),
    heldSeconds: ledger === null ? 0 : at(ledger.heldSeconds, minute),
    cause,
    also,
  }));
}

export const comparedMinutes = ({ run, diagnosed }: EvaluatedScenario): ComparedMinute[] =>
  run.instances
    .flatMap(({ volumes }) => volumes)
    .flatMap((volume) => minutesOf(volume, saidByMinute(diagnosed.get(volume.volumeId), run.window)));

/** With two at once either is right as the cause where the other stands beside it. */
const isNamed = ({ truth, boundBy, cause, also }: ComparedMinute): boolean =>
  cause === truth || (boundBy.includes(cause) && also.includes(truth));

/** Without figures of its operations a minute is unknown; a check can still prove what truly throttled it. */
export const isRight = (minute: ComparedMinute): boolean =>
  minute.withoutFigures
    ? minute.cause === 'unknown' || (minute.heldSeconds > 0 && isNamed(minute))
    : isNamed(minute);

/** All that bound is named, in any order, and nothing else. */
export const isComplete = ({ boundBy, cause, also }: ComparedMinute): boolean => {
  const named = new Set([cause, ...also]);
  return boundBy.length === named.size && boundBy.every((one) => named.has(one));
};

export const isThrottled = ({ withoutFigures, heldSeconds }: ComparedMinute): boolean =>
  !withoutFigures && heldSeconds > 0;
export const isQuiet = ({ withoutFigures, heldSeconds }: ComparedMinute): boolean =>
  !withoutFigures && heldSeconds === 0;
export const isOverlooked = ({ heldSeconds, cause }: ComparedMinute): boolean =>
  heldSeconds >= 30 && cause === 'none';
