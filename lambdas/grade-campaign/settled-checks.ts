/** What CloudWatch says of a host once it has the last minutes of it: it publishes them late. */
import { NotYet, Unreadable } from '../../core/errors.ts';
import { settleSeconds } from '../../core/load/metrics.ts';
import type { ExceededChecks, Span } from '../../core/report-card/exceeded-checks.ts';
import { isoFromEpochSeconds, msPerSecond } from '../../core/units.ts';

export interface SettledFrom {
  read(): Promise<ExceededChecks>;
  now(): Date;
}

/**
 * @throws NotYet where the span ended less than `settleSeconds` ago; Unreadable where it ends in the future by the clock of its
 * host, as nobody knows how long to wait for that.
 */
export async function settledChecks(
  { toEpochSeconds }: Span,
  { read, now }: SettledFrom,
): Promise<ExceededChecks> {
  const nowSeconds = now().getTime() / msPerSecond;
  const end = isoFromEpochSeconds(toEpochSeconds);
  if (toEpochSeconds > nowSeconds)
    throw new Unreadable(
      `its results end at ${end}, and it is ${isoFromEpochSeconds(nowSeconds)}: the clock of the host is not ours`,
    );
  const waitSeconds = Math.ceil(toEpochSeconds + settleSeconds - nowSeconds);
  if (waitSeconds > 0)
    throw new NotYet(`CloudWatch has the metrics until ${end} in ${waitSeconds} s, not before`);
  return read();
}
