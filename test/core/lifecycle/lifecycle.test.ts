/** What an observation makes of a finding: opened, worse, better, resolved, reopened; and what people decide about it. */
import { afterObservation } from '../../../core/lifecycle/lifecycle.ts';
import type { Severity } from '../../../core/schemas/finding.ts';
import { secondsPerDay, secondsPerHour } from '../../../core/units.ts';
import { aFinding, anObservation, asRemembered } from '../../fixtures/findings.ts';
import { findingId, hourlyRules, Lifecycle, observed } from './lives.ts';

const hour = secondsPerHour;
/** 2026-11-20. */
const t0 = 1_795_132_800;

/** A life with one look of the audit each hour. */
function afterHours(...levels: (Severity | null)[]): Lifecycle {
  const lifecycle = new Lifecycle();
  for (const [i, level] of levels.entries()) lifecycle.see(observed(t0 + i * hour, level));
  return lifecycle;
}
const eventsOf = ({ there }: Lifecycle): string[] => there.history.map(({ event }) => event);

describe('what counts', () => {
  test.each<[string, (Severity | null)[], Severity | null, string[]]>([
    ['seen once', ['warning'], 'warning', ['opened']],
    ['seen again', ['warning', 'warning'], 'warning', ['opened']],
    ['worse counts at once', ['warning', 'critical'], 'critical', ['opened', 'worse']],
    ['gone in one look is not gone', ['warning', null], 'warning', ['opened']],
    // 2 looks, from the first to the second 1 h
    ['gone in two observations is resolved', ['warning', null, null], null, ['opened', 'resolved']],
    [
      'seen twice, gone in two observations',
      ['warning', 'warning', null, null],
      null,
      ['opened', 'resolved'],
    ],
    [
      'gone, there, gone: neither was twice on end',
      ['warning', null, 'warning', null],
      'warning',
      ['opened'],
    ],
    [
      'back counts at once',
      ['warning', null, null, 'warning'],
      'warning',
      ['opened', 'resolved', 'reopened'],
    ],
    ['better after two observations', ['critical', 'info', 'info'], 'info', ['opened', 'better']],
    // of what was seen meanwhile the most urgent
    [
      'gone, then a warning: a warning is what is left',
      ['critical', null, 'warning'],
      'warning',
      ['opened', 'better'],
    ],
    [
      'better, then gone for two observations',
      ['critical', 'info', 'info', null, null],
      null,
      ['opened', 'better', 'resolved'],
    ],
  ])('%s', (_, levels, level, events) => {
    const lifecycle = afterHours(...levels);
    expect(lifecycle.there.level).toBe(level);
    expect(eventsOf(lifecycle)).toEqual(events);
  });

  test('two observations within less than the time are not enough: 2 looks, 3,599 s of 3,600', () => {
    const lifecycle = afterHours('warning');
    lifecycle.see(observed(t0 + hour, null));
    lifecycle.see(observed(t0 + 2 * hour - 1, null));
    expect(lifecycle.there.level).toBe('warning');
    lifecycle.see(observed(t0 + 2 * hour, null));
    expect(lifecycle.there).toMatchObject({ level: null, resolvedEpochSeconds: t0 + 2 * hour });
  });

  test('what was never there is not remembered, and not missed', () => {
    expect(afterObservation('finding-1', null, observed(t0, null), hourlyRules, t0)).toBeNull();
  });

  test('history says when, how urgent it became and who saw it; opened stands when it opened last', () => {
    const lifecycle = afterHours('warning', null, null, 'critical');
    expect(lifecycle.there.history.map(({ writtenEpochSeconds: _, ...entry }) => entry)).toEqual([
      { epochSeconds: t0, event: 'opened', level: 'warning', by: `audit at ${t0}` },
      { epochSeconds: t0 + 2 * hour, event: 'resolved', level: null, by: `audit at ${t0 + 2 * hour}` },
      { epochSeconds: t0 + 3 * hour, event: 'reopened', level: 'critical', by: `audit at ${t0 + 3 * hour}` },
    ]);
    expect(lifecycle.there).toMatchObject({ openedEpochSeconds: t0 + 3 * hour, resolvedEpochSeconds: null });
  });
});

