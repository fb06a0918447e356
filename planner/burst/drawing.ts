/** What a move of the pointer draws. */
import type { Hours } from './burst-state.ts';

export interface Point {
  hour: number;
  rate: number;
}

/** Rates are drawn in such steps, 1, 2 or 5 and zeros: 40 to 100 of them from bottom to top. */
export function stepOf(top: number): number {
  const most = top / 40;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [5, 2].find((one) => one * power <= most * (1 + 1e-9)) ?? 1;
  return Number((step * power).toPrecision(6));
}

/** The nearest multiple, without the dust of its division. */
export const stepped = (rate: number, step: number): number =>
  Number((Math.round(rate / step) * step).toFixed(3));

/** A line from one point to the other: a fast pointer leaves no hour out. The hour that it came from stays as it was. */
export function drawnTo(hours: Hours, from: Point, to: Point): Hours {
  const distance = Math.abs(to.hour - from.hour);
  if (distance === 0) return hours.map((rate, hour) => (hour === to.hour ? to.rate : rate));
  const direction = Math.sign(to.hour - from.hour);
  const next = [...hours];
  for (let i = 1; i <= distance; i++) {
    const share = i / distance;
    next[from.hour + i * direction] =
      i === distance ? to.rate : Math.round(from.rate + (to.rate - from.rate) * share);
  }
  return next;
}
