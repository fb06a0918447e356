/** Credits of a volume or an instance: how long they last under a load that is typed or drawn, and what needs none. */
import { useCallback, useMemo } from 'preact/hooks';
import type { RegionCatalog } from '../../core/catalog/region-catalog.ts';
import { sizeBoundsGiB } from '../../core/limits/volume-limits.ts';
import type { DayFigures, Measure } from '../../core/replay/drawn-day.ts';
import { ChartView } from '../../report/browser/shared/chart-view.tsx';
import type { ChartWidth } from '../../report/charts/chart.ts';
import { creditsChart } from '../../report/charts/credits-chart.ts';
import type { Palette } from '../../report/charts/palette.ts';
import { unitOf } from '../../report/wording/burst.ts';
import { ChoiceField, NumberField, Questions } from '../form.tsx';
import { RegionField } from '../region-field.tsx';
import type { TabProps } from '../tab.ts';
import { Answers } from './answers.tsx';
import { type BurstModel, boundsOf, burstModel, type RateBounds, typesWithCredits } from './burst-model.ts';
import {
  type BurstState,
  bounds,
  type Hours,
  ioSizeOf,
  type LoadKind,
  type Preset,
  presetHours,
  type Subject,
  withPeak,
} from './burst-state.ts';
import './burst.css';
import { DayBars } from './day-bars.tsx';
import { Instead } from './instead.tsx';
import { TypeField } from './type-field.tsx';

const subjectChoices: { value: Subject; text: string }[] = [
  { value: 'gp2', text: 'gp2' },
  { value: 'st1', text: 'st1' },
  { value: 'sc1', text: 'sc1' },
  { value: 'instance', text: 'Instance' },
];

const loadChoices: { value: LoadKind; text: string }[] = [
  { value: 'day', text: 'A day, drawn' },
  { value: 'steady', text: 'A steady rate' },
];

const presetTexts: Record<Preset, string> = {
  steady: 'Steady',
  office: 'Office hours',
  nightly: 'Nightly batch',
};

/** Where the size before is too small for HDD. */
const usualHddGiB = 500;

interface PartProps {
  state: BurstState;
  change: (part: Partial<BurstState>) => void;
}

interface WhatProps extends PartProps {
  catalog: RegionCatalog;
  regions: readonly string[];
}

function WhatFields({ state, change, catalog, regions }: WhatProps) {
  const { of, region, sizeGiB, instanceType, balancePercent, byteBalancePercent } = state;
  const types = useMemo(() => typesWithCredits(catalog), [catalog]);
  return (
    <Questions name="Whose credits">
      <ChoiceField
        label="Volume type or instance"
        look="radios"
        value={of}
        choices={subjectChoices}
        onChange={(next) =>
          change({
            of: next,
            ioSizeKiB: null,
            ...(next !== 'instance' && sizeGiB < sizeBoundsGiB[next].min ? { sizeGiB: usualHddGiB } : {}),
          })
        }
      />
      {of === 'instance' ? (
        <TypeField value={instanceType} types={types} onChange={(next) => change({ instanceType: next })} />
      ) : (
        <NumberField
          label="Size"
          unit="GiB"
          value={sizeGiB}
          {...sizeBoundsGiB[of]}
          scale="log"
          onChange={(next) => change({ sizeGiB: next })}
        />
      )}
      <NumberField
        label={of === 'instance' ? 'Credits of operations now (EBSIOBalance%)' : 'Credits now (BurstBalance)'}
        unit="%"
        value={balancePercent}
        {...bounds.percent}
        hint={state.load === 'day' ? 'At 00:00 of the first day.' : ''}
        onChange={(next) => change({ balancePercent: next })}
      />
      {of === 'instance' ? (
        <NumberField
          label="Credits of bytes now (EBSByteBalance%)"
          unit="%"
          value={byteBalancePercent}
          {...bounds.percent}
          onChange={(next) => change({ byteBalancePercent: next })}
        />
      ) : (
        <NumberField
          label="Size of an I/O"
          unit="KiB"
          value={ioSizeOf(state)}
          {...bounds.ioSizeKiB}
          scale="log"
          hint="It sizes the gp3 beside it; credits do not depend on it."
          onChange={(next) => change({ ioSizeKiB: next })}
        />
      )}
      <RegionField value={region} regions={regions} onChange={(next) => change({ region: next })} />
    </Questions>
  );
}

