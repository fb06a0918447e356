import { maxBins } from '../../../core/report/envelope.ts';
import { loadChart } from '../../../report/charts/load-chart.ts';
import { light } from '../../../report/charts/palette.ts';
import { anEnvelope, aSeries, minuteMs, namesOf, seen, startEpochSeconds } from './charts.ts';

const options = { which: 'whole' as const, findingId: null, palette: light };
const throttled = (
  minutes: number[],
  cause: ('volume-iops' | 'volume-throughput' | 'stalled' | null)[],
  unknownMinutes = minutes.map(() => 0),
) => {
  const all = [...new Set(cause)].flatMap((one) => (one === null ? [] : [one]));
  const sumOf = (one: (typeof all)[number]) =>
    minutes.reduce((sum, held, bin) => sum + (cause[bin] === one ? held : 0), 0);
  const minutesByCause = all
    .map((one) => ({ cause: one, minutes: sumOf(one) }))
    .sort((a, b) => b.minutes - a.minutes);
  return { minutes, cause, minutesByCause, unknownMinutes };
};
const lines = (chart: ReturnType<typeof loadChart>) =>
  seen(chart).series.filter(({ type }) => type === 'line');

describe('the load', () => {
  test('a level from the start of a bin to its end, and a gap where nothing is known', () => {
    const chart = loadChart(aSeries(anEnvelope([100, 200, null, 300])), options);
    expect(lines(chart)[0]?.data).toEqual([
      ...[
        [minuteMs(0), 100],
        [minuteMs(1), 200],
        [minuteMs(2), 200],
        [minuteMs(2), null],
      ],
      ...[
        [minuteMs(3), 300],
        [minuteMs(4), 300],
        [minuteMs(4), null],
      ],
    ]);
  });

  test('gaps are one hatched area each, over IOPS and MiB/s, and are named', () => {
    const chart = loadChart(aSeries(anEnvelope([100, null, null, 300, null])), options);
    const gaps = seen(chart).series.filter(({ name }) => name === 'no figures');
    expect(gaps).toHaveLength(2);
    expect(gaps[0]?.data).toEqual([
      [minuteMs(1), minuteMs(3), 0],
      [minuteMs(4), minuteMs(5), 0],
    ]);
    expect(namesOf(seen(chart))).toEqual(['every 1 min', 'no figures']);
  });

  test('a bin of several minutes is a band from least to most', () => {
    const band = { min: [100, 150], max: [400, 500] };
    const envelope = anEnvelope([0, 0], { binSeconds: 1_740, iops: band });
    const chart = loadChart(aSeries(envelope), options);
    expect(namesOf(seen(chart))).toEqual(['maximum of each 29 min', 'from minimum to maximum']);
    // From 14:00 two bins of 29 minutes.
    expect(seen(chart).series.find(({ name }) => name === 'from minimum to maximum')?.data).toEqual([
      [minuteMs(0), minuteMs(58), 0],
    ]);
    expect(lines(chart)[0]?.data.slice(0, 2)).toEqual([
      [minuteMs(0), 400],
      [minuteMs(29), 500],
    ]);
  });

  test('the demand is drawn where it is clearly more than what was served', () => {
    const chart = loadChart(
      // 3,030 is 1 % more than 3,000, 4,500 is half as much again
      aSeries(anEnvelope([3_000, 3_000, 10], { demandIops: [3_030, 4_500, null] })),
      options,
    );
    const [demand] = lines(chart).filter(({ name }) => name === 'demand, at least');
    expect(demand?.data).toEqual([
      ...[
        [minuteMs(1), 4_500],
        [minuteMs(2), 4_500],
        [minuteMs(2), null],
      ],
    ]);
    expect(namesOf(seen(chart))).toContain('demand, at least');
  });

  test('the close-up where it is asked for and there is one', () => {
    const closeUp = anEnvelope([1, 2]);
    const series = aSeries(anEnvelope([5, 6, 7]), { closeUp });
    expect(loadChart(series, { ...options, which: 'closeUp' }).table().rows).toHaveLength(2);
    expect(
      loadChart({ ...series, closeUp: null }, { ...options, which: 'closeUp' }).table().rows,
    ).toHaveLength(3);
  });
});