describe('two sources', () => {
  test('the more urgent counts, until neither sees it', () => {
    const lifecycle = new Lifecycle();
    lifecycle.see(observed(t0, 'warning'));
    lifecycle.see(observed(t0 + 60, 'critical', 'monitoring'));
    expect(lifecycle.there.level).toBe('critical');
    // 3 looks over 900 s
    for (const i of [0, 1, 2]) lifecycle.see(observed(t0 + 120 + i * 450, null, 'monitoring'));
    expect(lifecycle.there.level).toBe('warning');
    for (const i of [1, 2]) lifecycle.see(observed(t0 + i * hour, null));
    expect(lifecycle.there.level).toBeNull();
  });

  test('a source that does not see what only the other saw says nothing', () => {
    const lifecycle = new Lifecycle();
    lifecycle.see(observed(t0, 'warning', 'monitoring'));
    for (const i of [1, 2, 3]) lifecycle.see(observed(t0 + i * hour, null));
    expect(lifecycle.there.level).toBe('warning');
    expect(lifecycle.there.sourceStates).not.toHaveProperty('audit');
  });

  test('what a source saw 24 h ago counts, a second later not, where the other has looked', () => {
    const lifecycle = new Lifecycle();
    lifecycle.see(observed(t0, 'critical', 'monitoring'));
    lifecycle.see(observed(t0, 'warning'));
    lifecycle.see(observed(t0 + secondsPerDay, 'warning'));
    expect(lifecycle.there.level).toBe('critical');
    lifecycle.see(observed(t0 + secondsPerDay + 1, 'warning'));
    expect(lifecycle.there.level).toBe('warning');
  });

  test('what counts no longer does not come back because its source looks, and it is gone', () => {
    const lifecycle = new Lifecycle();
    lifecycle.see(observed(t0, 'critical', 'monitoring'));
    lifecycle.see(observed(t0, 'warning'));
    lifecycle.see(observed(t0 + 2 * secondsPerDay, 'warning'));
    lifecycle.see(observed(t0 + 2 * secondsPerDay + 60, null, 'monitoring'));
    expect(lifecycle.there.level).toBe('warning');
    expect(eventsOf(lifecycle)).toEqual(['opened', 'better']);
  });

  test('a source alone is not stale for its own looks: who comes back after a week says what is there now', () => {
    const lifecycle = afterHours('critical');
    lifecycle.see(observed(t0 + 7 * secondsPerDay, 'warning'));
    expect(lifecycle.there.level).toBe('warning');
  });

  test('who knows no recommendation leaves what is known; who knows some brings it', () => {
    const lifecycle = afterHours('warning');
    lifecycle.see({
      ...observed(t0 + 60, 'critical', 'monitoring'),
      finding: { ...asRemembered(aFinding()), recommendations: [] },
    });
    expect(lifecycle.there.finding.recommendations).toEqual(aFinding().recommendations);
  });
});

describe('looks that come twice or late', () => {
  test('twice: the record is the very same', () => {
    const lifecycle = afterHours('warning', null);
    const before = lifecycle.record;
    lifecycle.see(observed(t0 + hour, null));
    expect(lifecycle.record).toBe(before);
  });

  test('late: an observation of before the last one changes nothing, whatever it saw', () => {
    const lifecycle = afterHours('warning', 'warning');
    const before = lifecycle.record;
    lifecycle.see(observed(t0 + 10, 'critical'));
    lifecycle.see(observed(t0 - hour, null));
    expect(lifecycle.record).toBe(before);
  });

  test('late for one source is not late for the other', () => {
    const lifecycle = afterHours('warning');
    lifecycle.see(observed(t0 - hour, 'critical', 'monitoring'));
    expect(lifecycle.there.level).toBe('critical');
    // It moves the time of being forgotten to nothing earlier.
    expect(lifecycle.there.expiresEpochSeconds).toBe(t0 + 90 * secondsPerDay);
  });
});

test('what is seen is remembered for 90 days from each observation on that sees it, and from none that does not', () => {
  const lifecycle = afterHours('warning', 'warning', null, null);
  expect(lifecycle.there.expiresEpochSeconds).toBe(t0 + hour + 90 * secondsPerDay);
});

test('history holds the last 40 events, however often it comes and goes', () => {
  // 4 looks a round: there, gone, gone, and there again: resolved and reopened in each
  const levels = Array.from({ length: 100 }, () => ['warning', null, null] as const).flat();
  const { history } = afterHours(...levels).there;
  expect(history).toHaveLength(40);
  expect(history.at(-1)?.event).toBe('resolved');
});

describe('people', () => {
  test('what is muted is remembered until it is not, at least', () => {
    const lifecycle = new Lifecycle({ ...hourlyRules, retentionDays: 2 });
    lifecycle.see(observed(t0, 'warning'));
    lifecycle.mute(t0 + 5, t0 + 7 * secondsPerDay);
    expect(lifecycle.there.expiresEpochSeconds).toBe(t0 + 7 * secondsPerDay);
  });

  test('who mutes and who acknowledges stands in the history', () => {
    const lifecycle = afterHours('warning');
    lifecycle.mute(t0 + 5, t0 + hour);
    lifecycle.acknowledge(t0 + 6);
    lifecycle.mute(t0 + 7, t0 + 7);
    expect(lifecycle.there.history.slice(1).map(({ writtenEpochSeconds: _, ...entry }) => entry)).toEqual([
      { epochSeconds: t0 + 5, event: 'muted', level: 'warning', by: 'Ann' },
      { epochSeconds: t0 + 6, event: 'acknowledged', level: 'warning', by: 'Ann' },
      { epochSeconds: t0 + 7, event: 'unmuted', level: 'warning', by: 'Ann' },
    ]);
    expect(lifecycle.there).toMatchObject({ muted: null, acknowledged: { epochSeconds: t0 + 6, by: 'Ann' } });
  });

  test('being at it ends when it is resolved: what is reopened nobody is at', () => {
    const lifecycle = afterHours('warning');
    lifecycle.acknowledge(t0);
    for (const i of [1, 2]) lifecycle.see(observed(t0 + i * hour, null));
    expect(lifecycle.there.acknowledged).toBeNull();
    const resolved = lifecycle.record;
    lifecycle.acknowledge(t0 + 3 * hour);
    expect(lifecycle.record).toBe(resolved);
    lifecycle.see(observed(t0 + 4 * hour, 'warning'));
    expect(lifecycle.there.acknowledged).toBeNull();
  });
});

test('each change counts as one more write of the record', () => {
  const first = afterObservation(findingId, null, anObservation(aFinding()), hourlyRules, t0);
  expect(first?.revision).toBe(1);
  const lifecycle = afterHours('warning', 'warning');
  lifecycle.mute(t0, t0 + 1);
  lifecycle.acknowledge(t0);
  expect(lifecycle.there.revision).toBe(4);
});
