/** Cards for Teams: what they say, that Teams takes them, and that nothing of an account acts in them. */
import fc from 'fast-check';
import { type TeamsMessage, teamsAlarm, teamsCard, teamsDigest } from '../../../report/teams/card.ts';
import { aDigest } from '../../fixtures/digests.ts';
import { aFinding, aNotification, someLinks } from '../../fixtures/findings.ts';
import {
  notifiedTimes,
  untrustedDigest,
  untrustedNotification,
} from '../../fixtures/untrusted-notification.ts';
import { untrustedText, untrustedTextOf } from '../../fixtures/untrusted-text.ts';
import { cardComplaints, contentOf, parserComplaints } from './card-complaints.ts';

/** Without the figures of a run. */
const bodyOf = (message: TeamsMessage | undefined): unknown[] =>
  message === undefined ? [] : contentOf(message).body;

describe('a notification', () => {
  test('is a card with the headline, what is wrong, what to do, and the way to the report', () => {
    const card = teamsCard(aNotification([aFinding({ id: 'f1' })], 'worse', someLinks));
    expect(bodyOf(card)).toEqual([
      {
        ...{ type: 'TextBlock', text: 'stripewise: 1 finding worse (1 warning) on vol-1.', wrap: true },
        ...{ size: 'large', weight: 'bolder' },
      },
      {
        ...{ type: 'Container', separator: true },
        items: [
          {
            ...{ type: 'TextBlock', wrap: true, weight: 'bolder', color: 'warning' },
            text: 'vol-1 "db" gp3 100 GiB us-east-1: worse: throttled at its maximum of 3,000 IOPS, ended.',
          },
          {
            ...{ type: 'TextBlock', wrap: true },
            text: 'Fix: gp3, 4,000 IOPS, 125 MiB/s online, +5.00 USD a month.',
          },
        ],
      },
    ]);
    expect(contentOf(card).actions).toEqual([
      { type: 'Action.OpenUrl', title: 'Open report', url: someLinks(null) },
    ]);
  });

  test('without links has none, and says how to open the report', () => {
    const text = JSON.stringify(teamsCard(aNotification([aFinding()])));
    expect(text).not.toContain('Action.OpenUrl');
    expect(text).toContain('stripewise report open --run run-1');
  });

  test('what is resolved is good news, with nothing to do', () => {
    const text = JSON.stringify(teamsCard(aNotification([aFinding()], 'resolved')));
    expect(text).toContain('"color":"good"');
    expect(text).not.toContain('Fix:');
  });

  test('of many findings five are shown, the others are counted', () => {
    const card = teamsCard({ ...notifiedTimes(aNotification([aFinding()]), 500), notShown: 3 });
    expect(cardComplaints(card)).toEqual([]);
    expect(JSON.stringify(card).match(/"Container"/g)).toHaveLength(5);
    expect(JSON.stringify(card)).toContain('and 498 more'); // 500 - 5 + 3
  });

  test('whatever stands in the account: Teams takes it, nothing of it acts, every finding is shown or counted', () => {
    fc.assert(
      fc.property(untrustedNotification(), (notification) => {
        const card = teamsCard(notification);
        expect(cardComplaints(card)).toEqual([]);
        const all = JSON.stringify(card);
        const shown = all.match(/"type":"Container"/g)?.length ?? 0;
        const left = Number(/"and ([\d,]+) more/.exec(all)?.[1]?.replaceAll(',', '') ?? 0);
        expect(shown + left).toBe(notification.notified.length + notification.notShown);
        expect(shown).toBeGreaterThanOrEqual(Math.min(1, notification.notified.length));
      }),
      { numRuns: 100 },
    );
  });
});

describe('a digest', () => {
  test('is a card with the figures of the span and the first findings', () => {
    const card = teamsDigest(aDigest({ reportUrl: someLinks(null) }));
    expect(bodyOf(card)).toMatchObject([
      { text: 'stripewise: 1 critical, 2 warnings open. Up to 120 USD a month to save.' },
      {
        text: '13 Nov 08:00 UTC to 20 Nov 08:00 UTC: 2 new, 1 resolved. Of those open 1 muted, 1 acknowledged.',
      },
      { type: 'Container', items: [{ text: expect.stringMatching(/^vol-1 "db"/) }, {}] },
      { text: 'and 2 more open' },
    ]);
  });

  test('whatever it holds: Teams takes it, nothing of it acts, every finding is shown or counted', () => {
    fc.assert(
      fc.property(untrustedDigest(), (digest) => {
        const card = teamsDigest(digest);
        expect(cardComplaints(card)).toEqual([]);
        const all = JSON.stringify(card);
        const shown = all.match(/"type":"Container"/g)?.length ?? 0;
        const left = Number(/and ([\d,]+) more open/.exec(all)?.[1]?.replaceAll(',', '') ?? 0);
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
        untrustedText,
        fc.option(untrustedText),
        untrustedTextOf('markup'),
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
