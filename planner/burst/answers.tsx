/** What becomes of the credits, in figures and sentences. */
import type { InstanceBucketAnswer } from '../../core/credits/burst-answer.ts';
import { figure } from '../../core/figures.ts';
import type { DayFigures, Measure, ReplayedDays } from '../../core/replay/drawn-day.ts';
import { unbroken } from '../../report/browser/shared/format.ts';
import {
  byCauseText,
  dayAnswer,
  emptyText,
  instanceBucketText,
  momentText,
  refillText,
  steadyAnswer,
  throttledText,
} from '../../report/wording/burst.ts';
import { type BurstModel, boundsOf } from './burst-model.ts';
import type { LoadKind } from './burst-state.ts';

function Facts({ facts }: { facts: readonly (readonly [string, string])[] }) {
  return (
    <dl class="burst-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{unbroken(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

interface Bucket extends InstanceBucketAnswer {
  /** From empty, without load. */
  refillSeconds: number | null;
  name: string;
  measure: Measure;
  credits: string;
}

/** The buckets that there are, with what each has all the time and in a burst. */
function bucketsOf(model: BurstModel): Bucket[] {
  if (model.kind === 'instance')
    return [
      {
        ...model.answer.io,
        refillSeconds: model.refill.io.secondsToFull,
        name: 'Operations',
        measure: 'iops',
        credits: 'I/O credits',
      },
      {
        ...model.answer.bytes,
        refillSeconds: model.refill.bytes.secondsToFull,
        name: 'Bytes',
        measure: 'mibps',
        credits: 'MiB of credits',
      },
    ];
  const { answer, measure } = model;
  const credits = measure === 'iops' ? 'I/O credits' : 'MiB of credits';
  const { secondsToFull: refillSeconds } = model.refill;
  return [{ ...answer, ...boundsOf(model, measure), refillSeconds, measure, credits, name: '' }];
}

/** What a rate means; of a drawn day the rate of its peak hour. */
function BucketFacts({ bucket, isSteady }: { bucket: Bucket; isSteady: boolean }) {
  const { measure, credits, creditBalance, burstDurationSeconds } = bucket;
  const at = isSteady ? 'At this rate' : 'At the peak hour’s rate';
  return (
    <Facts
      facts={[
        ['Has', instanceBucketText(bucket, measure)],
        ...(creditBalance === null || burstDurationSeconds === null
          ? []
          : ([
              ['Balance', `${figure(creditBalance, 0)} ${credits}`],
              ['Full burst lasts', emptyText(burstDurationSeconds)],
              [`${at}, empty in`, emptyText(bucket.secondsToEmpty)],
              ...(bucket.secondsToFull === 0
                ? []
                : [[`${at}, full in`, refillText(bucket.secondsToFull)] as const]),
              ['Idle, full from empty in', refillText(bucket.refillSeconds)],
            ] as const)),
      ]}
    />
  );
}

function DayFacts({ replayed }: { replayed: ReplayedDays }) {
  const { days, secondsToEmpty } = replayed;
  const [first, last] = [days[0] as DayFigures, days.at(-1) as DayFigures];
  const hasCredits = replayed.buckets.some(({ bucket }) => bucket !== null);
  const isOne = days.length === 1 || throttledText(first) === throttledText(last);
  return (
    <Facts
      facts={[
        ...(hasCredits
          ? ([['Empty', secondsToEmpty === null ? 'never' : momentText(secondsToEmpty)]] as const)
          : []),
        ...(isOne ? [] : ([['Throttled, first day', throttledText(first)]] as const)),
        [isOne ? 'Throttled a day' : `Throttled, day ${days.length}`, throttledText(last)],
        ...(last.throttledMinutes > 0 ? ([['Throttled by', byCauseText(last)]] as const) : []),
      ]}
    />
  );
}

export function Answers({ model, load }: { model: BurstModel; load: LoadKind }) {
  const isSteady = load === 'steady';
  const { headline, isSustained, lines } = isSteady
    ? steadyAnswer(model.replayed)
    : dayAnswer(model.replayed);
  const buckets = bucketsOf(model);
  return (
    <section class="burst-answers" aria-label="Answers">
      <p class={`burst-headline ${isSustained ? 'good' : 'warning'}`} role="status">
        {unbroken(headline)}
      </p>
      <div class="burst-why">
        {lines.map((line) => (
          <p key={line}>{unbroken(line)}</p>
        ))}
      </div>
      <div class="burst-detail">
        {isSteady ? null : <DayFacts replayed={model.replayed} />}
        {buckets.map((bucket) => (
          <div key={bucket.name}>
            {bucket.name === '' ? null : <h3>{bucket.name}</h3>}
            <BucketFacts bucket={bucket} isSteady={isSteady} />
          </div>
        ))}
        {model.notes.map((note) => (
          <p key={note} class="burst-note">
            {unbroken(note)}
          </p>
        ))}
        {model.kind === 'instance' ? (
          <p class="ask-hint">
            AWS does not document how an instance’s credits refill: this is a model. The bucket lasts 30
            minutes at the maximum, and is full again within 24 hours.
          </p>
        ) : null}
      </div>
    </section>
  );
}
