import fc from 'fast-check';
import { maxBins } from '../../../core/report/envelope.ts';
import { runCharts, testCharts } from '../../../report/charts/card-charts.ts';
import type { Chart } from '../../../report/charts/chart.ts';
import { minutesByCause, savingsByKind, useAgainstCost } from '../../../report/charts/fleet-charts.ts';
import { loadChart } from '../../../report/charts/load-chart.ts';
import { dark, light } from '../../../report/charts/palette.ts';
import { chartPng, chartSvg } from '../../../report/charts/picture.ts';
import { xmlText } from '../../../report/charts/xml-text.ts';
import { aFinding, anEvaluation, aResult } from '../../fixtures/findings.ts';
import { untrustedText } from '../../fixtures/untrusted-text.ts';
import { anEnvelope, aSeries, aTest } from './charts.ts';

const options = { which: 'whole' as const, findingId: null, palette: light };
const loadOf = (resourceId: string): Chart =>
  loadChart(
    aSeries(
      anEnvelope([100, null, 3_000], {
        throttled: {
          minutes: [0, 0, 1],
          cause: [null, null, 'volume-iops'],
          unknownMinutes: [0, 1, 0],
          minutesByCause: [{ cause: 'volume-iops', minutes: 1 }],
        },
      }),
      { resourceId },
    ),
    options,
  );

/** Every chart that shows text of an account, with this text. */
function chartsWith(text: string): Chart[] {
  const members = [text, `${text} `, 'vol-3'].map((volumeId) => ({
    ...{ volumeId, device: text, iops: 1, share: 0.3, waitMs: 1, exceeded: null, isSlow: true },
  }));
  const test = aTest({
    ...{ run: text, name: text, members, histogram: [{ fromMs: 1, toMs: 2, share: 1 }] },
    overTime: { secondsPerPoint: 1, iops: [1], latencyMs: [1] },
  });
  const point = { mibps: 1, meanMs: 1, p95Ms: 1 };
  const points = [1, 2].map((users) => ({ users, iops: users, ...point }));
  const run = { iops: 1, timesFirst: 1, p95Ms: 1, grade: 'A' as const };
  const card = {
    ...{ tests: [test], repeats: [], notes: [] },
    curves: [{ run: text, access: 'randread' as const, blockKiB: 8, ioDepth: 1, points }],
    comparison: [
      {
        name: text,
        access: null,
        blockKiB: 8,
        users: 1,
        runs: [
          { run: text, ...run },
          { run: 'b', ...run },
        ],
      },
    ],
  };
  const result = aResult([aFinding({ kind: 'idle', evidence: { worstMember: text } })], {
    volumes: [anEvaluation({ volumeId: text, name: text, topShareOfLimit: 1, monthlyUsd: 1 })],
  });
  return [
    loadOf(text),
    ...[useAgainstCost, minutesByCause, savingsByKind].map((chart) => chart(result, light)),
    ...[...runCharts(card, light), ...testCharts(test, light)],
  ];
}

/** The strict XML parser of what turns an SVG into pixels: it refuses what is not well-formed. */
const parsed = (svg: string): Promise<Buffer> => chartPng(svg, { scale: 0.1 });

function expectSelfContained(svg: string): void {
  expect(svg).not.toMatch(/<script|<foreignObject|<image|\bhref=|@import/i);
  expect(svg).not.toMatch(/<[^>]*\son\w+\s*=/i);
  // Patterns and clips within the picture alone.
  for (const [, target] of svg.matchAll(/url\(([^)]*)\)/g)) expect(target).toMatch(/^#/);
}

