/** Series as GetMetricData returns them, in the order the Region's reader asked for. */
import { isoFromEpochSeconds, secondsPerMinute } from '../../core/units.ts';
import { isPublished, type Rules } from './rules.ts';
import { rulesOf, type Window } from './simulate.ts';

export interface MetricDataResult {
  Id: string;
  Label: string;
  Timestamps: readonly string[];
  Values: readonly number[];
  StatusCode: 'Complete' | 'PartialData';
}

export const rounded = (value: number, decimals: number): number => {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
};

const usuallyAskedAfterSeconds = 180;

/** Minutes whose point is printed twice, first with the sum as it stood before the minute was complete. */
const repeatedMinutes = [130, 131, 500, 900, 1_200];
const repeatedShare = 0.6;

export interface SeriesOptions {
  /** True where the minute has a point; all have one by default. */
  has?: (minute: number) => boolean;
  stepMinutes?: number;
  repeats?: boolean;
  split?: boolean;
  /** How much later than others its points are there. */
  laterSeconds?: number;
}

export class SeriesWriter {
  readonly results: MetricDataResult[] = [];
  private readonly minutes: number;
  private readonly descending: boolean;
  /** Complete series share one array of timestamps, which saves most of the memory and lets it be printed once. */
  private readonly stamps: readonly string[];
  private readonly stampsInOrder: readonly string[];
  private nextId = 0;
  readonly rules: Rules;
  private readonly askedAfterSeconds: number;

  constructor(window: Window, descending: boolean) {
    this.minutes = window.minutes;
    this.rules = rulesOf(window);
    this.askedAfterSeconds = window.askedAfterSeconds ?? usuallyAskedAfterSeconds;
    this.descending = descending;
    this.stamps = Array.from({ length: window.minutes }, (_, minute) =>
      isoFromEpochSeconds(window.startEpochSeconds + minute * secondsPerMinute).replace('Z', '+00:00'),
    );
    this.stampsInOrder = descending ? this.stamps.toReversed() : this.stamps;
  }

  write(label: string, value: (minute: number) => number, options: SeriesOptions = {}): void {
    const { stepMinutes = 1, repeats = false, split = false } = options;
    const has = this.published(label, options);
    const partial = has !== undefined || stepMinutes !== 1 || repeats;
    const values: number[] = [];
    const stamps: string[] = [];
    for (let minute = 0; minute < this.minutes; minute += stepMinutes) {
      if (has !== undefined && !has(minute)) continue;
      if (repeats && repeatedMinutes.includes(minute)) {
        values.push(Math.floor(value(minute) * repeatedShare));
        stamps.push(this.stamps[minute] ?? '');
      }
      values.push(value(minute));
      if (partial) stamps.push(this.stamps[minute] ?? '');
    }
    if (this.descending) {
      values.reverse();
      stamps.reverse();
    }
    this.push(label, partial ? stamps : this.stampsInOrder, values, split);
  }

  /** The minutes that have a point: those that are to have one and that CloudWatch has by now; undefined for all. */
  private published(
    label: string,
    { has, laterSeconds = 0, stepMinutes = 1 }: SeriesOptions,
  ): ((minute: number) => boolean) | undefined {
    const { rules, minutes, askedAfterSeconds } = this;
    if (rules.neverShare === 0 && rules.delaySeconds + laterSeconds <= askedAfterSeconds) return has;
    const resource = label.split(' ', 1)[0] as string;
    // A longer point is there when its last minute is.
    return (from) => {
      const minute = Math.min(from + stepMinutes, minutes) - 1;
      return (
        (has?.(from) ?? true) &&
        isPublished(rules, { resource, minute, minutes, askedAfterSeconds, laterSeconds })
      );
    };
  }

  private push(label: string, stamps: readonly string[], values: readonly number[], split: boolean): void {
    const Id = `m${this.nextId++}`;
    const result = { Id, Label: label, Timestamps: stamps, Values: values, StatusCode: 'Complete' } as const;
    if (!split) {
      this.results.push(result);
      return;
    }
    // The CLI follows the pages and appends what each brings: the same Id and Label stand there twice.
    const cut = Math.floor(values.length / 3);
    this.results.push(
      {
        ...result,
        Timestamps: stamps.slice(0, cut),
        Values: values.slice(0, cut),
        StatusCode: 'PartialData',
      },
      { ...result, Timestamps: stamps.slice(cut), Values: values.slice(cut) },
    );
  }
}
