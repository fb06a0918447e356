/** A notification in Slack: accepted whatever the account holds, sanitized, and honest about what is left out. */
import fc from 'fast-check';
import { parseMessage } from '../../../local/slack/message.ts';
import { cut } from '../../../report/marks.ts';
import { headerBlock, type SlackMessage } from '../../../report/slack/message.ts';
import { notificationMessage } from '../../../report/slack/notification-message.ts';
import {
  aFinding,
  aNotification,
  aNotificationBetweenRuns,
  aRecommendation,
  findingsOnVolumes,
  onVolume,
  someLinks,
} from '../../fixtures/findings.ts';
import { untrustedText } from '../../fixtures/untrusted-text.ts';

/** Every text of a message, as sections, header and footer show it. */
const textsOf = ({ text, blocks }: SlackMessage): string[] => [
  text,
  ...blocks.flatMap((block) => {
    if (block.type === 'header') return [block.text.text];
    if (block.type === 'section') return [block.text?.text ?? ''];
    return block.type === 'context'
      ? block.elements.map((element) =>
          'text' in element && typeof element.text === 'string' ? element.text : '',
        )
      : [];
  }),
];
const accepted = (message: SlackMessage) => parseMessage(JSON.parse(JSON.stringify(message)));
const sectionsOf = (message: SlackMessage): string[] =>
  message.blocks.flatMap((block) => (block.type === 'section' ? [block.text?.text ?? ''] : []));

/** How many findings a message shows, and how many it says are left. */
function countsOf(message: SlackMessage): { shown: number; left: number } {
  const all = sectionsOf(message).join('\n');
  return {
    shown: all.match(/:(red|large_yellow|large_blue)_circle: \*/g)?.length ?? 0,
    left: Number(/^and ([\d,]+) more/m.exec(all)?.[1]?.replaceAll(',', '') ?? 0),
  };
}

test('one finding reads as a person would write it: what, and what to do', () => {
  const evidence = { throttledMinutesPeak24h: 12 };
  const { text, blocks } = notificationMessage(aNotification([aFinding({ evidence })]));
  expect(text).toBe('stripewise: 1 new finding (1 warning) on vol-1.');
  expect(blocks.map(({ type }) => type)).toEqual(['header', 'section', 'section']);
  expect(sectionsOf({ text, blocks }).map((section) => section.split('\n'))).toEqual([
    [
      ':large_yellow_circle: *vol-1 "db" gp3 100 GiB us-east-1:* throttled at its maximum of 3,000 IOPS, ended, 12 throttled min.',
      'Fix: gp3, 4,000 IOPS, 125 MiB/s online, +5.00 USD a month.',
    ],
    ['stripewise report open --run run-1'],
  ]);
});

/** As it is read: an address is behind its text. */
const linesOf = (message: SlackMessage): string[] =>
  textsOf(message)
    .slice(1)
    .flatMap((text) => text.replaceAll(/<[^|>]+\|([^<>]+)>/g, '$1').split('\n'));

test.each([1, 5, 6, 500])(
  'of %i findings at most five are shown, in 12 lines and 2,500 characters',
  (count) => {
    const message = notificationMessage(aNotification(findingsOnVolumes(count), 'opened', someLinks));
    expect(accepted(message)).toMatchObject({ ok: true });
    const shown = Math.min(5, count);
    expect(countsOf(message)).toEqual({ shown, left: count - shown });
    expect(linesOf(message).length).toBeLessThanOrEqual(12);
    expect(linesOf(message).join('\n').length).toBeLessThanOrEqual(2_500);
  },
);

test('a second finding of a resource gives way to another resource', () => {
  const of = (id: string, volumeId: string) => aFinding({ id, resource: onVolume(volumeId) });
  const findings = [...['a', 'b', 'c', 'd', 'e'].map((id) => of(id, 'vol-1')), of('f', 'vol-2')];
  const all = sectionsOf(notificationMessage(aNotification(findings))).join('\n');
  expect(all.match(/vol-\d/g)).toEqual(['vol-1', 'vol-2', 'vol-1', 'vol-1', 'vol-1']);
});

