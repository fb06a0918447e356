/** An advisory in Slack: accepted whatever the account holds, inert, and honest about what is left out. */
import fc from 'fast-check';
import { parseMessage } from '../../../local/slack/message.ts';
import { cut } from '../../../report/marks.ts';
import { advisoryMessage } from '../../../report/slack/advisory-message.ts';
import { headerBlock, type SlackMessage } from '../../../report/slack/message.ts';
import {
  aFinding,
  anAdvisory,
  anAdvisoryBetweenRuns,
  aRecommendation,
  findingsOnVolumes,
  onVolume,
  someLinks,
} from '../../fixtures/findings.ts';
import { hostileText } from '../../fixtures/hostile-text.ts';

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
    left: Number(/… and (\d+) more, less urgent/.exec(all)?.[1] ?? 0),
  };
}

test('one finding reads as a person would write it', () => {
  const { text, blocks } = advisoryMessage(anAdvisory([aFinding()]));
  expect(text).toBe('stripewise: throttled-volume-iops on vol-1');
  expect(blocks.map(({ type }) => type)).toEqual(['header', 'section', 'context']);
  const [section] = sectionsOf({ text, blocks });
  expect(section?.split('\n')).toEqual([
    '*vol-1 · "db" · gp3 100 GiB · us-east-1 · 111122223333*',
    expect.stringMatching(
      /^:large_yellow_circle: \*throttled-volume-iops\* \(warning\): held back for 12 minutes/,
    ),
    '→ provision 4,000 IOPS (+5.00 USD a month)',
  ]);
});

test('findings of one volume stand together under its name', () => {
  const findings = [aFinding({ id: 'a' }), aFinding({ id: 'b', kind: 'micro-burst' })];
  expect(sectionsOf(advisoryMessage(anAdvisory(findings)))).toHaveLength(1);
});

test('500 findings on 500 volumes: 40 at most are shown, the others are counted', () => {
  const message = advisoryMessage(anAdvisory(findingsOnVolumes(500)));
  expect(accepted(message)).toMatchObject({ ok: true });
  const { shown, left } = countsOf(message);
  expect(shown).toBe(40);
  expect(left).toBe(460); // 500 - 40
});

test('what a benchmark of it showed stands behind the advice', () => {
  const advisory = anAdvisory([aFinding()]);
  const proof = 'Proved on 2026-11-22 (campaign c1): present 3,000 IOPS, advised 12,000 IOPS';
  const message = advisoryMessage({ ...advisory, told: advisory.told.map((one) => ({ ...one, proof })) });
  expect(accepted(message)).toMatchObject({ ok: true });
  expect(JSON.stringify(message.blocks)).toContain(`⇒ ${proof}`);
});

test('what the advisory itself left out for length is in the count too', () => {
  const advisory = { ...anAdvisory(findingsOnVolumes(3)), notShown: 7 };
  expect(countsOf(advisoryMessage(advisory))).toEqual({ shown: 3, left: 7 });
});

test('findings of one volume that do not fit its section are counted, not cut off in silence', () => {
  const findings = Array.from({ length: 10 }, (_, i) => aFinding({ id: `${i}`, reason: 'x'.repeat(480) }));
  const message = advisoryMessage(anAdvisory(findings));
  const { shown, left } = countsOf(message);
  // A finding is about 600 characters, a section 2,900.
  expect(shown).toBe(4);
  expect(left).toBe(6);
});

describe('with links to the report', () => {
  const linked = (all: Parameters<typeof anAdvisory>[0]): SlackMessage =>
    advisoryMessage(anAdvisory(all, 'opened', someLinks));
  const linksIn = (message: SlackMessage): number =>
    textsOf(message).join('\n').split('<https://').length - 1;

  test('the title of a resource leads to its finding, and a section at the end to the whole', () => {
    const message = linked([aFinding({ id: 'f1' })]);
    expect(accepted(message)).toMatchObject({ ok: true });
    expect(message.unfurl_links).toBe(false);
    const [section, open] = sectionsOf(message);
    expect(section?.split('\n')[0]).toBe(
      `*<${someLinks('f1')}|vol-1 · "db" · gp3 100 GiB · us-east-1 · 111122223333>*`,
    );
    expect(open).toBe(`*<${someLinks(null)}|Open report>*`);
  });

  test('a further finding of the same resource has a link of its own', () => {
    const [section] = sectionsOf(linked([aFinding({ id: 'a' }), aFinding({ id: 'b', kind: 'micro-burst' })]));
    expect(section).toContain(`:large_yellow_circle: *throttled-volume-iops* (warning)`);
    expect(section).toContain(`:large_yellow_circle: *<${someLinks('b')}|micro-burst>* (warning)`);
  });

  test('no finding gives way to a link: 500 are shown and counted as without, the most urgent with a link', () => {
    const all = findingsOnVolumes(500);
    const message = linked(all);
    expect(accepted(message)).toMatchObject({ ok: true });
    expect(countsOf(message)).toEqual(countsOf(advisoryMessage(anAdvisory(all))));
    // A link is about 240 characters, 40 sections of about 190 leave room for ten of them.
    expect(linksIn(message)).toBeGreaterThan(5);
    expect(sectionsOf(message)[0]).toContain(`<${someLinks('finding-0')}|`);
    expect(sectionsOf(message).at(-1)).toContain('|Open report>');
  });

  test('a section that is full stays within 3,000 characters', () => {
    const all = Array.from({ length: 10 }, (_, i) => aFinding({ id: `${i}`, reason: 'x'.repeat(480) }));
    const message = linked(all);
    expect(accepted(message)).toMatchObject({ ok: true });
    expect(countsOf(message)).toEqual({ shown: 4, left: 6 });
  });

  test.each(['https://reports.example/|<!channel>', 'javascript:alert(1)', 'https://a b', 'https://a&b', ''])(
    '%j is no address: what it would lead to stays text',
    (url) => {
      const message = advisoryMessage(anAdvisory([aFinding()], 'opened', () => url));
      expect(linksIn(message)).toBe(0);
      expect(textsOf(message).join('')).not.toMatch(/[<>]/);
    },
  );
});

