/** What a configuration means: who is told what, when it is quiet, what a month costs. */
import { checked } from '../../../core/config/check.ts';
import { explained } from '../../../core/config/explain.ts';
import type { PulseAsked } from '../../../core/config/month-cost.ts';
import { type ConfigAnswer, configAnswerSchema } from '../../../core/schemas/config-answer.ts';

const now = new Date('2026-11-20T12:34:56Z');

function answer(said: object, others: Partial<Parameters<typeof explained>[0]> = {}): ConfigAnswer {
  const { config, problems } = checked(said);
  if (config === null) throw new Error(problems.map(({ text }) => text).join());
  return explained({ config, file: 'a.yaml', volumes: 1_000, pulseCost: null, now, ...others });
}

test('the answer is what its schema says', () => {
  const said = answer({ channels: { a: { kind: 'teams', quietHours: { from: '22:00', to: '07:00' } } } });
  expect(configAnswerSchema.parse(JSON.parse(JSON.stringify(said)))).toEqual(said);
});

test('what runs when', () => {
  expect(answer({}).runs).toEqual([
    'an audit every 24 hours: the Region that the stack is in, over 14 days, in two passes',
    'the pulse every minute: it looks at the volumes whose time has come',
    'a digest each Monday at 07:00 UTC',
  ]);
  const other = answer({
    regions: ['us-east-1', 'eu-central-1'],
    audit: { everyHours: 1, lookbackDays: 1, periodSeconds: 60 },
    pulse: { enabled: false },
    advisory: { digest: 'daily', digestAt: '06:30' },
  });
  expect(other.runs).toEqual([
    'an audit every hour: us-east-1 and eu-central-1, over 1 day, in one pass, in points of 60 s',
    'no pulse (pulse.enabled: false)',
    'a digest each day at 06:30 UTC',
  ]);
  expect(answer({ advisory: { digest: 'none' } }).runs[2]).toBe('no digest (advisory.digest: none)');
});

test('what is looked at, and which tags are kept for it', () => {
  expect(answer({}).looksAt).toEqual(['no volume is excluded (exclude.tags)', 'no tags are kept']);
  const { looksAt } = answer({
    exclude: { tags: { environment: ['test', 'sandbox'], ignore: '*', scratch: '' } },
    routes: [{ to: ['slack'], tags: { team: 'a' } }],
  });
  expect(looksAt).toEqual([
    'volumes tagged environment = test or sandbox, ignore with any value or scratch = (empty) are left alone',
    'of tags only environment, ignore, scratch and team are kept, for exclusions and routes',
  ]);
});

test('each route in a sentence, by what is told at all', () => {
  const { routes } = answer({
    advisory: { emails: ['a@example.com'] },
    channels: { a: { kind: 'teams' }, b: { kind: 'eventbridge' } },
    routes: [
      { to: ['a', 'b'] },
      {
        to: ['b'],
        leastSeverity: 'critical',
        kinds: ['idle', 'unattached'],
        accounts: ['111122223333'],
        regions: ['us-east-1', 'eu-central-1'],
        tags: { team: ['x', 'y'], tier: '1' },
        digests: false,
        alarms: false,
      },
    ],
  });
  expect(routes.map(({ text }) => text)).toEqual([
    // The route asks for everything; advisory.leastSeverity is warning.
    'what is a warning or critical goes to a and b; digests and alarms of the service too',
    'what is critical of idle or unattached in account 111122223333 in us-east-1 or eu-central-1 on what is tagged team = x or y and tier = 1 goes to b; no digests, no alarms',
    'all that is told goes to a@example.com by e-mail',
  ]);
});

