/** Where a figure lies on a slider: the slider moves in steps of its own, from 0 to `lastPosition`. */

export const lastPosition = 1_000;

export interface Range {
  min: number;
  max: number;
  /** Log: each part of the way multiplies by as much. Its `min` is above 0. */
  scale: 'linear' | 'log';
  /** What figures of the slider are multiples of, counted from 0; from 1 on typed ones are whole. */
  step: number;
}

/** So that a figure of a slider reads well: 8,110 and not 8,113. */
const significantDigits = 3;

const clamped = (value: number, { min, max }: Range): number => Math.min(max, Math.max(min, value));

/** A multiple of the step, without the dust of its division. */
const stepped = (value: number, { step }: Range): number =>
  Number((Math.round(value / step) * step).toPrecision(12));

export function positionOf(value: number, range: Range): number {
  const { min, max, scale } = range;
  const within = clamped(value, range);
  const share = scale === 'log' ? Math.log(within / min) / Math.log(max / min) : (within - min) / (max - min);
  return Math.round(share * lastPosition);
}

/** The ends are the range's own, whatever its step. */
function valueAt(position: number, range: Range): number {
  const { min, max, scale } = range;
  if (position <= 0) return min;
  if (position >= lastPosition) return max;
  const share = position / lastPosition;
  const value = scale === 'log' ? min * (max / min) ** share : min + (max - min) * share;
  const readable = scale === 'log' ? Number(value.toPrecision(significantDigits)) : value;
  return clamped(stepped(readable, range), range);
}

/** What a slider says that was moved from a value: another value, also where a step of the slider is less than one of the figure. */
export function movedTo(position: number, from: number, range: Range): number {
  const value = valueAt(position, range);
  const before = positionOf(from, range);
  if (position > before && value <= from) return clamped(stepped(from + range.step, range), range);
  if (position < before && value >= from) return clamped(stepped(from - range.step, range), range);
  return value;
}

/** A figure as somebody types it: 40000, 40,000 or 0.5. Null: it is none. */
export function typedNumber(text: string): number | null {
  const trimmed = text.trim();
  const plain = /^\d{1,3}(,\d{3})+(\.\d{1,9})?$/.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed;
  return /^\d{1,15}(\.\d{0,9})?$/.test(plain) ? Number(plain) : null;
}

/** Null: it is no figure of the range. */
export function typedWithin(
  text: string,
  { min, max, step }: Pick<Range, 'min' | 'max' | 'step'>,
): number | null {
  const value = typedNumber(text);
  if (value === null || value < min || value > max) return null;
  return step >= 1 && !Number.isInteger(value) ? null : value;
}
