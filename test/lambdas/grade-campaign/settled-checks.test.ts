/** CloudWatch is asked of a host when it has the last minutes, and not before. */
import { NotYet, Unreadable } from '../../../core/errors.ts';
import { settleSeconds } from '../../../core/load/metrics.ts';
import { epochSecondsOf } from '../../../core/units.ts';
import { settledChecks } from '../../../lambdas/grade-campaign/settled-checks.ts';

const endsAt = '2026-11-22T12:12:00Z';
const span = { fromEpochSeconds: epochSecondsOf(endsAt) - 120, toEpochSeconds: epochSecondsOf(endsAt) };
const none = { looked: [], exceeded: [] };
const checks = { volumes: {}, instance: { iops: none, throughput: none } };

async function asked(secondsAfterItsEnd: number) {
  let times = 0;
  const found = settledChecks(span, {
    now: () => new Date((span.toEpochSeconds + secondsAfterItsEnd) * 1000),
    read: async () => {
      times += 1;
      return checks;
    },
  });
  return { found: await found.catch((error: unknown) => error), times };
}

test.each([0, 1, settleSeconds - 1])('%d s after the last step it is asked later', async (seconds) => {
  const { found, times } = await asked(seconds);
  expect(found).toEqual(
    new NotYet(`CloudWatch has the metrics until ${endsAt} in ${settleSeconds - seconds} s, not before`),
  );
  expect(times).toBe(0);
});

test.each([settleSeconds, 3_600])('%d s after it what it says is whole', async (seconds) => {
  expect(await asked(seconds)).toEqual({ found: checks, times: 1 });
});

test('what ends in the future by the clock of its host is unknown: nobody waits for it', async () => {
  const { found, times } = await asked(-1);
  expect(found).toBeInstanceOf(Unreadable);
  expect((found as Error).message).toBe(
    `its results end at ${endsAt}, and it is 2026-11-22T12:11:59Z: the clock of the host is not ours`,
  );
  expect(times).toBe(0);
});
