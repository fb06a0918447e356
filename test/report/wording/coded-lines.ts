/** Codes of core as people read them: all of a subject, in a file that a person reads in a review. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Some of every code: one that is missing does not compile. */
export type SamplesOf<Coded extends { code: string }> = {
  readonly [Code in Coded['code']]: readonly Extract<Coded, { code: Code }>[];
};

export interface LinesOfCodes {
  title: string;
  lines: readonly string[];
}

export const linesOfCodes = <Coded extends { code: string }>(
  title: string,
  samples: SamplesOf<Coded>,
  text: (coded: Coded) => string | readonly string[],
): LinesOfCodes => ({
  title,
  lines: (Object.values(samples) as readonly (readonly Coded[])[]).flat().flatMap(text),
});

const rendered = (all: readonly LinesOfCodes[]): string =>
  `${all.map(({ title, lines }) => [`# ${title}`, ...lines].join('\n')).join('\n\n')}\n`;

const sentencesOf = (text: string): string[] => text.split(/(?<=[.!?])\s+/);

/** @param name of the file beside this one. */
export function checkLines(name: string, all: readonly LinesOfCodes[]): void {
  const lines = all.flatMap((one) => one.lines);

  test('the lines are those that were read in a review (UPDATE_LINES=1 writes them anew)', () => {
    const file = join(__dirname, name);
    if (process.env['UPDATE_LINES'] === '1') writeFileSync(file, rendered(all));
    expect(rendered(all)).toBe(readFileSync(file, 'utf8'));
  });

  test('no sentence has more than 25 words', () => {
    const long = lines.flatMap(sentencesOf).filter((sentence) => sentence.split(/\s+/).length > 25);
    expect(long).toEqual([]);
  });

  test('nothing is undefined, and every line is a sentence that ends', () => {
    for (const line of lines) {
      expect(line).not.toMatch(/undefined|NaN|null|\bInfinity\b|\.\.$|\[object/);
      expect(line).toMatch(/\.\)?$/);
    }
  });

  test('no two say the same', () => {
    expect(new Set(lines).size).toBe(lines.length);
  });
}