describe('an SVG', () => {
  test('has title, note, legend and figures, and nothing to point at', () => {
    const svg = chartSvg(loadOf('vol-1'), { widthPixels: 800, title: 'Load of "db" & co', note: 'emulated' });
    for (const text of [
      'Load of &quot;db&quot; &amp; co',
      'emulated',
      'every 1 min',
      'limit 3,000',
      'volume IOPS',
    ])
      expect(svg).toContain(`>${text}<`);
    expect(svg).toContain('width="800"');
    expectSelfContained(svg);
  });

  test('has the ground of its palette, and the height of its chart without the slider', () => {
    const svg = chartSvg({ ...loadOf('vol-1'), heightPixels: 400 }, { widthPixels: 800, palette: dark });
    expect(svg).toContain(`fill="${dark.background}"`);
    // 34 for the slider are gone; 16 above and below, 17 x 1.45 for the title and 8 below it are there: 366 + 65
    expect(svg).toContain('height="431"');
  });

  test('a long title and note go on in a second line', () => {
    const words = 'many words '.repeat(20).trim();
    const svg = chartSvg(loadOf('vol-1'), { widthPixels: 800, title: words });
    expect(svg.match(/<text[^>]*font-size="17"/g)?.length).toBeGreaterThan(1);
  });

  test.each([
    ['<script>alert(1)</script>'],
    [']]>'],
    ['" onload="alert(1)'],
    ['&lt;&#x0;'],
    ['{a|b}'],
    ['__proto__'],
    ['__proto__ of many words and more of them, so that it is cut'],
    ['constructor'],
    ['toString'],
    [''],
    [' '],
    ['\n'],
    ['\u0000\u001b[31m\ufffe\uffff'],
    ['\ud83d'],
    ['\u202eabc'],
    ['数据库 🔥'],
  ])('of every chart is well-formed and holds no more than text: %j', async (text) => {
    for (const chart of chartsWith(text)) {
      const svg = chartSvg(chart, { widthPixels: 600, note: text });
      expectSelfContained(svg);
      await parsed(svg);
    }
  });

  test('a text that is called as what every object has leaves objects as they are', () => {
    for (const chart of chartsWith('__proto__')) chartSvg(chart, { widthPixels: 600, title: '__proto__' });
    const leaked: string[] = [];
    for (const key in {}) leaked.push(key);
    expect(leaked).toEqual([]);
  });

  test('whatever text it is', async () => {
    await fc.assert(
      fc.asyncProperty(untrustedText, async (text) => {
        const svg = chartSvg(loadOf(text), { widthPixels: 600, title: text, note: text });
        expectSelfContained(svg);
        await parsed(svg);
      }),
      { numRuns: 15 },
    );
  });

  test('what XML has no place for is replaced', () => {
    expect(xmlText('a\u0000b\ud83dc\uffff<&>"\'😀\t')).toBe(
      'a\ufffdb\ufffdc\ufffd&lt;&amp;&gt;&quot;&#39;😀\t',
    );
  });
});

describe('a PNG', () => {
  test('of the size that was asked for, twice as fine', async () => {
    const svg = chartSvg(loadOf('vol-1'), { widthPixels: 500 });
    const height = Number(/ height="(\d+)"/.exec(svg)?.[1]);
    const png = await chartPng(svg, { scale: 2 });
    expect(png.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
    // Width and height stand behind the head of the first chunk.
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_000, 2 * height]);
  });

  test('is drawn with its letters', async () => {
    const chart = loadOf('vol-1');
    const [one, other] = await Promise.all(
      ['aaaa', 'bbbb'].map((title) => chartPng(chartSvg(chart, { widthPixels: 500, title }), { scale: 1 })),
    );
    expect(one?.equals(other as Buffer)).toBe(false);
  });

  test('what is no XML is refused', async () => {
    await expect(
      parsed('<svg xmlns="http://www.w3.org/2000/svg"><text>a & b</text></svg>'),
    ).rejects.toThrow();
    await expect(
      parsed('<svg xmlns="http://www.w3.org/2000/svg"><text>\u0001</text></svg>'),
    ).rejects.toThrow();
  });
});

test('a picture of as many bins as there can be is small enough for a message', () => {
  const most = Array.from({ length: maxBins }, (_, bin) => 1_000 + ((bin * 7_919) % 2_000));
  const least = most.map((value) => value / 3);
  const iops = { min: least, max: most };
  const held = most.map((value) => (value > 2_800 ? 1 : 0));
  const envelope = anEnvelope(most, {
    ...{ binSeconds: 1_740, iops, mibps: iops, queueLength: iops, latencyMs: iops },
    throttled: {
      minutes: held,
      cause: held.map((one) => (one === 0 ? null : 'volume-iops')),
      minutesByCause: [{ cause: 'volume-iops', minutes: held.length }],
      unknownMinutes: held.map(() => 0),
    },
  });
  const svg = chartSvg(loadChart(aSeries(envelope), options), { widthPixels: 1_000 });
  expect(svg.length).toBeLessThan(600_000);
});
