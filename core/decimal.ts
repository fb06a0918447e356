/**
 * How a number is written: the one grammar of options, of the configuration and of columns of CSV. It is that of decimal numbers
 * of YAML 1.2 and holds those of JSON: 15000, 0.5, .5, 1e6. It has no 0x10, no 1_000, no Infinity.
 */
const form = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i;

/** More than anything is counted in, and its products and sums are still finite. */
export const mostOfAnything = 1e15;

/** The number that a text is; NaN where it is none, or none that can be stored. Nothing is less than nothing: -0 is 0. */
export function decimalOf(text: string): number {
  const value = form.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value + 0 : Number.NaN;
}