test('quiet hours are told in UTC too: Berlin is an hour ahead on that day', () => {
  const { channels } = answer({
    channels: {
      a: { kind: 'teams', quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' } },
      b: {
        kind: 'slack-bot',
        channel: 'C0123456789',
        mostPerHour: 5,
        quietHours: { from: '08:00', to: '09:00', exceptCritical: false },
      },
      c: { kind: 'sns', emails: ['a@example.com', 'b@example.com'] },
    },
  });
  expect(channels.map(({ quietHours }) => quietHours?.text)).toEqual([
    'quiet from 22:00 to 07:00 Europe/Berlin, today 21:00 to 06:00 UTC; what is critical is told all the same',
    'quiet from 08:00 to 09:00 UTC, today 08:00 to 09:00 UTC; what is critical waits too',
    undefined,
  ]);
  expect(channels.map(({ text }) => text)).toEqual([
    'Teams, by the webhook of a workflow; at most 60 messages an hour',
    'Slack, by a bot with threads and buttons, in C0123456789 with charts; at most 5 messages an hour',
    'an SNS topic: e-mail and JSON, to a@example.com and b@example.com; at most 60 messages an hour',
  ]);
});

test('thresholds that differ, and none that only repeat what is documented', () => {
  const { thresholds } = answer({ thresholds: { throttledWarningMinutes: 10, microBurstMinutes: 3 } });
  expect(thresholds).toEqual([{ name: 'throttledWarningMinutes', figure: 10, documented: 5 }]);
});

describe('a month of CloudWatch', () => {
  test('two passes: 1,000 volumes x 4.7 metrics x 730 / 24 audits x 0.01 / 1,000 = 1.43 USD', () => {
    const { cost } = answer({});
    expect(cost.audits.metrics).toBe(Math.round(1_000 * 4.7 * (730 / 24)));
    expect(cost.audits.usd).toBeCloseTo(1.4296, 3);
    expect(cost).toMatchObject({ volumes: 1_000, pulse: null, usd: null, budgetUsd: null });
    expect(cost.pulseUnknownBecause).toMatch(/^what the pulse takes depends/);
  });

  test('one pass each hour: 1,000 x 15.2 x 730 x 0.01 / 1,000 = 110.96 USD', () => {
    const { cost } = answer({ audit: { passes: 'one', everyHours: 1 }, pulse: { enabled: false } });
    expect(cost.audits.usd).toBeCloseTo(110.96, 2);
    expect(cost).toMatchObject({ usd: cost.audits.usd, pulse: null, pulseUnknownBecause: null });
  });

  test('what the pulse takes comes on top, of what audits leave of the budget: 5 - 1.43 USD', () => {
    const asked: PulseAsked[] = [];
    const { cost } = answer(
      { budget: { apiUsdPerMonth: 5 }, pulse: { everyMinutes: 2 } },
      {
        pulseCost: (one) => {
          asked.push(one);
          return { usd: 2, text: 'the pulse takes 2 USD' };
        },
      },
    );
    expect(asked).toEqual([{ volumes: 1_000, everyMinutes: 2, leftUsd: 5 - cost.audits.usd }]);
    expect(cost.usd).toBeCloseTo(3.43, 2);
    expect(cost.pulse).toEqual({ usd: 2, text: 'the pulse takes 2 USD' });
  });

  test.each([
    [null, /^no budget .* nothing bounds what is asked/],
    // 1.43 USD a month are 0.047 USD an audit.
    [
      0.04,
      /^the budget of 0\.04 USD a month is less than one audit \(0\.05 USD\): audits are made all the same/,
    ],
    [1, /^audits alone take 1\.43 USD of the budget of 1\.00 USD a month: .* nothing is left for the pulse$/],
    [5, /^of the budget of 5\.00 USD a month audits take 1\.43 USD; the pulse keeps to the other 3\.57 USD/],
  ])('a budget of %s USD', (apiUsdPerMonth, text) => {
    expect(answer({ budget: { apiUsdPerMonth } }).cost.budget).toEqual([expect.stringMatching(text)]);
  });
});

describe('what may not be meant so', () => {
  test('the defaults are', () => {
    expect(answer({}).notes).toEqual([]);
  });

  test.each([
    [{ channels: {} }, /nobody is told of findings/],
    [
      { channels: { a: { kind: 'teams' }, b: { kind: 'teams' } }, routes: [{ to: ['a'] }] },
      /no route leads to the channel b/,
    ],
    [
      { advisory: { leastSeverity: 'critical' }, routes: [{ to: ['slack'], leastSeverity: 'warning' }] },
      /^route 1 asks for warning, but advisory\.leastSeverity tells nothing below critical$/,
    ],
    [{ routes: [{ to: ['slack'], digests: false }] }, /^no route takes digests/],
    [{ routes: [{ to: ['slack'], alarms: false }] }, /nobody hears where the service itself fails/],
    [
      {
        advisory: { emails: ['A@example.com'] },
        channels: { m: { kind: 'sns', emails: ['a@example.com'] } },
      },
      /in the channel m: it is told twice/,
    ],
    [{ audit: { lookbackDays: 0.5 } }, /too short to call a volume idle/],
    [{ pulse: { enabled: false } }, /nobody looks between two audits/],
  ])('%j', (said, note) => {
    expect(answer(said).notes).toContainEqual(expect.stringMatching(note));
  });
});