interface OneLoadProps {
  measure: Measure;
  kind: LoadKind;
  hours: Hours;
  rate: number;
  limits: RateBounds;
  day: DayFigures;
  onRate: (rate: number) => void;
  onHours: (hours: Hours) => void;
}

function OneLoad({ measure, kind, hours, rate, limits, day, onRate, onHours }: OneLoadProps) {
  const label = unitOf[measure];
  const step = measure === 'iops' ? 10 : 1;
  const peak = Math.max(...hours);
  if (kind === 'steady') {
    const most = Math.max(rate, Math.ceil(limits.maximum * 1.5));
    return (
      <div class="one-load">
        <NumberField
          label={`Steady ${label}`}
          unit={label}
          value={rate}
          {...bounds[measure]}
          scale="none"
          onChange={onRate}
        />
        <input
          class="steady-slider"
          type="range"
          min={0}
          max={most}
          step={measure === 'iops' ? 1 : 0.1}
          value={rate}
          aria-label={`Steady ${label}, slider`}
          aria-valuetext={`${rate} ${label}`}
          onInput={({ currentTarget }) => onRate(Number(currentTarget.value))}
        />
      </div>
    );
  }
  return (
    <div class="one-load">
      <div class="day-head">
        <NumberField
          label={`Peak ${label}`}
          unit={label}
          value={peak}
          {...bounds[measure]}
          scale="none"
          onChange={(next) => onHours(withPeak(hours, next, step))}
        />
        <fieldset class="presets no-print">
          <legend class="unseen">Days of {label} to begin with</legend>
          {(Object.keys(presetTexts) as Preset[]).map((preset) => (
            <button
              key={preset}
              type="button"
              class="button small"
              onClick={() => onHours(presetHours(preset, peak === 0 ? limits.maximum : peak, step))}
            >
              {presetTexts[preset]}
            </button>
          ))}
        </fieldset>
      </div>
      <DayBars
        label={label}
        measure={measure}
        hours={hours}
        baseline={limits.baseline}
        maximum={limits.maximum}
        throttledMinutes={day.throttledMinutesByHour}
        onChange={onHours}
      />
    </div>
  );
}

function LoadFields({ state, change, model }: PartProps & { model: BurstModel }) {
  const { load, iops, mibps, iopsByHour, mibpsByHour } = state;
  const { days, course } = model.replayed;
  // What is the same every day; where it never is, what the first day shows.
  const day = (course === 'repeats' ? days.at(-1) : days[0]) as DayFigures;
  return (
    <fieldset class="questions">
      <legend>Load</legend>
      <ChoiceField
        label="The load is"
        look="radios"
        value={load}
        choices={loadChoices}
        onChange={(next) => change({ load: next })}
      />
      {model.load.iops === undefined ? null : (
        <OneLoad
          {...{ measure: 'iops', kind: load, hours: iopsByHour, rate: iops, day }}
          limits={boundsOf(model, 'iops')}
          onRate={(next) => change({ iops: next })}
          onHours={(next) => change({ iopsByHour: next })}
        />
      )}
      {model.load.mibps === undefined ? null : (
        <OneLoad
          {...{ measure: 'mibps', kind: load, hours: mibpsByHour, rate: mibps, day }}
          limits={boundsOf(model, 'mibps')}
          onRate={(next) => change({ mibps: next })}
          onHours={(next) => change({ mibpsByHour: next })}
        />
      )}
    </fieldset>
  );
}

function CreditsChart({ model }: { model: BurstModel }) {
  const make = useCallback(
    (palette: Palette, width: ChartWidth) => creditsChart(model, palette, width),
    [model],
  );
  return <ChartView make={make} heading="h3" />;
}

export function BurstTab({ state, change, regionCatalogs, regions }: TabProps<BurstState>) {
  const model = useMemo(() => burstModel(state, regionCatalogs), [state, regionCatalogs]);
  const catalog = useMemo(() => regionCatalogs(state.region), [state.region, regionCatalogs]);
  return (
    <section class="burst">
      <WhatFields {...{ state, change, catalog, regions }} />
      {'problem' in model ? (
        <p role="alert" class="banner">
          {model.problem}
        </p>
      ) : (
        <>
          <div class="burst-both">
            <Answers model={model} load={state.load} />
            <div class="burst-drawing">
              <LoadFields {...{ state, change, model }} />
              <CreditsChart model={model} />
            </div>
          </div>
          <Instead model={model} region={state.region} />
        </>
      )}
    </section>
  );
}
