/** What the calls of a session cost at AWS, and the ceiling on it. */
import { BadInput } from '../../core/errors.ts';
import { usdPerMetric } from '../../core/prices/metric-prices.ts';

export interface CostOfCall {
  usd: number;
  sessionUsd: number;
  maxUsd: number;
}

/** To the thousandth of a cent: what a metric costs. */
const rounded = (usd: number): number => Math.round(usd * 1e5) / 1e5;

/** Metrics are counted before they are asked for. */
export class Spending {
  private metrics = 0;
  readonly maxUsd: number;

  constructor(maxUsd: number) {
    this.maxUsd = maxUsd;
  }

  /** Metrics asked for so far. */
  get total(): number {
    return this.metrics;
  }

  /** @throws BadInput where so many more would be beyond the ceiling: then none of them is asked for. */
  require(most: number): void {
    const usd = most * usdPerMetric;
    const spent = this.metrics * usdPerMetric;
    if (rounded(spent + usd) > this.maxUsd)
      throw new BadInput(
        `this call may cost ${rounded(usd)} USD at CloudWatch, and ${rounded(spent)} of at most ${this.maxUsd} USD a session are spent: nothing was asked; ask about one volume, or start the server with a higher --max-usd`,
      );
  }

  /** @throws BadInput as `require`. */
  spend(metrics: number): void {
    this.require(metrics);
    this.metrics += metrics;
  }

  /** @param before the total when the call began. */
  costSince(before: number): CostOfCall {
    const usdOf = (metrics: number): number => rounded(metrics * usdPerMetric);
    return { usd: usdOf(this.metrics - before), sessionUsd: usdOf(this.metrics), maxUsd: this.maxUsd };
  }
}
