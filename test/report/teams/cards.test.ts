/** Cards for Teams: what they say, that Teams takes them, and that nothing of an account acts in them. */
import fc from 'fast-check';
import { teamsCards } from '../../../report/teams/advisory-card.ts';
import { teamsAlarm } from '../../../report/teams/alarm-card.ts';
import type { TeamsMessage } from '../../../report/teams/card.ts';
import { teamsDigest } from '../../../report/teams/digest-card.ts';
import { aDigest } from '../../fixtures/digests.ts';
import { aFinding, anAdvisory, someLinks } from '../../fixtures/findings.ts';
import { hostileAdvisory, hostileDigest, toldTimes } from '../../fixtures/hostile-advisory.ts';
import { hostileText, hostileTextOf } from '../../fixtures/hostile-text.ts';
import { cardComplaints, contentOf, parserComplaints } from './card-complaints.ts';

/** Without the figures of a run. */
const bodyOf = (message: TeamsMessage | undefined): unknown[] =>
  message === undefined ? [] : contentOf(message).body;

describe('an advisory', () => {
  test('is a card with what is held back, why, and what to do', () => {
    const [card, ...more] = teamsCards(anAdvisory([aFinding({ id: 'f1' })], 'worse', someLinks));
    expect(more).toEqual([]);
    expect(bodyOf(card).slice(0, 2)).toMatchObject([
      { type: 'TextBlock', text: 'stripewise: throttled-volume-iops on vol-1 (worse)', wrap: true },
      {
        type: 'Container',
        items: [
          { text: 'Worse: throttled-volume-iops on vol-1', color: 'warning', wrap: true },
          {
            type: 'FactSet',
            facts: [
              { title: 'Resource', value: 'vol-1 · "db" · gp3 100 GiB · us-east-1 · 111122223333' },
              { title: 'Severity', value: 'warning' },
              { title: 'Why', value: expect.stringContaining('held back for 12 minutes by its 3,000 IOPS') },
            ],
          },
          { text: '→ provision 4,000 IOPS (+5.00 USD a month)', wrap: true },
          {
            type: 'ActionSet',
            actions: [{ type: 'Action.OpenUrl', title: 'Open report', url: someLinks('f1') }],
          },
        ],
      },
    ]);
    expect(card === undefined ? null : contentOf(card).actions).toEqual([
      { type: 'Action.OpenUrl', title: 'Open report', url: someLinks(null) },
    ]);
    expect(JSON.stringify(card)).toContain('s3://bucket/runs/run-1/summary.json');
  });

  test('without links has none', () => {
    expect(JSON.stringify(teamsCards(anAdvisory([aFinding()])))).not.toContain('Action.OpenUrl');
  });

  test('what is resolved is good news, with nothing to do', () => {
    const text = JSON.stringify(teamsCards(anAdvisory([aFinding()], 'resolved')));
    expect(text).toContain('"color":"good"');
    expect(text).not.toContain('→');
  });

  test('of many findings: three cards of ten at most, the others are counted on the last', () => {
    const cards = teamsCards({ ...toldTimes(anAdvisory([aFinding()]), 500), notShown: 3 });
    expect(cards.flatMap(cardComplaints)).toEqual([]);
    const shown = JSON.stringify(cards).match(/"Container"/g)?.length ?? 0;
    expect(cards).toHaveLength(3);
    expect(shown).toBe(30);
    // 500 - 30 + 3
    expect(JSON.stringify(cards.at(-1))).toContain('… and 473 more, less urgent: see the run.');
  });

  test('whatever stands in the account: Teams takes it, nothing of it acts, every finding is shown or counted', () => {
    fc.assert(
      fc.property(hostileAdvisory(), (advisory) => {
        const cards = teamsCards(advisory);
        expect(cards.flatMap(cardComplaints)).toEqual([]);
        const all = JSON.stringify(cards);
        const shown = all.match(/"type":"Container"/g)?.length ?? 0;
        const left = Number(/… and (\d+) more, less urgent: see the run/.exec(all)?.[1] ?? 0);
        expect(shown + left).toBe(advisory.told.length + advisory.notShown);
        expect(shown).toBeGreaterThanOrEqual(Math.min(2, advisory.told.length));
      }),
      { numRuns: 100 },
    );
  });
});

describe('a digest', () => {
  test('is a card with the figures of the span and the first findings', () => {
    const card = teamsDigest(aDigest({ reportUrl: someLinks(null) }));
    expect(bodyOf(card)).toMatchObject([
      { text: 'stripewise: 3 findings open (1 critical, 2 warning)' },
      { text: '2026-11-13 08:00 to 2026-11-20 08:00 UTC: 2 opened, 1 resolved.' },
      { text: 'Of those open 1 are muted and 1 acknowledged.' },
      { text: 'The advice could save 120.00 USD a month.' },
      { type: 'Container', items: [{ text: 'throttled-volume-iops' }, {}, {}] },
      { text: '… and 2 more open.' },
    ]);
  });

  test('whatever it holds: Teams takes it, nothing of it acts, every finding is shown or counted', () => {
    fc.assert(
      fc.property(hostileDigest(), (digest) => {
        const card = teamsDigest(digest);
        expect(cardComplaints(card)).toEqual([]);
        const all = JSON.stringify(card);
        const shown = all.match(/"type":"Container"/g)?.length ?? 0;
        const left = Number(/… and (\d+) more open/.exec(all)?.[1] ?? 0);
        expect(shown + left).toBe(digest.first.length + digest.notShown);
      }),
      { numRuns: 80 },
    );
  });
});

describe('an alarm', () => {
  const alarm = {
    AlarmName: 'Stripewise-AuditMissing',
    AlarmDescription: 'No audit ended for two days.',
    NewStateValue: 'ALARM',
    NewStateReason: 'Threshold Crossed',
    Region: 'US East (N. Virginia)',
  };

  test('says which, in which state, why and what that means', () => {
    expect(bodyOf(teamsAlarm(alarm))).toMatchObject([
      { text: 'stripewise itself: Stripewise-AuditMissing is ALARM', color: 'attention' },
      {
        facts: [
          { title: 'Why', value: 'Threshold Crossed' },
          { title: 'What it means', value: 'No audit ended for two days.' },
          { title: 'Region', value: 'US East (N. Virginia)' },
        ],
      },
    ]);
    expect(bodyOf(teamsAlarm({ ...alarm, NewStateValue: 'OK' }))[0]).toMatchObject({ color: 'good' });
  });

  test('whatever it holds, Teams takes it and nothing of it acts', () => {
    fc.assert(
      fc.property(
        hostileText,
        fc.option(hostileText),
        hostileTextOf('markup'),
        (AlarmName, AlarmDescription, NewStateReason) => {
          const card = teamsAlarm({ ...alarm, AlarmName, AlarmDescription, NewStateReason });
          expect(cardComplaints(card)).toEqual([]);
        },
      ),
    );
  });
});

test('what is no card is seen by the reader', () => {
  const card = { type: 'AdaptiveCard', version: '1.4', body: [{ type: 'Paragraph', text: 'x' }] };
  expect(parserComplaints(card)).toEqual([expect.stringContaining('Paragraph')]);
});