describe('limits', () => {
  const marksOf = (chart: ReturnType<typeof loadChart>, panel = 0) =>
    lines(chart)
      .filter(({ markLine }) => markLine !== undefined)
      [panel]?.markLine?.data.map(({ yAxis, label }) => [yAxis, label.formatter]);

  test('now and recommended, as far as the load comes near them', () => {
    const chart = loadChart(
      aSeries(anEnvelope([2_900]), {
        limits: { baselineIops: 300, burstIops: 3_000, baselineMiBps: 128, burstMiBps: 128 },
        recommended: { 'finding-1': { iops: 8_700, mibps: 500 } },
      }),
      { ...options, findingId: 'finding-1' },
    );
    // 3 x 2,900 = 8,700 is just within.
    expect(marksOf(chart)).toEqual([
      [8_700, 'recommended 8,700'],
      [3_000, 'burst 3,000'],
      [300, 'baseline 300'],
    ]);
    // 2,900 / 64 = 45.3 MiB/s; 3 x 45.3 = 136
    expect(marksOf(chart, 1)).toEqual([[128, 'limit 128']]);
    expect(seen(chart).title.map(({ text }) => text)[1]).toContain('far above this scale: recommended 500');
    // The scale holds what is drawn: 8,700 in at most 4 steps of 2,500
    expect(seen(chart).yAxis[0]).toMatchObject({ min: 0, max: 10_000, interval: 2_500 });
  });

  test('10 IOPS under a limit of 16,000 still are seen', () => {
    const limits = { baselineIops: 16_000, burstIops: 16_000, baselineMiBps: 1_000, burstMiBps: 1_000 };
    const chart = loadChart(aSeries(anEnvelope([10]), { limits }), options);
    expect(marksOf(chart)).toEqual([]);
    // 10.2 in at most 4 steps: of 5
    expect(seen(chart).yAxis[0]).toMatchObject({ max: 15, interval: 5 });
    expect(seen(chart).title[0]?.text).toContain('far above this scale: limit 16,000');
  });

  test('a recommendation that keeps a limit shares its line', () => {
    const recommended = { 'finding-1': { iops: 3_000, mibps: 250 } };
    const chart = loadChart(aSeries(anEnvelope([2_000]), { recommended }), {
      ...options,
      findingId: 'finding-1',
    });
    expect(marksOf(chart)).toEqual([[3_000, 'limit, recommended 3,000']]);
  });

  test('labels that would meet are moved apart', () => {
    const recommended = { 'finding-1': { iops: 3_100, mibps: null } };
    const chart = loadChart(aSeries(anEnvelope([3_000]), { recommended }), {
      ...options,
      findingId: 'finding-1',
    });
    const [upper, lower] = lines(chart)[0]?.markLine?.data ?? [];
    // 132 pixels for 4,000: 3.3 from one line to the other, 14 from one label to the other: 2 x (14 - 3.3)
    expect(upper?.label.padding).toEqual([0, 0, 0, 0]);
    expect(lower?.label.padding?.[0]).toBeCloseTo(21.4);
  });

  test('on a phone a label has two lines and the load more room', () => {
    const recommended = { 'finding-1': { iops: 3_100, mibps: null } };
    const one = aSeries(anEnvelope([3_000]), { recommended });
    const wide = loadChart(one, { ...options, findingId: 'finding-1' });
    const narrow = loadChart(one, { ...options, findingId: 'finding-1', width: 'narrow' });
    const [upper, lower] = lines(narrow)[0]?.markLine?.data ?? [];
    expect(upper?.label.formatter).toBe('recommended\n3,100');
    expect(lower?.label.padding?.[0]).toBeCloseTo(45.4); // as above, 26 from label to label: 2 x (26 - 3.3)
    const sideOf = (chart: typeof wide) => Number((chart.option.grid as { right: number }[])[0]?.right);
    expect(sideOf(narrow)).toBeLessThan(sideOf(wide));
  });

  test('none known, none drawn', () => {
    expect(marksOf(loadChart(aSeries(anEnvelope([10]), { limits: null }), options))).toEqual([]);
  });
});

describe('what throttled it', () => {
  const envelope = anEnvelope([1, 2, 3, 4, 5, 6], {
    throttled: throttled(
      [1, 0.5, 0, 1, 1, 0],
      ['volume-iops', 'volume-iops', null, 'volume-iops', 'stalled', null],
      [0, 0, 0, 0, 0, 1],
    ),
  });
  const chart = loadChart(aSeries(envelope), options);

  test('bins that follow each other and have one cause are one area', () => {
    const areas = lines(chart)[0]?.markArea?.data.map(([from, to]) => [
      from.xAxis,
      to.xAxis,
      from.itemStyle.color,
    ]);
    expect(areas).toEqual([
      [minuteMs(0), minuteMs(2), light.cause['volume-iops']],
      [minuteMs(3), minuteMs(4), light.cause['volume-iops']],
      [minuteMs(4), minuteMs(5), light.cause.stalled],
    ]);
  });

  test('a row for each cause, named, the most minutes first', () => {
    const [lane] = seen(chart).yAxis;
    // 1 + 0.5 + 1 = 2.5
    expect(lane?.data?.map((value, index) => lane.axisLabel.formatter(value, index))).toEqual([
      'volume IOPS\n2.5 min',
      'stalled\n1 min',
      'unknown\n1 min',
    ]);
    expect(seen(chart).series[0]?.data).toEqual([
      [minuteMs(0), minuteMs(2), 0],
      [minuteMs(3), minuteMs(4), 0],
      [minuteMs(4), minuteMs(5), 1],
      [minuteMs(5), minuteMs(6), 2],
    ]);
  });

  test('in words', () => {
    expect(chart.description).toBe(
      'The load of vol-1 from 2026-11-19 14:00 to 2026-11-19 14:06 UTC: at most 6 IOPS, at most 0.0938 MiB/s; 2.5 min throttled by volume IOPS; 1 min stalled; 1 min that nobody can tell of',
    );
    expect(loadChart(aSeries(anEnvelope([1])), options).description).toContain('never throttled');
  });
});