const kinds = ['throttled-volume-iops', 'stalled', 'idle'] as const;
const findings = fc
  .array(
    fc.record({
      volumeId: hostileText,
      name: fc.option(hostileText),
      region: hostileText,
      account: fc.option(hostileText),
      reason: hostileText,
      text: hostileText,
      kind: fc.constantFrom(...kinds),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .chain((some) =>
    fc.integer({ min: 1, max: 100 }).map((times) => Array.from({ length: times }, () => some).flat()),
  )
  .map((all) =>
    all.map(({ volumeId, name, region, account, reason, text, kind }, i) =>
      aFinding({
        id: `${i}`,
        kind,
        // Every other one on a volume of its own.
        resource: onVolume(i % 2 === 0 ? volumeId : `${volumeId}${i}`, { name, region, account }),
        reason,
        recommendations: [aRecommendation({ text, monthlyUsdDelta: null })],
      }),
    ),
  );

test('a header has no escapes, so what could be one becomes a look-alike', () => {
  expect(headerBlock('stalled on &amp<!here>').text.text).toBe('stalled on ＆amp‹!here›');
});

test('whatever stands in the account: Slack takes it, nothing of it calls, links or hides, and the counts are right', () => {
  fc.assert(
    fc.property(findings, fc.boolean(), (all, withLinks) => {
      const advisory = anAdvisory(all, 'opened', withLinks ? someLinks : null);
      const message = advisoryMessage(advisory);
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
      const told = advisory.told.map((one) => ({ ...one, url: null }));
      expect({ shown, left }).toEqual(countsOf(advisoryMessage({ ...advisory, told, reportUrl: null })));
    }),
    { numRuns: 200 },
  );
});

test('the change is said: worse and back in the headline and beside the finding', () => {
  const { text, blocks } = advisoryMessage(anAdvisory(findingsOnVolumes(2), 'worse'));
  expect(text).toBe('stripewise: 2 findings to look at (2 worse)');
  expect(sectionsOf({ text, blocks })[0]).toContain('worse than told before');
  expect(advisoryMessage(anAdvisory(findingsOnVolumes(2), 'reopened')).text).toContain('(2 back)');
});

test.each([
  ['short enough', 12, 'short enough'],
  ['too long', 7, 'too lo…'],
  ['xxxxxxx&lt;', 10, 'xxxxxxx…'], // not "&l"
  ['xxxx&amp;&amp;', 11, 'xxxx&amp;…'],
  ['xx👩👩', 4, 'xx…'], // not half of a character
])('%j in %i characters is %j', (text, length, expected) => {
  expect(cut(text, length)).toBe(expected);
});

test('a partial run says so', () => {
  const whole = anAdvisory([aFinding()]);
  const advisory = { ...whole, run: whole.run && { ...whole.run, partial: true } };
  const message = advisoryMessage(advisory);
  expect(textsOf(message).at(-1)).toContain('This audit is partial');
});

test('what is over has no advice, and no run is named where there was none', () => {
  const { text, blocks } = advisoryMessage(anAdvisoryBetweenRuns([aFinding()], 'resolved'));
  expect(text).toBe('stripewise: throttled-volume-iops on vol-1 (resolved)');
  const [section] = sectionsOf({ text, blocks });
  expect(section).toContain('resolved since');
  expect(section).not.toContain('→');
  expect(JSON.stringify(blocks.at(-1))).toContain('Told between two audits, at 2026-11-20 00:00 UTC.');
});
