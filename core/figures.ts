/** Figures as they stand in a sentence: 12,345.6. */
const formats = new Map<number, Intl.NumberFormat>();

/** A number in English notation with at most so many digits after the point. */
export function figure(value: number, digits = 2): string {
  const format = formats.get(digits) ?? new Intl.NumberFormat('en-US', { maximumFractionDigits: digits });
  formats.set(digits, format);
  return format.format(value);
}

const money = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** An amount as a bill writes it: 1,234.50 USD. */
export const usdText = (usd: number): string => `${money.format(usd)} USD`;
