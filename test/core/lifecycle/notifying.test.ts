/** What people are notified of a finding, and when: what they do not know yet, and at most once a day. */
import type { FindingRecord } from '../../../core/lifecycle/finding-record.ts';
import { canReclaim, claimed, confirmed, freed, notifyingNow } from '../../../core/lifecycle/notifying.ts';
import type { Severity } from '../../../core/schemas/finding.ts';
import { secondsPerDay, secondsPerHour } from '../../../core/units.ts';
import { hourlyRules, Lifecycle, observed } from './lives.ts';

const hour = secondsPerHour;
const day = secondsPerDay;
/** 2026-11-20. */
const t0 = 1_795_132_800;

/** A life with looks at these hours, and a message wherever one may go out. */
function notified(observations: readonly (readonly [hours: number, level: Severity | null])[]): string[] {
  const lifecycle = new Lifecycle();
  for (const [hours, level] of observations) lifecycle.observeAndNotify(t0 + hours * hour, level);
  return lifecycle.said;
}
const gone = (...hours: number[]): [number, null][] => hours.map((one) => [one, null]);

describe('what changed is notified', () => {
  test.each<[string, [number, Severity | null][], string[]]>([
    [
      'once, however long it goes on',
      [
        [0, 'warning'],
        [1, 'warning'],
        [48, 'warning'],
      ],
      ['opened warning'],
    ],
    [
      'not below the least severity',
      [
        [0, 'info'],
        [48, 'info'],
      ],
      [],
    ],
    [
      'when it rises to it',
      [
        [0, 'info'],
        [1, 'warning'],
      ],
      ['opened warning'],
    ],
    [
      'worse',
      [
        [0, 'warning'],
        [48, 'critical'],
      ],
      ['opened warning', 'worse critical'],
    ],
    [
      'worse, also right after it was notified',
      [
        [0, 'warning'],
        [1, 'critical'],
      ],
      ['opened warning', 'worse critical'],
    ],
    [
      'better',
      [
        [0, 'critical'],
        [30, 'warning'],
        [31, 'warning'],
      ],
      ['opened critical', 'better warning'],
    ],
    [
      'better: below the least severity',
      [
        [0, 'critical'],
        [30, 'info'],
        [31, 'info'],
      ],
      ['opened critical', 'better -'],
    ],
    ['resolved', [[0, 'warning'], ...gone(30, 31)], ['opened warning', 'resolved -']],
    [
      'reopened',
      [[0, 'warning'], ...gone(30, 31), [60, 'warning']],
      ['opened warning', 'resolved -', 'reopened warning'],
    ],
    ['nothing of what came and went unheard', [[0, 'info'], ...gone(30, 31)], []],
  ])('%s', (_, observations, said) => {
    expect(notified(observations)).toEqual(said);
  });
});

describe('at most once a day', () => {
  test('what is gone within a day of the message waits until it has been gone for a day', () => {
    const lifecycle = new Lifecycle();
    lifecycle.observeAndNotify(t0, 'warning');
    for (const hours of [1, 2]) lifecycle.observeAndNotify(t0 + hours * hour, null);
    // resolved at 2 h
    expect(lifecycle.there.notifyFromEpochSeconds).toBe(t0 + 2 * hour + day);
    lifecycle.notify(t0 + 2 * hour + day - 1);
    expect(lifecycle.said).toEqual(['opened warning']);
    lifecycle.notify(t0 + 2 * hour + day);
    expect(lifecycle.said).toEqual(['opened warning', 'resolved -']);
  });

  test('so does what is gone within a day after it came back, whenever the last message was', () => {
    const lifecycle = new Lifecycle();
    lifecycle.observeAndNotify(t0, 'warning');
    // Gone counts after two observations over an hour: at 11 h; back at 20 h, gone again at 31 h.
    for (const hours of [10, 11, 20, 30, 31])
      lifecycle.observeAndNotify(t0 + hours * hour, hours === 20 ? 'warning' : null);
    expect(lifecycle.said).toEqual(['opened warning']);
    expect(lifecycle.there.notifyFromEpochSeconds).toBe(t0 + 31 * hour + day);
  });

  test('and where it is back before, people know of it: nothing is notified', () => {
    expect(
      notified([[0, 'critical'], ...gone(1, 2), [23, 'critical'], [24, 'critical'], [25, 'critical']]),
    ).toEqual(['opened critical']);
  });

  test('back within a day of the word that it is resolved waits for that day', () => {
    const lifecycle = new Lifecycle();
    lifecycle.observeAndNotify(t0, 'warning');
    for (const hours of [30, 31, 32])
      lifecycle.observeAndNotify(t0 + hours * hour, hours < 32 ? null : 'warning');
    expect(lifecycle.there.notifyFromEpochSeconds).toBe(t0 + 31 * hour + day);
    lifecycle.notify(t0 + 31 * hour + day);
    expect(lifecycle.said).toEqual(['opened warning', 'resolved -', 'reopened warning']);
  });

  test('but what is back more urgent than it ever was is notified at once', () => {
    expect(notified([[0, 'warning'], ...gone(30, 31), [32, 'critical']])).toEqual([
      'opened warning',
      'resolved -',
      'reopened critical',
    ]);
  });

  test('critical, warning, critical: the second time is no news within a day of the better one', () => {
    const lifecycle = new Lifecycle();
    lifecycle.observeAndNotify(t0, 'critical');
    for (const hours of [30, 31]) lifecycle.observeAndNotify(t0 + hours * hour, 'warning');
    lifecycle.observeAndNotify(t0 + 32 * hour, 'critical');
    expect(lifecycle.said).toEqual(['opened critical', 'better warning']);
    lifecycle.notify(t0 + 31 * hour + day);
    expect(lifecycle.said.at(-1)).toBe('worse critical');
  });

  test('what was notified two days ago is no measure of what is urgent: only what was known just before is', () => {
    const lifecycle = new Lifecycle();
    lifecycle.observeAndNotify(t0, 'critical');
    for (const hours of [30, 31]) lifecycle.observeAndNotify(t0 + hours * hour, null);
    lifecycle.observeAndNotify(t0 + 60 * hour, 'warning');
    lifecycle.observeAndNotify(t0 + 61 * hour, 'critical');
    expect(lifecycle.said).toEqual(['opened critical', 'resolved -', 'reopened warning', 'worse critical']);
  });
});

