/** Troubles to order: an error, a late reply, or metrics that stay partial. */
import { z } from 'zod';
import { ServiceError } from '../service-error.ts';
import type { Page, PageResult } from './metric-data-page.ts';

export const faultInput = z
  .strictObject({
    /** `*`: any. */
    operation: z.string().min(1),
    /** Every Region where it is left out. */
    region: z.string().min(1).optional(),
    /** Every account where it is left out. */
    account: z.string().min(1).optional(),
    /** The exception's name; none for a reply that is only late or partial. */
    error: z.string().min(1).optional(),
    status: z.int().min(400).max(599).default(400),
    message: z.string().optional(),
    /** -1 for ever. */
    times: z.int().min(-1).default(1),
    delayMs: z.number().min(0).optional(),
    partialData: z.literal(true).optional(),
  })
  .refine(
    ({ error, delayMs, partialData }) =>
      error !== undefined || delayMs !== undefined || partialData !== undefined,
    { error: 'give an error, delayMs or partialData' },
  )
  .refine(({ operation, partialData }) => partialData === undefined || operation === 'GetMetricData', {
    error: 'partialData is of GetMetricData',
  });

export type Fault = z.infer<typeof faultInput>;

export const faultError = ({ error = 'InternalServiceFault', status, message }: Fault): ServiceError =>
  new ServiceError(error, message ?? `${error}: injected by a test`, status);

export class Faults {
  private faults: Fault[] = [];

  add(fault: Fault): void {
    this.faults.push({ ...fault });
  }

  clear(): void {
    this.faults = [];
  }

  /** The first fault that is left for this call; it is used up by one. */
  take(account: string, region: string, operation: string): Fault | undefined {
    const fault = this.faults.find(
      (one) =>
        one.times !== 0 &&
        (one.operation === '*' || one.operation === operation) &&
        (one.region ?? region) === region &&
        (one.account ?? account) === account,
    );
    if (fault !== undefined && fault.times > 0) fault.times--;
    return fault;
  }
}

function leftPartial(result: PageResult, descending: boolean): PageResult {
  if (!result.complete) return result;
  const { epochSeconds, values } = result.points;
  const kept = Math.floor(epochSeconds.length / 2);
  const from = descending ? epochSeconds.length - kept : 0;
  return {
    ...result,
    complete: false,
    points: {
      epochSeconds: epochSeconds.subarray(from, from + kept),
      values: values.subarray(from, from + kept),
    },
  };
}

/** Every metric that ends on this page loses the later half of its points and stays PartialData: no page completes it. */
export function partialPage(page: Page, descending: boolean): Page {
  const results = page.results.map((result) => leftPartial(result, descending));
  const datapoints = results.reduce((total, { points }) => total + points.values.length, 0);
  return { ...page, results, datapoints };
}
