/** What ends by itself where nothing can be known, and what keeps a change from beginning. */
import { asProposed } from '../../../core/changes/decisions.ts';
import { nextAction, type Seen } from '../../../core/changes/next-action.ts';
import { type ChangeRules, neverBegins } from '../../../core/changes/rules.ts';
import type { VolumeChange } from '../../../core/schemas/volume-change.ts';
import { aChange, aPlan, noon } from '../../fixtures/volume-change.ts';

const day = 86_400;
const seen: Seen = {
  ...{ volume: aPlan.from, latest: null, ownStartsSeconds: [], isOurs: true, killSwitch: 'off' },
  ...{ waitSeconds: null, outcome: null, comparison: null, hurts: false, isHolder: true, hasHistory: true },
};
const approved = aChange({ approvals: [{ by: 'slack:U1', session: null, atSeconds: noon }] });
const asked = {
  ...{ askedSeconds: noon, lastStartSeconds: null, startSeconds: noon + 5, completedSeconds: null },
  refusal: null,
};
const completed = { ...asked, completedSeconds: noon + 600 };
const next = (change: VolumeChange, more: Partial<Seen>, afterSeconds = 60) =>
  nextAction(change, { ...seen, ...more }, { nowSeconds: noon + afterSeconds, approvalsNeeded: 1 });
const endOf = (action: ReturnType<typeof next>) => (action?.do === 'write' ? action.change.end : action?.do);

describe('what cannot be known for long ends, and people hear of it', () => {
  const unread = { volume: 'unknown', latest: 'unknown', killSwitch: 'unknown' } as const;
  const made = { ...approved, made: asked };
  const undoing = {
    ...approved,
    ...{ made: completed, undoAskedBy: 'monitoring', undoAskedSeconds: noon + 700 },
  };
  const verifying = { ...approved, made: completed };

  test.each([
    ['a modification', made, { code: 'not-made', reason: 'outcome-unknown' }, 7],
    ['an undo', undoing, { code: 'undo-not-made', reason: 'too-late' }, 7],
    ['a comparison, of a reduction', verifying, { code: 'kept', outcome: 'not-comparable' }, 9],
  ] as const)('%s', (_, change, end, days) => {
    expect(endOf(next(change, unread, (days - 1) * day))).toBe('wait');
    expect(endOf(next(change, unread, days * day + 3_600))).toEqual(end);
  });

  test('a volume that is deleted while it is compared', () => {
    expect(endOf(next(verifying, { volume: 'gone' }))).toEqual({ code: 'volume-gone' });
  });
});

test('what hurts while EC2 still optimizes is undone as soon as it has completed', () => {
  const latest = { startSeconds: noon + 5, state: 'optimizing', target: aPlan.to, endSeconds: null } as const;
  const action = next({ ...approved, made: asked }, { latest, hurts: true });
  if (action?.do !== 'write') throw new Error('nothing was written');
  expect(action.change).toMatchObject({ undoAskedBy: 'monitoring', undoAskedSeconds: noon + 60 });
  expect(next(action.change, { latest, hurts: true })?.do).toBe('wait');
  const over = { ...latest, state: 'completed', endSeconds: noon + 600 } as const;
  const done = next(action.change, { latest: over });
  if (done?.do !== 'write') throw new Error('nothing was written');
  expect(
    next(done.change, { latest: over, volume: aPlan.to, ownStartsSeconds: [noon + 5] }, 700),
  ).toMatchObject({
    ...{ do: 'modify', settings: aPlan.from },
  });
});

test.each([
  ['another change has the volume', { isHolder: false }, 'another-change'],
  ['nothing tells whether it hurts', { hasHistory: false }, 'too-little-history'],
])('it does not begin where %s', (_, more, reason) => {
  expect(endOf(next(approved, more))).toEqual({ code: 'not-made', reason });
  expect(next(approved, {})?.do).toBe('modify');
});

test('an execution says nothing of approvals but those of rules that are about such a change', () => {
  const rule = { direction: 'reduction', maxUsdPerMonth: 20, tags: {} } as const;
  const by = (who: string) => ({ by: who, session: null, atSeconds: noon });
  const forged = aChange({ approvals: [by('slack:U1'), by('rule 1'), by('rule 2')], fingerprint: 'made up' });
  const proposed = asProposed(forged, [rule]);
  expect(proposed.approvals).toEqual([by('rule 1')]);
  expect(proposed.fingerprint).toBe(aChange().fingerprint);
  expect(asProposed(forged, [{ ...rule, maxUsdPerMonth: 14 }]).approvals).toEqual([]);
});

describe('what would never begin is refused at once', () => {
  const rules: ChangeRules = { windows: [], mostAtOnce: 2, mostADay: 10, mostUsdPerMonth: 100 };
  const raised = { ...aPlan, from: aPlan.to, to: aPlan.from };

  test.each([
    ['an increase of 101 USD a month under a bound of 100', { ...raised, monthlyUsdDelta: 101 }, true],
    ['one of 100', { ...raised, monthlyUsdDelta: 100 }, false],
    ['an increase whose price is not known', { ...raised, monthlyUsdDelta: null }, true],
    ['a reduction whose price is not known', { ...aPlan, monthlyUsdDelta: null }, false],
  ])('%s', (_, plan, never) => {
    expect(neverBegins(plan, {}, rules)).toBe(never);
    expect(neverBegins(plan, {}, { ...rules, mostUsdPerMonth: null })).toBe(false);
  });

  test('a volume that no window is for', () => {
    const window = { days: [1], from: '22:00', to: '23:00', timeZone: 'UTC', tags: { env: 'prod' } };
    const windows = { ...rules, windows: [window] };
    expect([neverBegins(aPlan, { env: 'prod' }, windows), neverBegins(aPlan, {}, windows)]).toEqual([
      false,
      true,
    ]);
  });
});