describe('muted', () => {
  test('nothing is notified until the end, then what differs from what people know', () => {
    const lifecycle = new Lifecycle();
    lifecycle.observeAndNotify(t0, 'warning');
    lifecycle.mute(t0 + hour, t0 + 7 * day);
    lifecycle.observeAndNotify(t0 + 2 * day, 'critical');
    expect(lifecycle.there.notifyFromEpochSeconds).toBe(t0 + 7 * day);
    lifecycle.notify(t0 + 7 * day - 1);
    expect(lifecycle.said).toEqual(['opened warning']);
    lifecycle.notify(t0 + 7 * day);
    expect(lifecycle.said).toEqual(['opened warning', 'worse critical']);
  });

  test('what came and went meanwhile is never notified', () => {
    const lifecycle = new Lifecycle();
    lifecycle.observeAndNotify(t0, 'warning');
    lifecycle.mute(t0, t0 + 7 * day);
    lifecycle.observeAndNotify(t0 + day, 'critical');
    for (const hours of [48, 49]) lifecycle.observeAndNotify(t0 + hours * hour, 'warning');
    expect(lifecycle.there.notifyFromEpochSeconds).toBeNull();
    lifecycle.notify(t0 + 8 * day);
    expect(lifecycle.said).toEqual(['opened warning']);
  });

  test('nor a benchmark, until somebody ends it', () => {
    const lifecycle = new Lifecycle();
    lifecycle.observeAndNotify(t0, 'warning');
    lifecycle.mute(t0, t0 + 7 * day);
    lifecycle.notify(t0 + day, t0 + hour);
    expect(lifecycle.said).toEqual(['opened warning']);
    lifecycle.mute(t0 + day, t0 + day);
    lifecycle.notify(t0 + day, t0 + hour);
    expect(lifecycle.said).toEqual(['opened warning', 'validated warning']);
  });
});

