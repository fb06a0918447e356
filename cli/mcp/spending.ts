/** What the calls of a session cost at AWS, and the ceiling on it. */
import { BadInput } from '../../core/errors.ts';
import { usdPerMetric } from '../../core/prices/metric-prices.ts';

export interface CostOfCall {
  usd: number;
  sessionUsd: number;
  maxUsd: number;
}

/** To the hundredth of a cent: a metric costs a thousandth of one. */
const rounded = (usd: number): number => Math.round(usd * 1e5) / 1e5;

/** Metrics are counted before they are asked for. */
export class Spending {
  private usd = 0;
  readonly maxUsd: number;

  constructor(maxUsd: number) {
    this.maxUsd = maxUsd;
  }

  get total(): number {
    return this.usd;
  }

  /** @throws BadInput where it would be beyond the ceiling: then nothing is asked. */
  spend(metrics: number): void {
    const after = this.usd + metrics * usdPerMetric;
    if (after > this.maxUsd)
      throw new BadInput(
        `CloudWatch would bill ${rounded(after)} USD for this session, more than its ceiling of ${this.maxUsd} USD: ask about one volume, or start with a higher --max-usd`,
      );
    this.usd = after;
  }

  /** @param before the total when the call began. */
  costSince(before: number): CostOfCall {
    return { usd: rounded(this.usd - before), sessionUsd: rounded(this.usd), maxUsd: this.maxUsd };
  }
}