test('what the notification itself left out for length is in the count too', () => {
  const notification = { ...aNotification(findingsOnVolumes(3)), notShown: 7 };
  expect(countsOf(notificationMessage(notification))).toEqual({ shown: 3, left: 7 });
});

test('what a benchmark showed is the news where that is the change', () => {
  const notification = aNotification([aFinding()], 'validated');
  const validation = {
    ...{ isValidated: true, gradedAt: '2026-11-22T13:00:00.000Z', campaignId: 'c1', label: null },
    current: { iops: 3_000, p95Ms: 5.3 },
    recommended: { iops: 12_000, p95Ms: 1.2 },
  };
  const line =
    'Validated 22 Nov 13:00 UTC (campaign c1): 12,000 IOPS instead of 3,000, 95 % within 1.2 ms instead of 5.3 ms.';
  const message = notificationMessage({
    ...notification,
    notified: notification.notified.map((one) => ({ ...one, validation })),
  });
  expect(accepted(message)).toMatchObject({ ok: true });
  expect(sectionsOf(message)[0]?.split('\n')[1]).toBe(`Benchmark: ${line}`);
});

describe('with links to the report', () => {
  const linked = (all: Parameters<typeof aNotification>[0]): SlackMessage =>
    notificationMessage(aNotification(all, 'opened', someLinks));
  const linksIn = (message: SlackMessage): number =>
    textsOf(message).join('\n').split('<https://').length - 1;

  test('the resource leads to its finding, and the last line to the whole', () => {
    const message = linked([aFinding({ id: 'f1' })]);
    expect(accepted(message)).toMatchObject({ ok: true });
    expect(message.unfurl_links).toBe(false);
    const [section, last] = sectionsOf(message);
    expect(section).toContain(`*<${someLinks('f1')}|vol-1 "db" gp3 100 GiB us-east-1:>* `);
    expect(last).toBe(`*<${someLinks(null)}|Open report>*`);
  });

  test('no finding gives way to a link', () => {
    const all = findingsOnVolumes(500);
    const message = linked(all);
    expect(countsOf(message)).toEqual(countsOf(notificationMessage(aNotification(all))));
    expect(linksIn(message)).toBe(6);
    expect(sectionsOf(message).at(-1)).toBe(`and 495 more: *<${someLinks(null)}|Open report>*`);
  });

  test.each(['https://reports.example/|<!channel>', 'javascript:alert(1)', 'https://a b', 'https://a&b', ''])(
    '%j is no address: what it would lead to stays text',
    (url) => {
      const message = notificationMessage(aNotification([aFinding()], 'opened', () => url));
      expect(linksIn(message)).toBe(0);
      expect(textsOf(message).join('')).not.toMatch(/[<>]/);
    },
  );
});

