import fc from 'fast-check';
import {
  lastMinuteEnd,
  minutesByCause,
  type ThrottlingCause,
  throttledSchema,
  throttlingCauses,
  withMinutes,
} from '../../../core/monitoring/throttled-minutes.ts';

const end = 1_795_046_400;
const before = (minutes: number): number => end - minutes * 60;

test('minutes come back by cause, oldest first', () => {
  const held = withMinutes(
    null,
    [
      { epochSeconds: before(3), cause: 'volume-iops' },
      { epochSeconds: before(1_440), cause: 'volume-credits' },
      { epochSeconds: before(1), cause: 'volume-throughput' },
      { epochSeconds: before(2), cause: 'volume-iops' },
    ],
    end,
  );
  expect(minutesByCause(held, end)).toEqual({
    'volume-iops': [before(3), before(2)],
    'volume-throughput': [before(1)],
    'volume-credits': [before(1_440)],
  });
  expect(lastMinuteEnd(held)).toBe(end);
});

test('what was seen again counts as it was seen last', () => {
  const first = withMinutes(null, [{ epochSeconds: before(2), cause: 'volume-iops' }], end);
  const again = withMinutes(first, [{ epochSeconds: before(2), cause: 'volume-credits' }], end);
  expect(minutesByCause(again, end)).toMatchObject({ 'volume-iops': [], 'volume-credits': [before(2)] });
});

test('nothing is remembered of nothing, and nothing after 24 hours', () => {
  expect(withMinutes(null, [], end)).toBeNull();
  const held = withMinutes(null, [{ epochSeconds: before(1_440), cause: 'volume-iops' }], end);
  expect(held).not.toBeNull();
  expect(withMinutes(held, [], end + 60)).toBeNull();
  expect(minutesByCause(held, end + 60)['volume-iops']).toEqual([]);
});

test('any minutes of a day fit into 480 characters and come back', () => {
  const cause = fc.constantFrom(...throttlingCauses);
  const minutes = fc.dictionary(fc.integer({ min: 1, max: 1_440 }).map(String), cause, { maxKeys: 1_440 });
  fc.assert(
    fc.property(minutes, fc.integer({ min: 0, max: 2_000 }), (chosen, later) => {
      const seen = Object.entries(chosen).map(([ago, one]) => ({
        epochSeconds: before(Number(ago)),
        cause: one,
      }));
      const held = withMinutes(null, seen, end);
      expect(throttledSchema.parse(JSON.parse(JSON.stringify(held)))).toEqual(held);
      expect(held?.codes.length ?? 0).toBeLessThanOrEqual(480);
      const now = end + later * 60;
      const expected: Record<ThrottlingCause, number[]> = {
        'volume-iops': [],
        'volume-throughput': [],
        'volume-credits': [],
      };
      for (const { epochSeconds, cause: one } of seen.sort((a, b) => a.epochSeconds - b.epochSeconds))
        if (epochSeconds >= now - 86_400) expected[one].push(epochSeconds);
      expect(minutesByCause(withMinutes(held, [], now), now)).toEqual(expected);
      if (seen.length > 0) expect(lastMinuteEnd(held)).toBe((seen.at(-1)?.epochSeconds ?? 0) + 60);
    }),
    { seed: 11 },
  );
});
