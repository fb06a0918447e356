/** A day drawn: 24 bars that are dragged, one of them or many in one move; by keyboard each is a slider. */
import { useRef, useState } from 'preact/hooks';
import { figure } from '../../core/figures.ts';
import { hoursPerDay, type Measure } from '../../core/replay/drawn-day.ts';
import { minutesPerHour } from '../../core/units.ts';
import { scaleUpTo } from '../../report/charts/scale.ts';
import { clockText, rateText } from '../../report/wording/burst.ts';
import type { Hours } from './burst-state.ts';
import { drawnTo, stepOf, stepped } from './drawing.ts';

interface DayBarsProps {
  label: string;
  measure: Measure;
  hours: Hours;
  baseline: number;
  maximum: number;
  /** Of each hour, 0 to 60. */
  throttledMinutes: readonly number[];
  onChange: (hours: Hours) => void;
}

const hourText = (hour: number): string => clockText(hour * minutesPerHour);

/** With room above what the volume ever does, so that more can be drawn. */
const topOf = (hours: Hours, maximum: number): number => scaleUpTo(Math.max(maximum * 1.2, ...hours), 4).max;

export function DayBars(props: DayBarsProps) {
  const { label, measure, hours, baseline, maximum, throttledMinutes, onChange } = props;
  const ground = useRef<HTMLFieldSetElement>(null);
  // While somebody draws, the scale stands still and all moves build on what was drawn before.
  const drawing = useRef<{ top: number; hour: number; rate: number } | null>(null);
  const latest = useRef(hours);
  latest.current = hours;
  const [focused, setFocused] = useState(12);
  const top = drawing.current?.top ?? topOf(hours, maximum);
  const step = stepOf(top);
  const change = (next: Hours): void => {
    latest.current = next;
    onChange(next);
  };
  /** Its focus makes it the one that the Tab key comes to. */
  const focusOn = (hour: number): void =>
    ground.current
      ?.querySelectorAll<HTMLElement>('[role="slider"]')
      .item(hour)
      .focus({ preventScroll: true });
  const at = ({ clientX, clientY }: PointerEvent): { hour: number; rate: number } | null => {
    const box = ground.current?.getBoundingClientRect();
    if (box === undefined) return null;
    const within = (share: number): number => Math.min(1, Math.max(0, share));
    const hour = Math.min(
      hoursPerDay - 1,
      Math.floor(within((clientX - box.left) / box.width) * hoursPerDay),
    );
    return { hour, rate: stepped(within((box.bottom - clientY) / box.height) * top, step) };
  };
  const down = (event: PointerEvent): void => {
    const point = at(event);
    if (point === null || event.button !== 0) return;
    ground.current?.setPointerCapture(event.pointerId);
    drawing.current = { top, ...point };
    change(drawnTo(latest.current, point, point));
    focusOn(point.hour);
    event.preventDefault();
  };
  const move = (event: PointerEvent): void => {
    const point = at(event);
    const from = drawing.current;
    if (point === null || from === null) return;
    drawing.current = { top: from.top, ...point };
    setFocused(point.hour);
    if (point.hour !== from.hour || point.rate !== from.rate) change(drawnTo(latest.current, from, point));
  };
  const up = (): void => {
    const last = drawing.current?.hour;
    drawing.current = null;
    if (last === undefined) return;
    focusOn(last);
    // The scale may change now.
    onChange([...latest.current]);
  };
  const set = (hour: number, rate: number): void =>
    change(
      latest.current.map((one, i) => (i === hour ? stepped(Math.min(top, Math.max(0, rate)), 0.001) : one)),
    );
  const pressed = (event: KeyboardEvent, hour: number): void => {
    const rate = latest.current[hour] as number;
    const to: Record<string, number> = {
      ...{ ArrowUp: rate + step, ArrowDown: rate - step, Home: 0, End: top },
      ...{ PageUp: rate + 10 * step, PageDown: rate - 10 * step },
    };
    const beside: Record<string, number> = { ArrowLeft: hour - 1, ArrowRight: hour + 1 };
    const [next, other] = [to[event.key], beside[event.key]];
    if (next !== undefined) set(hour, next);
    else if (other !== undefined && other >= 0 && other < hoursPerDay) {
      focusOn(other);
    } else if (other === undefined) return;
    event.preventDefault();
  };
  const lines = [
    ...(maximum > baseline ? [{ name: 'maximum', value: maximum }] : []),
    { name: maximum > baseline ? 'baseline' : 'limit', value: baseline },
  ];
  return (
    <div class="day">
      <p class="day-top">
        <span>{rateText(top, measure)}</span>
        <output class="day-now" aria-hidden="true">
          {hourText(focused)}: {rateText(hours[focused] as number, measure)}
        </output>
      </p>
      <fieldset
        ref={ground}
        class="day-ground"
        aria-label={`${label} by hour of the day. Up and Down change an hour, Left and Right go to another.`}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={up}
      >
        {hours.map((rate, hour) => (
          <div
            key={hour}
            class="day-bar"
            role="slider"
            tabIndex={hour === focused ? 0 : -1}
            aria-orientation="vertical"
            aria-label={`${label}, ${hourText(hour)}`}
            aria-valuemin={0}
            aria-valuemax={Math.max(top, rate)}
            aria-valuenow={rate}
            aria-valuetext={`${hourText(hour)}: ${rateText(rate, measure)}${
              (throttledMinutes[hour] ?? 0) > 0
                ? `, throttled ${figure(throttledMinutes[hour] ?? 0)} min`
                : ''
            }`}
            onKeyDown={(event) => pressed(event, hour)}
            onFocus={() => setFocused(hour)}
          >
            <div class="day-fill" style={{ height: `${Math.min(100, (100 * rate) / top)}%` }}>
              <div
                class="day-throttled"
                style={{ height: `${(100 * (throttledMinutes[hour] ?? 0)) / minutesPerHour}%` }}
              />
            </div>
          </div>
        ))}
        {lines.map(({ name, value }) => (
          <div key={name} class={`day-line ${name}`} style={{ bottom: `${(100 * value) / top}%` }}>
            <span>
              {name} {rateText(value, measure)}
            </span>
          </div>
        ))}
      </fieldset>
      <p class="day-hours" aria-hidden="true">
        {[0, 6, 12, 18, 24].map((hour) => (
          <span key={hour}>{hourText(hour)}</span>
        ))}
      </p>
      <p class="ask-hint">
        Drag a bar, or draw across the day. Hatched: minutes of the hour that are throttled.
      </p>
    </div>
  );
}
