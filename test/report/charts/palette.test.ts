import { causes } from '../../../core/diagnosis/causes.ts';
import { dark, light, type Palette } from '../../../report/charts/palette.ts';
import { causeWords } from '../../../report/charts/words.ts';

/** Relative luminance, as WCAG 2 defines it. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [most = 0, least = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (most + 0.05) / (least + 0.05);
}

test('contrast as WCAG reckons it', () => {
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

describe.each<[string, Palette]>([
  ['light', light],
  ['dark', dark],
])('%s', (_, palette) => {
  const { background, cause, status, series } = palette;

  test.each(['ink', 'faint', 'limit', 'recommended'] as const)('%s can be read: 4.5 : 1', (name) => {
    expect(contrast(palette[name], background)).toBeGreaterThanOrEqual(4.5);
  });

  test.each([...Object.entries(cause), ...Object.entries(status), ...series.entries()])(
    'what is drawn as %s can be seen: 3 : 1',
    (_name, color) => {
      expect(contrast(color, background)).toBeGreaterThanOrEqual(3);
    },
  );

  test('no two causes, and no two runs side by side, have one color', () => {
    expect(new Set(Object.values(cause)).size).toBe(causes.length);
    expect(new Set(series).size).toBe(series.length);
  });
});

test('without color a cause is known by its words', () => {
  expect(new Set(Object.values(causeWords)).size).toBe(causes.length);
});
