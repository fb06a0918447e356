/** Keeps the requests of one reader of metrics at its rate of points a second, whichever of them go at one time. */
import { setTimeout as wait } from 'node:timers/promises';
import type { GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { pointsPerCall } from '../../core/load/metrics.ts';
import { type PointRates, type PointsQuota, paceSeconds } from '../../core/load/point-rates.ts';
import { msPerSecond } from '../../core/units.ts';

export interface PaceClock {
  /** Of any beginning; never goes back. */
  nowMs(): number;
  wait(ms: number): Promise<void>;
}

const realClock: PaceClock = {
  nowMs: () => performance.now(),
  wait: async (ms) => {
    await wait(ms);
  },
};

const windowMs = paceSeconds * msPerSecond;

interface Sent {
  atMs: number;
  points: number;
}

/** What was sent of one quota, and who waits for it: first come, first served. */
class QuotaPace {
  private readonly sent: Sent[];
  private turn: Promise<void> = Promise.resolve();
  private readonly rate: number;
  private readonly clock: PaceClock;

  constructor(rate: number, isSuccessor: boolean, clock: PaceClock) {
    this.rate = rate;
    this.clock = clock;
    this.sent = isSuccessor ? [{ atMs: clock.nowMs(), points: rate }] : [];
  }

  take(points: number): Promise<void> {
    this.turn = this.turn.then(() => this.waitFor(points));
    return this.turn;
  }

  private async waitFor(points: number): Promise<void> {
    for (;;) {
      const nowMs = this.clock.nowMs();
      while (this.sent[0] !== undefined && this.sent[0].atMs + windowMs <= nowMs) this.sent.shift();
      const [oldest] = this.sent;
      const spent = this.sent.reduce((sum, one) => sum + one.points, 0);
      if (oldest === undefined || spent + points <= this.rate) {
        this.sent.push({ atMs: nowMs, points });
        return;
      }
      await this.clock.wait(Math.max(1, Math.ceil(oldest.atMs + windowMs - nowMs)));
    }
  }
}

interface PaceOptions {
  /** Another may have read in its place until now: it begins as if its first second were spent. */
  isSuccessor?: boolean;
  clock?: PaceClock;
}

/** Of one reader in one Region. */
export class PointsPace {
  private readonly rates: PointRates;
  private readonly quotas: Record<PointsQuota, QuotaPace>;

  constructor(rates: PointRates, { isSuccessor = false, clock = realClock }: PaceOptions = {}) {
    this.rates = rates;
    this.quotas = {
      recent: new QuotaPace(rates.recent, isSuccessor, clock),
      older: new QuotaPace(rates.older, isSuccessor, clock),
    };
  }

  /** The most points of a call: as many calls as fill a second without a rest. */
  pointsPerCall(quota: PointsQuota): number {
    const rate = this.rates[quota];
    return Math.max(1, Math.floor(rate / Math.ceil(rate / pointsPerCall)));
  }

  /**
   * Each attempt waits until it may ask; the SDK's own retries too, since AWS counts them.
   * @param points the most that the call can bring.
   */
  paced(command: GetMetricDataCommand, quota: PointsQuota, points: number): GetMetricDataCommand {
    command.middlewareStack.add(
      (next) => async (args) => {
        await this.quotas[quota].take(points);
        return next(args);
      },
      // After the retry middleware, so that each attempt passes here.
      { step: 'finalizeRequest', name: 'stripewisePointsPace', priority: 'low', override: true },
    );
    return command;
  }
}