test('panels for what is known, one below the other, on one axis of time', () => {
  const band = (value: number | null) => ({ min: [value], max: [value] });
  const chart = loadChart(
    aSeries(
      anEnvelope([1], {
        ...{ queueLength: band(4), latencyMs: band(null) },
        ...{ ioBalancePercent: band(80), byteBalancePercent: band(90) },
      }),
    ),
    options,
  );
  const { title, grid, xAxis, dataZoom, tooltip } = seen(chart);
  expect(title.map(({ text }) => text.replace(/^\{text\||\}.*/g, ''))).toEqual([
    ...['IOPS', 'MiB/s', 'Credits left, %', 'Queue length'],
  ]);
  expect(xAxis.map(({ min, max }) => [min, max])).toEqual(grid.map(() => [minuteMs(0), minuteMs(1)]));
  grid.slice(1).forEach(({ top }, index) => {
    expect(top).toBeGreaterThan((grid[index]?.top ?? 0) + (grid[index]?.height ?? 0));
  });
  expect(dataZoom.map(({ type, xAxisIndex }) => [type, xAxisIndex])).toEqual([
    ['inside', [0, 1, 2, 3]],
    ['slider', [0, 1, 2, 3]],
  ]);
  expect(tooltip.renderMode).toBe('richText');
});

describe('figures', () => {
  const chart = loadChart(
    aSeries(
      anEnvelope([100, null], {
        latencyMs: { min: [0.5, null], max: [2, null] },
        demandIops: [4_500, null],
        throttled: throttled([1, 0], ['volume-iops', null], [0, 1]),
      }),
    ),
    options,
  );

  test('as a table, with units', () => {
    expect(chart.table()).toEqual({
      head: [
        ...[
          'Time (UTC)',
          'IOPS, least',
          'IOPS, most',
          'IOPS demanded, at least',
          'MiB/s, least',
          'MiB/s, most',
        ],
        ...['Latency, least (ms)', 'Latency, most (ms)'],
        ...['Throttled (minutes)', 'Unknown (minutes)', 'Throttled by'],
      ],
      rows: [
        ['2026-11-19T14:00:00Z', 100, 100, 4_500, 100 / 64, 100 / 64, 0.5, 2, 1, 0, 'volume IOPS'],
        ['2026-11-19T14:01:00Z', null, null, null, null, null, null, null, 0, 1, 'nothing'],
      ],
    });
  });

  test('in a tooltip, of the bin that is pointed at', () => {
    const { formatter } = seen(chart).tooltip;
    expect(formatter([{ axisValue: minuteMs(0.5) }])).toBe(
      [
        '2026-11-19 14:00 to 14:01 UTC',
        'IOPS: 100 (demand: at least 4,500)',
        'MiB/s: 1.56',
        'Latency: 0.5 to 2 ms',
        '1 min throttled by volume IOPS',
      ].join('\n'),
    );
    expect(formatter([{ axisValue: minuteMs(2) }])).toContain('IOPS: not known');
    expect(formatter([])).toBe('');
  });
});

test('nothing known of the whole time: a chart with gaps alone', () => {
  const chart = loadChart(aSeries(anEnvelope([null, null]), { limits: null }), options);
  expect(chart.description).toContain('IOPS not known, MiB/s not known; 2 min that nobody can tell of');
  expect(lines(chart).every(({ data }) => data.length === 0)).toBe(true);
});

test('as many bins as there can be', () => {
  const iops = Array.from({ length: maxBins }, (_, bin) => bin);
  const chart = loadChart(aSeries(anEnvelope(iops)), options);
  // A point a bin, the end of the last, and the end of the line.
  expect(lines(chart)[0]?.data).toHaveLength(maxBins + 2);
  expect(chart.table().rows).toHaveLength(maxBins);
  expect(chart.table().rows.at(-1)?.[0]).toBe(
    new Date((startEpochSeconds + 60 * (maxBins - 1)) * 1_000).toISOString().replace('.000Z', 'Z'),
  );
});