const kinds = ['throttled-volume-iops', 'stalled', 'idle'] as const;
const findings = fc
  .array(
    fc.record({
      volumeId: untrustedText,
      name: fc.option(untrustedText),
      region: untrustedText,
      account: fc.option(untrustedText),
      priceRegion: untrustedText,
      text: untrustedText,
      kind: fc.constantFrom(...kinds),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .chain((some) =>
    fc.integer({ min: 1, max: 100 }).map((times) => Array.from({ length: times }, () => some).flat()),
  )
  .map((all) =>
    all.map(({ volumeId, name, region, account, priceRegion, text, kind }, i) =>
      aFinding({
        id: `${i}`,
        kind,
        // Every other one on a volume of its own.
        resource: onVolume(i % 2 === 0 ? volumeId : `${volumeId}${i}`, { name, region, account }),
        recommendations: [
          aRecommendation({
            change: { of: 'instance', from: null, to: text },
            monthlyUsdDelta: null,
            priceUnknownReason: { code: 'no-instance-price', instanceType: text, region: priceRegion },
          }),
        ],
      }),
    ),
  );

test('a header has no escapes, so what could be one becomes a look-alike', () => {
  expect(headerBlock('stalled on &amp<!here>').text.text).toBe('stalled on ＆amp‹!here›');
});

test('whatever stands in the account: Slack takes it, nothing of it calls, links or hides, and the counts are right', () => {
  fc.assert(
    fc.property(findings, fc.boolean(), (all, withLinks) => {
      const notification = aNotification(all, 'opened', withLinks ? someLinks : null);
      const message = notificationMessage(notification);
      const parsed = accepted(message);
      expect(parsed).toMatchObject({ ok: true });
      expect(textsOf(message).some((text) => text.includes('|Open report>'))).toBe(withLinks);
      for (const whole of textsOf(message)) {
        const text = whole.replaceAll(/<https:\/\/a{32}\.[A-Za-z0-9./-]+(?:#finding-\d+)?\|([^<>]+)>/g, '$1');
        // Every angle bracket that is left would be Slack's own mark-up, and links are all that we write of it.
        expect(text).not.toMatch(/[<>]/);
        expect(text.isWellFormed()).toBe(true);
        expect(text.replaceAll(/[\n\u200b]/g, '')).not.toMatch(/\p{C}/u);
        expect(text).not.toMatch(/&(?!amp;|lt;|gt;)/);
      }
      const { shown, left } = countsOf(message);
      expect(shown + left).toBe(all.length);
      expect(shown).toBeGreaterThan(0);
      expect(linesOf(message).length).toBeLessThanOrEqual(12);
      const notified = notification.notified.map((one) => ({ ...one, url: null }));
      expect({ shown, left }).toEqual(
        countsOf(notificationMessage({ ...notification, notified, reportUrl: null })),
      );
    }),
    { numRuns: 200 },
  );
});

test('the change is said: in the headline, and beside the finding', () => {
  const { text, blocks } = notificationMessage(aNotification(findingsOnVolumes(2), 'worse'));
  expect(text).toBe('stripewise: 2 findings worse (2 warnings).');
  expect(sectionsOf({ text, blocks })[0]).toContain(':* worse: throttled at its maximum');
  expect(notificationMessage(aNotification(findingsOnVolumes(2), 'reopened')).text).toBe(
    'stripewise: 2 findings back (2 warnings).',
  );
});

test('the first audit is a summary: how many, how much to save, of how much', () => {
  const cheaper = { recommendations: [aRecommendation({ monthlyUsdDelta: -30 })] };
  const first = { ...aNotification(findingsOnVolumes(6, cheaper)), isFirst: true as const };
  expect(notificationMessage(first).text).toBe(
    'stripewise: 6 warnings. Up to 180 USD a month to save. 6 volumes, 1 Region.', // 6 x 30
  );
  const { run } = first;
  const ofAll = { ...first, run: run && { ...run, possibleSavingsMonthlyUsd: 250 } };
  expect(notificationMessage(ofAll).text).toContain(' Up to 250 USD a month to save. '); // some of it is not notified
});

test.each([
  ['short enough', 12, 'short enough'],
  ['too long', 7, 'too…'], // not within a word,
  ['1,440 min', 4, '1,4…'], // but where there is no other
  ['xxxxxxx&lt;', 10, 'xxxxxxx…'], // not "&l"
  ['xxxx&amp;&amp;', 11, 'xxxx&amp;…'],
  ['xx👩👩', 4, 'xx…'], // not half of a character
])('%j in %i characters is %j', (text, length, expected) => {
  expect(cut(text, length)).toBe(expected);
});

test('a partial run says so', () => {
  const whole = aNotification([aFinding()]);
  const notification = { ...whole, run: whole.run && { ...whole.run, partial: true } };
  const message = notificationMessage(notification);
  expect(textsOf(message).at(-1)).toContain('This audit is partial');
});

test('what is over has nothing to do, and no run is named where there was none', () => {
  const { text, blocks } = notificationMessage(aNotificationBetweenRuns([aFinding()], 'resolved'));
  expect(text).toBe('stripewise: 1 finding resolved on vol-1.');
  expect(sectionsOf({ text, blocks })).toEqual([
    ':white_check_mark: *vol-1 "db" gp3 100 GiB us-east-1:* resolved: throttled at its maximum of 3,000 IOPS.',
    'Seen between two audits, 20 Nov 00:00 UTC.',
  ]);
});