describe('acknowledged', () => {
  const acknowledgedCritical = () => {
    const lifecycle = new Lifecycle();
    lifecycle.observeAndNotify(t0, 'warning');
    lifecycle.observeAndNotify(t0 + 30 * hour, 'critical');
    lifecycle.acknowledge(t0 + 31 * hour);
    return lifecycle;
  };

  test('better is not notified, resolved is', () => {
    const lifecycle = acknowledgedCritical();
    for (const hours of [60, 61]) lifecycle.observeAndNotify(t0 + hours * hour, 'warning');
    expect(lifecycle.there.level).toBe('warning');
    expect(lifecycle.there.notifyFromEpochSeconds).toBeNull();
    for (const hours of [90, 91]) lifecycle.observeAndNotify(t0 + hours * hour, null);
    expect(lifecycle.said.slice(2)).toEqual(['resolved -']);
  });

  test('better is notified of what ended and came again since: a channel that was notified late would know no more of it', () => {
    const lifecycle = new Lifecycle();
    lifecycle.observeAndNotify(t0, 'critical');
    for (const hours of [1, 2]) lifecycle.observeAndNotify(t0 + hours * hour, null);
    lifecycle.observeAndNotify(t0 + 3 * hour, 'warning');
    lifecycle.acknowledge(t0 + 3 * hour);
    expect(lifecycle.said).toEqual(['opened critical']);
    lifecycle.observeAndNotify(t0 + 28 * hour, 'warning');
    lifecycle.observeAndNotify(t0 + 60 * hour, 'critical');
    expect(lifecycle.said).toEqual(['opened critical', 'better warning', 'worse critical']);
  });

  test('worse is notified', () => {
    const lifecycle = new Lifecycle();
    lifecycle.observeAndNotify(t0, 'warning');
    lifecycle.acknowledge(t0);
    lifecycle.observeAndNotify(t0 + hour, 'critical');
    expect(lifecycle.said).toEqual(['opened warning', 'worse critical']);
  });
});

describe('a benchmark', () => {
  test('is notified once, of what was notified before; made again it is notified again', () => {
    const lifecycle = new Lifecycle();
    lifecycle.observeAndNotify(t0, 'warning');
    for (const now of [2, 3, 4]) lifecycle.notify(t0 + now * day, t0 + day);
    lifecycle.notify(t0 + 6 * day, t0 + 5 * day);
    expect(lifecycle.said).toEqual(['opened warning', 'validated warning', 'validated warning']);
  });

  test('of before it was notified stood beside it; of what is resolved, or was never notified, it is no news', () => {
    const lifecycle = new Lifecycle();
    lifecycle.observeAndNotify(t0, 'warning');
    lifecycle.notify(t0 + day, t0 - hour);
    for (const hours of [30, 31]) lifecycle.observeAndNotify(t0 + hours * hour, null);
    lifecycle.notify(t0 + 9 * day, t0 + 8 * day);
    expect(lifecycle.said).toEqual(['opened warning', 'resolved -']);
    const info = new Lifecycle();
    info.observeAndNotify(t0, 'info');
    info.notify(t0 + day, t0 + hour);
    expect(info.said).toEqual([]);
  });
});

describe('a claim', () => {
  const by = { by: 'run-1', messageId: 'm', nowEpochSeconds: t0 };
  const inMessage = (): FindingRecord => {
    const lifecycle = new Lifecycle();
    lifecycle.see(observed(t0, 'warning'));
    const notifying = notifyingNow(lifecycle.there, t0, hourlyRules);
    if (notifying === null) throw new Error('there is something to tell');
    return claimed(lifecycle.there, notifying, by, hourlyRules);
  };

  test('is notified by nobody else, and may be taken over by who made it, or after 900 s by anybody', () => {
    const record = inMessage();
    expect(notifyingNow(record, t0 + day, hourlyRules)).toBeNull();
    expect(record.notifyFromEpochSeconds).toBe(t0 + 900);
    expect(canReclaim(record, { by: 'run-1', nowEpochSeconds: t0 })).toBe(true);
    expect(canReclaim(record, { by: 'run-2', nowEpochSeconds: t0 + 899 })).toBe(false);
    expect(canReclaim(record, { by: 'run-2', nowEpochSeconds: t0 + 900 })).toBe(true);
  });

  test('is confirmed by its own message alone', () => {
    const record = inMessage();
    expect(confirmed(record, { messageId: 'another', nowEpochSeconds: t0 }, hourlyRules)).toBe(record);
    const out = confirmed(record, { messageId: 'm', nowEpochSeconds: t0 + 5 }, hourlyRules);
    expect(out).toMatchObject({ claim: null, notified: { epochSeconds: t0 + 5, level: 'warning' } });
    expect(confirmed(out, { messageId: 'm', nowEpochSeconds: t0 + 6 }, hourlyRules)).toBe(out);
  });

  test('that is given up leaves what is to be notified now', () => {
    const record = freed(inMessage(), hourlyRules);
    expect(notifyingNow(record, t0, hourlyRules)).toMatchObject({ change: 'opened', level: 'warning' });
    expect(canReclaim(record, { by: 'run-1', nowEpochSeconds: t0 + day })).toBe(false);
  });
});

test('who configures a higher least severity is not told that what is below it is better', () => {
  const lifecycle = new Lifecycle({ ...hourlyRules, minSeverity: 'info' });
  lifecycle.observeAndNotify(t0, 'info');
  expect(lifecycle.said).toEqual(['opened info']);
  expect(notifyingNow(lifecycle.there, t0 + 9 * day, hourlyRules)).toBeNull();
});
