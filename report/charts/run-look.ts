/** Runs side by side: each with a color, and with a line, a mark and a pattern that tell it apart without. */
import type { Palette } from './palette.ts';
import { label } from './words.ts';

const lineTypes: readonly ('solid' | 'dashed' | 'dotted' | number[])[] = [
  'solid',
  'dashed',
  'dotted',
  [10, 3, 2, 3],
];
const symbols = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect', 'emptyTriangle'];

type Pattern = { symbol: string; dashArrayX: number | number[] | number[][]; dashArrayY: number | number[] };
const patterns: readonly (Pattern & { rotation: number })[] = [
  { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 5], rotation: Math.PI / 4 },
  {
    symbol: 'circle',
    dashArrayX: [
      [6, 6],
      [0, 6, 6, 0],
    ],
    dashArrayY: [6, 0],
    rotation: 0,
  },
  { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: -Math.PI / 4 },
  { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 6], rotation: Math.PI / 2 },
];

const cycled = <One>(all: readonly One[], index: number): One => all[index % all.length] as One;

export function runLook(index: number, palette: Palette) {
  const color = cycled(palette.series, index);
  return { color, symbol: cycled(symbols, index), lineType: cycled(lineTypes, index) };
}

/** The first is plain. */
export const patternOf = (index: number, palette: Palette) =>
  index === 0 ? {} : { decal: { ...cycled(patterns, index - 1), color: palette.veil, symbolSize: 0.8 } };

/** Names as labels, each once: where two look alike, the second is distinguished by a number. */
export function labelsOf(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const text = label(name);
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    return count === 1 ? text : `${text} (${count})`;
  });
}
