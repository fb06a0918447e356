/** The message of what changed: what it holds, and that SNS can carry it. */
import fc from 'fast-check';
import { notificationOf, runOfNotification, withinTopic } from '../../../core/lifecycle/notification.ts';
import { claimed } from '../../../core/lifecycle/notifying.ts';
import { run } from '../../../core/recommendations/recommendation.ts';
import type { Finding } from '../../../core/schemas/finding.ts';
import { notificationSchema } from '../../../core/schemas/notification.ts';
import { amazonQNotifications } from '../../../report/amazon-q/notification.ts';
import { notificationMail } from '../../../report/mail/mail.ts';
import { slackThreadMessages } from '../../../report/slack/finding-message.ts';
import { notificationMessage } from '../../../report/slack/notification-message.ts';
import { teamsCard } from '../../../report/teams/card.ts';
import { headline, runNote } from '../../../report/wording/message.ts';
import { billing, orders, resultOfAccounts } from '../../fixtures/accounts.ts';
import {
  aFinding,
  aNotification,
  aNotificationBetweenRuns,
  aRecommendation,
  aRecord,
  aResult,
  asNews,
  findingsOnVolumes,
  onVolume,
  someLinks,
  someRules,
} from '../../fixtures/findings.ts';
import { untrustedText } from '../../fixtures/untrusted-text.ts';

const location = 's3://bucket/runs/run-1/summary.json';
const snsBytes = 256 * 1_024;
const head = { id: 'message-1', nowEpochSeconds: 1_795_132_800, run: null, reportUrl: null };

/** Bytes of the message as it is published: the JSON inside of JSON, with the text of the mail beside it. */
const publishedBytes = (findings: readonly Finding[]): number => {
  const notification = withinTopic(aNotification(findings, 'opened', someLinks));
  const message = { default: JSON.stringify(notification), email: notificationMail(notification).text };
  return Buffer.byteLength(JSON.stringify(message), 'utf8');
};

test('tells the news with what they are on, and what the run was', () => {
  const evidence = { throttledMinutesPeak24h: 12, topQueueLength: 4 };
  const findings = findingsOnVolumes(2, { evidence });
  const run = runOfNotification(aResult(findings), location);
  const notification = notificationOf({ ...head, run }, asNews(findings.slice(0, 1), 'worse'));
  expect(notificationSchema.parse(notification)).toEqual(notification);
  expect(notification).toMatchObject({
    id: 'message-1',
    madeAt: '2026-11-20T00:00:00Z',
    run: { runId: 'run-1', volumes: 2, regions: 1, openFindings: 2, partial: false, location },
    ...{ reportUrl: null, notShown: 0 },
  });
  expect(notification.notified).toMatchObject([
    { id: 'finding-0', change: 'worse', volumeText: 'gp3 100 GiB' },
  ]);
  // What its lines are made from.
  expect(notification.notified[0]?.evidence).toEqual({ throttledMinutesPeak24h: 12 });
});

test('says in every channel that the budget bounds monitoring, as the run does', () => {
  const bounded = {
    ...{ code: 'monitoring-bounded' as const, volumes: 3_000, budgetUsd: 50 },
    ...{ quietEveryMinutes: 44, usualEveryMinutes: 15, enoughUsd: 137 },
  };
  const run = runOfNotification({ ...aResult([]), notices: [bounded] }, location);
  const notification = notificationOf({ ...head, run }, asNews(findingsOnVolumes(1)));
  expect(notificationSchema.parse(notification).run?.monitoringBounded).toEqual(bounded);
  const text =
    'The budget of 50 USD a month (budget.apiUsdPerMonth) bounds monitoring: quiet volumes are polled every 44 min, not every 15. About 137 USD would be enough at the price of us-east-1.';
  expect(runNote(notification)).toBe(text);
  expect(notificationMail(notification).text).toContain(text);
  expect(JSON.stringify(notificationMessage(notification))).toContain(text);
});

test.each([
  [6, true, true],
  [5, true, undefined], // as many as a message shows
  [6, false, undefined],
])('of %i findings, the first: %s, the message is a summary: %s', (count, isFirst, expected) => {
  const notification = notificationOf({ ...head, run: null, isFirst }, asNews(findingsOnVolumes(count)));
  expect(notification.isFirst).toBe(expected);
});

test('what is notified between two runs names none', () => {
  const notification = aNotificationBetweenRuns([aFinding()]);
  expect(notificationSchema.parse(notification)).toEqual(notification);
  expect(notification.run).toBeNull();
});

test('a run that could not read something is partial', () => {
  const result = aResult([aFinding()]);
  result.coverage.incomplete.push({ code: 'instances-not-read', reason: 'denied' });
  expect(runOfNotification(result, location).partial).toBe(true);
});

