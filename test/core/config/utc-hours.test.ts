/** Quiet hours in UTC, as clocks stand on a day. */
import { utcHours } from '../../../core/config/utc-hours.ts';

const quiet = (from: string, to: string, timeZone: string) => ({ from, to, timeZone, allowCritical: true });

test.each([
  ['22:00', '07:00', 'UTC', '2026-11-20T12:00Z', '22:00', '07:00'],
  // Berlin is an hour ahead in winter, two in summer.
  ['22:00', '07:00', 'Europe/Berlin', '2026-11-20T12:00Z', '21:00', '06:00'],
  ['22:00', '07:00', 'Europe/Berlin', '2026-07-20T12:00Z', '20:00', '05:00'],
  // Clocks go back in the night of this day: they end an hour later in UTC than they would have.
  ['22:00', '07:00', 'Europe/Berlin', '2026-10-24T12:00Z', '20:00', '06:00'],
  // And on: 02:30 is not there on March 29, so it is 03:30 in summer time.
  ['02:30', '08:00', 'Europe/Berlin', '2026-03-29T12:00Z', '01:30', '06:00'],
  ['20:00', '08:00', 'America/New_York', '2026-11-20T12:00Z', '01:00', '13:00'],
  ['09:00', '17:00', 'Asia/Kolkata', '2026-11-20T12:00Z', '03:30', '11:30'],
  // In Kiritimati it is tomorrow already: 14 hours ahead.
  ['00:00', '06:00', 'Pacific/Kiritimati', '2026-11-20T23:00Z', '10:00', '16:00'],
])('%s to %s in %s on %s is %s to %s UTC', (from, to, timeZone, now, utcFrom, utcTo) => {
  expect(utcHours(quiet(from, to, timeZone), new Date(now))).toEqual({ from: utcFrom, to: utcTo });
});
