/** When a channel is quiet, by the clock on its wall. */
import fc from 'fast-check';
import type { QuietHours } from '../../../core/config/config.ts';
import { quietUntil } from '../../../core/delivery/quiet-hours.ts';
import { epochSecondsOf, isoFromEpochSeconds } from '../../../core/units.ts';
import { timeZones } from '../../fixtures/time-zones.ts';

const night = (changes: Partial<QuietHours> = {}): QuietHours => ({
  ...{ from: '22:00', to: '07:00', timeZone: 'UTC', allowCritical: true },
  ...changes,
});
const until = (hours: QuietHours, iso: string): string | null => {
  const end = quietUntil(hours, epochSecondsOf(iso));
  return end === null ? null : isoFromEpochSeconds(end);
};

test.each([
  ['2026-11-20T21:59:59Z', null],
  ['2026-11-20T22:00:00Z', '2026-11-21T07:00:00Z'],
  ['2026-11-21T00:00:00Z', '2026-11-21T07:00:00Z'],
  ['2026-11-21T06:59:59Z', '2026-11-21T07:00:00Z'],
  ['2026-11-21T07:00:00Z', null],
])('over midnight: at %s until %s', (now, end) => {
  expect(until(night(), now)).toBe(end);
});

test.each([
  ['2026-11-20T11:59:59Z', null],
  ['2026-11-20T12:30:10Z', '2026-11-20T13:00:00Z'],
  ['2026-11-20T13:00:00Z', null],
])('within a day: at %s until %s', (now, end) => {
  expect(until(night({ from: '12:00', to: '13:00' }), now)).toBe(end);
});

test.each([
  // Berlin is an hour ahead in winter, two in summer.
  ['2026-11-20T21:00:00Z', '2026-11-21T06:00:00Z'],
  ['2026-07-20T20:00:00Z', '2026-07-21T05:00:00Z'],
  ['2026-11-20T20:59:59Z', null],
])('by the clock of its zone: at %s until %s', (now, end) => {
  expect(until(night({ timeZone: 'Europe/Berlin' }), now)).toBe(end);
});

test('where clocks are set meanwhile, who asks again at the end is notified the rest', () => {
  // On 25 October 2026 clocks in Berlin go back at 3:00: the night has an hour more.
  const hours = night({ timeZone: 'Europe/Berlin' });
  expect(until(hours, '2026-10-24T22:00:00Z')).toBe('2026-10-25T05:00:00Z'); // 0:00 + 7 h, and it is 6:00
  expect(until(hours, '2026-10-25T05:00:00Z')).toBe('2026-10-25T06:00:00Z');
  expect(until(hours, '2026-10-25T06:00:00Z')).toBeNull();
});

test('who waits for the end, again where need be, comes out of it within two tries', () => {
  const time = fc.integer({ min: 1_767_225_600, max: 1_830_297_600 });
  const hour = fc.integer({ min: 0, max: 23 }).map((one) => `${String(one).padStart(2, '0')}:30`);
  const zone = fc.constantFrom(...timeZones);
  fc.assert(
    fc.property(time, hour, hour, zone, (now, from, to, timeZone) => {
      fc.pre(from !== to);
      const hours = night({ from, to, timeZone });
      const first = quietUntil(hours, now);
      if (first === null) return;
      expect(first).toBeGreaterThan(now);
      const second = quietUntil(hours, first);
      if (second !== null) expect(second - first).toBeLessThanOrEqual(3_600);
    }),
  );
});
