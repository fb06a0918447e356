/** Figures as they stand in a sentence: 12,345.6. */
/** What is rounded to zero has no sign: it is never -0. */
const noMinusZero = 'negative';

const formats = new Map<number, Intl.NumberFormat>();

/** A number in English notation with at most so many digits after the point. */
export function figure(value: number, digits = 2): string {
  const format =
    formats.get(digits) ??
    new Intl.NumberFormat('en-US', { maximumFractionDigits: digits, signDisplay: noMinusZero });
  formats.set(digits, format);
  return format.format(value);
}

const money = new Intl.NumberFormat('en-US', {
  ...{ minimumFractionDigits: 2, maximumFractionDigits: 2 },
  signDisplay: noMinusZero,
});

/** An amount as a bill writes it: 1,234.50 USD. */
export const usdText = (usd: number): string => `${money.format(usd)} USD`;