test('most urgent first, as they came where they are alike, and last what is over, however urgent it was', () => {
  const of = (id: string, severity: Finding['severity']) => aFinding({ id, severity });
  const news = [
    ...asNews([of('over', 'critical')], 'resolved'),
    ...asNews([of('a', 'warning'), of('b', 'critical'), of('c', 'warning')]),
  ];
  expect(notificationOf(head, news).notified.map(({ id }) => id)).toEqual(['b', 'a', 'c', 'over']);
});

test('tells how urgent it was claimed to be: less than that is the next message', () => {
  const change = { change: 'worse', level: 'critical', fromEpochSeconds: 0 } as const;
  const claim = { by: 'run-1', messageId: 'message-1', nowEpochSeconds: 0 };
  const [notified] = notificationOf(head, [claimed(aRecord(), change, claim, someRules)]).notified;
  expect(notified).toMatchObject({ change: 'worse', severity: 'critical' });
});

test('without links there are none, with them each finding that is there has its own and the run has one', () => {
  const findings = findingsOnVolumes(2);
  const plain = aNotification(findings);
  expect([plain.reportUrl, ...plain.notified.map(({ url }) => url)]).toEqual([null, null, null]);
  const linked = aNotification(findings, 'opened', someLinks);
  expect(notificationSchema.parse(linked)).toEqual(linked);
  expect([linked.reportUrl, ...linked.notified.map(({ url }) => url)]).toEqual(
    [null, 'finding-0', 'finding-1'].map(someLinks),
  );
  expect(aNotification(findings, 'resolved', someLinks).notified.map(({ url }) => url)).toEqual([null, null]);
});

test('5,000 findings: JSON and mail together are below 256 KiB, and told + not shown = 5,000', () => {
  const findings = findingsOnVolumes(5_000);
  const { notified, notShown } = withinTopic(aNotification(findings, 'opened', someLinks));
  expect(notified.length).toBeGreaterThan(80);
  expect(notified.length + notShown).toBe(5_000);
  // The most urgent are kept: findings come in that order.
  expect(notified.map(({ id }) => id)).toEqual(findings.slice(0, notified.length).map(({ id }) => id));
  expect(publishedBytes(findings)).toBeLessThan(snsBytes);
});

test('also where every name and step is made of what JSON must escape, and escape again', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.constant('"'.repeat(256)), fc.constant('\\'.repeat(256)), untrustedText),
      (text) => {
        const resource = onVolume('vol-1', { name: text, account: '111122223333' });
        const recommendations = [aRecommendation({ steps: [run(text)] })];
        const findings = findingsOnVolumes(1_000, { recommendations, resource });
        expect(publishedBytes(findings)).toBeLessThan(snsBytes);
      },
    ),
    { numRuns: 40 },
  );
});

describe('a run of several accounts', () => {
  const run = runOfNotification(resultOfAccounts(), location);
  const notification = notificationOf({ ...head, run }, asNews(resultOfAccounts().findings));

  test('says how many were asked for, and which were not read and why', () => {
    expect(notificationSchema.parse(notification)).toEqual(notification);
    expect(run).toMatchObject({
      ...{ partial: true, accounts: 3 },
      accountsNotRead: {
        count: 1,
        first: [{ account: '111122223333', name: 'orders', code: 'role-refused' }],
      },
    });
  });

  test('names ten of those that were not read', () => {
    const accountCoverage = Array.from({ length: 12 }, () => orders);
    const many = runOfNotification(resultOfAccounts({ accountCoverage }), location);
    expect([many.accountsNotRead?.count, many.accountsNotRead?.first.length]).toEqual([12, 10]);
  });

  test('says nothing where all were read, and nothing at all where one was asked for', () => {
    const all = runOfNotification(resultOfAccounts({ accountCoverage: [billing] }), location);
    expect([all.accounts, all.accountsNotRead]).toEqual([1, undefined]);
    const one = runOfNotification(aResult([aFinding()]), location);
    expect(one).not.toHaveProperty('accounts');
    expect(one).not.toHaveProperty('accountsNotRead');
  });

  test('every channel has the line, and whose each finding is', () => {
    const line = '1 of 3 accounts was not read: orders (111122223333), it refused the role.';
    const whose = 'us-east-1 billing (444455556666)';
    const texts = [
      runNote(notification),
      notificationMail(notification).text,
      JSON.stringify(notificationMessage(notification)),
      JSON.stringify(teamsCard(notification)),
      JSON.stringify(amazonQNotifications({ ...notification, isFirst: true })),
    ];
    for (const text of texts) expect(text).toContain(line);
    for (const text of texts.slice(1)) expect(text).toContain(whose);
  });

  test('a thread says below each finding that the run was partial, and of how many accounts', () => {
    const [message] = slackThreadMessages(notification, false);
    expect(JSON.stringify(message)).toContain('(partial: 1 of 3 accounts was not read)');
  });

  test('the first message counts accounts beside Regions', () => {
    expect(headline({ ...notification, isFirst: true })).toMatch(/ 3 volumes, 1 Region, 3 accounts\.$/);
  });
});
