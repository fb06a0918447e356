/** Sizes as Kubernetes writes them. Source: Kubernetes, "Quantity", and aws-ebs-csi-driver (rounds up to GiB), read 2026-11-28. */
import type { Asked } from '../../core/check/planned.ts';
import { decimalOf, mostOfAnything } from '../../core/decimal.ts';
import { known } from '../../core/known.ts';
import { bytesPerGiB } from '../../core/units.ts';
import { askedText, unknownFigure, type Value } from './asked.ts';

const factors: Record<string, number> = {
  ...{ '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18, m: 1e-3, u: 1e-6, n: 1e-9 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
};

const form = /^(.*?)(|[numkMGTPE]|[KMGTPE]i)$/;

/** GiB, rounded up: 10Gi, 1.5Ti, 500G, 1e12, 1073741824. */
export function storageQuantity(value: Value): Asked<number> {
  const text = askedText(value);
  if (!text.known || text.value === null) return text.known ? known(null) : text;
  const [, digits = '', unit = ''] = form.exec(text.value) ?? [];
  const bytes = decimalOf(digits) * (factors[unit] ?? Number.NaN);
  const gib = Math.ceil(bytes / bytesPerGiB);
  return gib >= 0 && gib <= mostOfAnything ? known(gib) : unknownFigure('not-readable', text.value);
}
