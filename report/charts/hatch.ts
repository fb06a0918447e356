/** Diagonal lines over what is not known: a pattern that needs no picture, in every renderer. */

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const spacing = 7;
const round = (value: number): number => Math.round(value * 10) / 10;

/** Rising lines on the same grid everywhere, so that boxes beside each other join. */
function hatchPath({ x, y, width, height }: Box): string {
  const [right, bottom] = [x + width, y + height];
  const lines: string[] = [];
  for (let sum = Math.ceil((x + y) / spacing) * spacing; sum < right + bottom; sum += spacing) {
    const fromX = Math.max(x, sum - bottom);
    const toX = Math.min(right, sum - y);
    if (toX > fromX) lines.push(`M${round(fromX)} ${round(sum - fromX)}L${round(toX)} ${round(sum - toX)}`);
  }
  return lines.join('');
}

/** For `renderItem`. */
export const hatched = (box: Box, color: string) => ({
  type: 'group' as const,
  children: [
    { type: 'rect' as const, shape: { ...box }, style: { fill: color, opacity: 0.1 } },
    {
      type: 'path' as const,
      shape: { pathData: hatchPath(box) },
      style: { fill: 'none', stroke: color, lineWidth: 1, opacity: 0.6 },
    },
  ],
});
