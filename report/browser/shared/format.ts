/** Figures with their units, as a page says them. What is not known is said so, never a zero or a dash. */
import { figure, usdText } from '../../../core/figures.ts';

export const notKnown = 'not known';

export const orNotKnown = (value: number | null, text: (value: number) => string): string =>
  value === null ? notKnown : text(value);

export const whole = (value: number): string => figure(value, 0);
export const count = (value: number, one: string, many = `${one}s`): string =>
  `${whole(value)} ${value === 1 ? one : many}`;
export const usd = (value: number | null): string => orNotKnown(value, usdText);
/** What more or less is to pay: +5.00 USD. */
export const usdDelta = (value: number | null): string =>
  orNotKnown(value, (delta) => `${delta > 0 ? '+' : ''}${usdText(delta)}`);
export const minutes = (value: number | null): string =>
  orNotKnown(value, (known) => `${figure(known, 1)} min`);
export const percent = (value: number | null): string =>
  orNotKnown(value, (known) => `${figure(known, 1)} %`);
/** Of a share: 0.93 is 93 %. */
export const share = (value: number | null): string =>
  orNotKnown(value, (known) => `${figure(100 * known, 0)} %`);
export const iops = (value: number | null): string =>
  orNotKnown(value, (known) => `${figure(known, 0)} IOPS`);
export const mibps = (value: number | null): string =>
  orNotKnown(value, (known) => `${figure(known, 1)} MiB/s`);
export const gib = (value: number | null): string => orNotKnown(value, (known) => `${figure(known, 0)} GiB`);

/** A number and what follows it stay on one line: "52 %", "3,000 IOPS". */
export const unbroken = (text: string): string =>
  text.replace(/(?<=\d) (?=%|[A-Z]{3,}\b|[KMGT]i?B\b|min\b|[dhs]\b)/g, '\u00a0');

/** 2026-11-20 14:30 UTC of an ISO 8601 time. */
export const utc = (iso: string | null): string =>
  iso === null ? notKnown : `${iso.slice(0, 16).replace('T', ' ')} UTC`;
